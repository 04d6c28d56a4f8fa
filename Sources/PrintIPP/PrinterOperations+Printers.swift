// Get-Printer-Attributes, Pause-Printer, Resume-Printer, Identify-Printer, and CUPS' lists of printers.

import IPP
import PrintModel
import Synchronization

extension PrinterOperations {
    func getPrinterAttributes(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let wanted = exchange.requestedAttributes()
        // They tell paths and cost time: those are told whom the kernel, or a password, vouches for.
        let own = exchange.requester.isProven ? await service.serverAttributes(requested: wanted) : []
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
        let printer = try await service.printer(named: exchange.target.printer)
        // cupsdisable -r says why in these words; clients write them into either group.
        let words =
            exchange.attributes.string("printer-state-message")
            ?? exchange.request.message[.printer]?.string("printer-state-message") ?? ""
        try await service.setPaused(
            exchange.operation == .pausePrinter, message: words.prefixOfUTF8(1023), printer: printer.name)
        return exchange.reply()
    }

    /// Printers a few at a time, so that a list of a thousand is never in memory with all its attributes.
    private final class PrinterPages: Sendable {
        private let left: Mutex<ArraySlice<ServedPrinter>>

        init(_ printers: [ServedPrinter]) { left = Mutex(printers[...]) }

        var isAtEnd: Bool { left.withLock { $0.isEmpty } }

        /// The next printers, at least one; nil at the end.
        func next() -> ArraySlice<ServedPrinter>? {
            left.withLock { left in
                let page = left.prefix(8)
                left = left.dropFirst(8)
                return page.isEmpty ? nil : page
            }
        }
    }

    func identifyPrinter(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await service.destination(named: exchange.target.printer)
        // Who may print there may look for it.
        try await printer.admit(exchange.requester.name, accounts)
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
        let printer = try await service.printer(named: exchange.target.printer)
        try await service.setDefault(printer: printer.name)
        return exchange.reply()
    }

    /// CUPS-Get-Printers: the first printers at once, the others as the client takes them.
    func getPrinters(_ exchange: Exchange) async throws(IPPFailure) -> IPPAnswer {
        let wanted = exchange.requestedAttributes()
        var printers: [ServedPrinter] = []
        for printer in try await service.printers() where await printer.isListed(for: exchange.requester, accounts) {
            printers.append(printer)
        }
        if let mask = exchange.attributes.integer("printer-type-mask"), mask != 0 {
            let type = exchange.attributes.integer("printer-type") ?? 0
            printers = printers.filter { $0.cupsType.rawValue & mask == type & mask }
        }
        if let first = exchange.attributes.string("first-printer-name") {
            printers = Array(printers.drop { $0.name != first })
        }
        if let limit = exchange.attributes.integer("limit"), limit > 0 { printers = Array(printers.prefix(Int(limit))) }
        let pages = PrinterPages(printers)
        let next: IPPAnswer.More = { () async throws(IPPFailure) in
            guard let page = pages.next() else { return nil }
            var groups: [AttributeGroup] = []
            for printer in page { groups.append(await shownPrinter(printer, exchange, wanted)) }
            return groups
        }
        let first = try await next() ?? []
        return IPPAnswer(exchange.reply(first), more: pages.isAtEnd ? nil : next)
    }
}
