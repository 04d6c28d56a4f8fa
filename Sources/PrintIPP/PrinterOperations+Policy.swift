// What becomes of jobs that cannot be delivered: CUPS-Add-Modify-Printer, as far as printers can be modified.

public import IPP
public import PrintModel

extension PrinterOperations {
    /// Changes a printer's `printer-error-policy` or who may print on it, as `lpadmin -p NAME -o printer-error-policy=…` and
    /// `lpadmin -p NAME -u allow:…` ask for it.
    func modifyPrinter(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        guard exchange.requester.isAdministrator else {
            throw .notAuthorized("only an administrator may change printers, over the Unix socket")
        }
        let printer = try await service.printer(named: exchange.target.printer)
        let wanted = exchange.request.message[.printer]?.attributes ?? []
        let users = try PrinterUsers(wanted)
        let others = wanted.filter { $0.name != "printer-error-policy" && !PrinterUsers.names.contains($0.name) }
        guard others.isEmpty else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "of a printer only printer-error-policy and \(PrinterUsers.names.joined(separator: ", ")) can be changed, not \(others.map(\.name).joined(separator: ", "))",
                unsupported: others)
        }
        guard !wanted.isEmpty else { throw .badRequest("the request names nothing to change") }
        guard let attribute = wanted.first(where: { $0.name == "printer-error-policy" }) else {
            if let users { try await service.setUsers(users, printer: printer.name) }
            return exchange.reply()
        }
        guard let policy = Printer.ErrorPolicy(attribute: attribute) else {
            let names = Printer.ErrorPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, "printer-error-policy takes \(names)",
                unsupported: [attribute])
        }
        if let users { try await service.setUsers(users, printer: printer.name) }
        try await service.setErrorPolicy(policy, printer: printer.name)
        return exchange.reply()
    }
}

extension PrinterService {
    /// A printer itself delivers nothing on.
    public func setErrorPolicy(_ policy: Printer.ErrorPolicy, printer: String) async throws(IPPFailure) {
        throw IPPFailure(.serverErrorOperationNotSupported, "\(printer) delivers its jobs to nobody")
    }
}

extension PrinterUsers {
    static let names = ["requesting-user-name-allowed", "requesting-user-name-denied"]

    /// Reads who may print; nil when the attributes do not say. Of both, the last one counts.
    fileprivate init?(_ attributes: [Attribute]) throws(IPPFailure) {
        guard let attribute = attributes.last(where: { Self.names.contains($0.name) }) else { return nil }
        let names = attribute.values.compactMap(\.stringValue)
        guard names.count == attribute.values.count, !names.isEmpty, !names.contains("") else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, "\(attribute.name) takes names of users, and @ before those of groups",
                unsupported: [attribute])
        }
        if attribute.name == Self.names[0] {
            self = names == ["all"] ? .everybody : .allowed(names == ["none"] ? [] : names)
        } else {
            self = names == ["none"] ? .everybody : names == ["all"] ? .allowed([]) : .denied(names)
        }
    }
}

extension Printer.ErrorPolicy {
    /// The policy that an attribute `printer-error-policy` names; cupsd's `retry-current-job` is our `retry-job`, for
    /// here jobs of a printer never overtake each other.
    init?(attribute: Attribute) {
        guard attribute.values.count == 1, let name = attribute.stringValue else { return nil }
        self.init(rawValue: name == "retry-current-job" ? Self.retryJob.rawValue : name)
    }

    /// The policy, and those there are, as CUPS shows them.
    public var attributes: [Attribute] {
        [
            Attribute("printer-error-policy", .name(rawValue)),
            Attribute("printer-error-policy-supported", Self.allCases.map { .name($0.rawValue) }),
        ]
    }
}
