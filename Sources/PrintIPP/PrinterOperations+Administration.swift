// Enable-Printer, Disable-Printer, Set-Printer-Attributes, Get-Printer-Supported-Values, Purge-Jobs: what those may do who
// look after a printer.

public import IPP
import PrintModel

extension PrinterOperations {
    /// Enable-Printer, Disable-Printer (RFC 3998 §3.1), and CUPS' own two of the same meaning: whether new jobs are taken; those that are there go on.
    func enableOrDisable(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await administeredPrinter(exchange)
        try await service.setAccepting(
            [.enablePrinter, .cupsAcceptJobs].contains(exchange.operation), printer: printer.name)
        return exchange.reply()
    }

    /// Set-Printer-Attributes (RFC 3380 §4.1): all that are given, or none.
    func setPrinterAttributes(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await administeredPrinter(exchange)
        let given = exchange.request.message.groups(.printer).flatMap(\.attributes)
        guard !given.isEmpty else { throw .badRequest("the request names nothing to set") }
        let settable = Set(service.settableAttributes.map(\.name))
        let others = given.filter { !settable.contains($0.name) }
        guard others.isEmpty else {
            throw IPPFailure(
                .clientErrorAttributesNotSettable,
                "of \(printer.name) these cannot be set: \(others.map(\.name).joined(separator: ", "))",
                unsupported: others.map { Attribute($0.name, .outOfBand(.notSettable)) })
        }
        try await service.setAttributes(given, printer: printer.name)
        return exchange.reply()
    }

    /// Get-Printer-Supported-Values (RFC 3380 §4.3): what the attributes that can be set can be set to.
    func getSupportedValues(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        _ = try await service.printer(named: exchange.target.printer)
        let wanted = exchange.requestedAttributes()
        let values = wanted.filter(service.settableAttributes, in: ["printer-description", "job-template"])
        return exchange.reply([AttributeGroup(.printer, values)])
    }

    /// Purge-Jobs (RFC 8011 §4.2.9): all jobs end and are forgotten; with `my-jobs` those of the requester.
    func purgeJobs(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let reply = try await cancelJobs(exchange)
        try await service.forgetEndedJobs(
            printer: try await queriedPrinter(exchange),
            owner: exchange.attributes.boolean("my-jobs") == true ? exchange.requester.name : nil)
        return reply
    }

    private func administeredPrinter(_ exchange: Exchange) async throws(IPPFailure) -> ServedPrinter {
        try await service.printer(named: exchange.target.printer)
    }
}

extension PrinterService {
    /// Nothing can be set.
    public var settableAttributes: [Attribute] { [] }

    /// There is no such switch here.
    public func setAccepting(_ isAccepting: Bool, printer: String) async throws(IPPFailure) {
        throw IPPFailure(.serverErrorOperationNotSupported, "whether \(printer) takes jobs cannot be changed here")
    }

    /// Nothing can be set.
    public func setAttributes(_ attributes: [Attribute], printer: String) async throws(IPPFailure) {
        throw IPPFailure(.serverErrorOperationNotSupported, "nothing of \(printer) can be set here")
    }

    /// A history that is kept by rules of its own is not forgotten.
    public func forgetEndedJobs(printer: String?, owner: String?) async throws(IPPFailure) {}
}
