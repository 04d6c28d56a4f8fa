// Get-Printer-Attributes, Pause-Printer, Resume-Printer, Identify-Printer, and CUPS' lists of printers.

import IPP
import PrintModel

extension PrinterOperations {
    func getPrinterAttributes(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let wanted = exchange.requestedAttributes()
        // They tell paths and cost time: those are told whom the kernel, or a password, vouches for.
        let own = exchange.requester.isAuthenticated ? await service.serverAttributes(requested: wanted) : []
        var printer: ServedPrinter
        do {
            printer = try await service.printer(named: exchange.target.printer)
        } catch {
            // What a server says of itself it says also when no printer is meant.
            guard exchange.target.printer == nil, !own.isEmpty else { throw error }
            return exchange.reply([AttributeGroup(.printer, own)])
        }
        if let format = exchange.attributes.string("document-format") {
            let asked = DocumentFormat(rawValue: format)
            guard printer.formats.contains(asked) || asked == .octetStream else {
                throw IPPFailure(
                    .clientErrorDocumentFormatNotSupported, "\(printer.name) does not take \(asked)",
                    unsupported: exchange.given("document-format"))
            }
            printer = printer.shown(for: asked)
        }
        var group = await shownPrinter(printer, exchange, wanted)
        group.append(contentsOf: own)
        return exchange.reply([group])
    }

    func pauseOrResume(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        try exchange.requireAdministrator(to: "pause or resume printers")
        let printer = try await service.printer(named: exchange.target.printer)
        // cupsdisable -r says why in these words; clients write them into either group.
        let words =
            exchange.attributes.string("printer-state-message")
            ?? exchange.request.message[.printer]?.string("printer-state-message") ?? ""
        try await service.setPaused(
            exchange.operation == .pausePrinter, message: words.prefixOfUTF8(1023), printer: printer.name)
        return exchange.reply()
    }

    func identifyPrinter(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await service.printer(named: exchange.target.printer)
        try await service.identify(
            printer: printer.name, actions: exchange.attributes.keywords("identify-actions"),
            message: exchange.attributes.string("message"))
        return exchange.reply()
    }

    func getDefault(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await service.printer(named: nil)
        return exchange.reply([await shownPrinter(printer, exchange, exchange.requestedAttributes())])
    }

    func setDefault(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        try exchange.requireAdministrator(to: "choose the default printer")
        let printer = try await service.printer(named: exchange.target.printer)
        try await service.setDefault(printer: printer.name)
        return exchange.reply()
    }

    func getPrinters(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let wanted = exchange.requestedAttributes()
        var printers = try await service.printers().filter { $0.isListed(for: exchange.requester) }
        if let mask = exchange.attributes.integer("printer-type-mask"), mask != 0 {
            let type = exchange.attributes.integer("printer-type") ?? 0
            printers = printers.filter { $0.cupsType.rawValue & mask == type & mask }
        }
        if let first = exchange.attributes.string("first-printer-name") {
            printers = Array(printers.drop { $0.name != first })
        }
        if let limit = exchange.attributes.integer("limit"), limit > 0 { printers = Array(printers.prefix(Int(limit))) }
        var groups: [AttributeGroup] = []
        for printer in printers { groups.append(await shownPrinter(printer, exchange, wanted)) }
        return exchange.reply(groups)
    }
}
