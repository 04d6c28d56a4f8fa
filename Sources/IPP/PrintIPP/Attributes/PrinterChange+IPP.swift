// What CUPS-Add-Modify-Printer asks for, read from its attributes.

public import IPP
public import PrintModel

extension PrinterChange {
    /// Reads the printer attributes of CUPS-Add-Modify-Printer.
    ///
    /// - Parameter operation: the operation attributes, where clients name a PPD or a password.
    /// - Throws: `IPPFailure` when one of them cannot be changed or has a value that it does not take: nothing is done then.
    public init(attributes: [Attribute], operation: AttributeGroup = AttributeGroup(.operation)) throws(IPPFailure) {
        self.init()
        for attribute in attributes { try take(attribute) }
        for name in Self.operationNames { if let attribute = operation[name] { try take(attribute) } }
    }

    /// The attributes that can be changed, for the words of a refusal.
    static let names = [
        "device-uri", "printer-info", "printer-location", "printer-error-policy", "printer-is-accepting-jobs",
        "printer-state", "printer-state-message", "requesting-user-name-allowed", "requesting-user-name-denied",
        "printq-after-interruption", "printq-device-user", "printq-device-password", "printq-trust-certificate",
        "OPTION-default",
    ]

    /// What stands among the operation attributes: a secret is no attribute of a printer, and lpadmin names models there.
    private static let operationNames = [
        "printq-device-user", "printq-device-password", "printq-trust-certificate", "ppd-name",
    ]

    /// What lpadmin sends of its own accord, and the only values of it that mean something here.
    private static let onlyValues: [String: Set<String>] = [
        "printer-is-shared": ["false"], "printer-op-policy": ["default"], "job-sheets-default": ["none"],
        "job-quota-period": ["0"], "job-k-limit": ["0"], "job-page-limit": ["0"], "port-monitor": ["none"],
        // Printers are driven by what they say of themselves; there are no drivers.
        "ppd-name": ["everywhere", "raw", ""],
    ]

    private mutating func take(_ attribute: Attribute) throws(IPPFailure) {
        switch attribute.name {
        case "device-uri": deviceURI = try Self.checkedURI(attribute)
        case "printer-info": info = try Self.words(attribute)
        case "printer-location": location = try Self.words(attribute)
        case "printer-state-message": pauseMessage = try Self.words(attribute)
        case "printer-error-policy": errorPolicy = try Self.policy(attribute)
        case "printq-after-interruption": afterInterruption = try Self.afterInterruption(attribute)
        case "printer-is-accepting-jobs": isAccepting = try Self.flag(attribute)
        case "printq-trust-certificate": trustsCertificate = try Self.flag(attribute)
        case "printer-state": isPaused = try Self.isPaused(attribute)
        case "requesting-user-name-allowed": users = PrinterUsers(allowing: try Self.list(attribute))
        case "requesting-user-name-denied": users = PrinterUsers(denying: try Self.list(attribute))
        case "printq-device-user": deviceUser = try Self.words(attribute)
        case "printq-device-password": devicePassword = try Self.words(attribute)
        default: try takeOther(attribute)
        }
    }

    private mutating func takeOther(_ attribute: Attribute) throws(IPPFailure) {
        if let only = Self.onlyValues[attribute.name] {
            guard attribute.values.allSatisfy({ $0.optionText.map(only.contains) ?? false }) else {
                let words = only.filter { !$0.isEmpty }.sorted().joined(separator: " or ")
                throw Self.refusal(attribute, "\(attribute.name) can only be \(words) here")
            }
            return
        }
        guard attribute.name.hasSuffix("-default"),
            let option = PrintOption.named(String(attribute.name.dropLast("-default".count)))
        else {
            throw Self.refusal(
                attribute,
                "of a printer \(attribute.name) cannot be changed, only \(Self.names.joined(separator: ", "))")
        }
        try takeDefault(attribute, of: option)
    }

    /// Takes what jobs ask for that do not say; no value, or an empty one, takes it away.
    private mutating func takeDefault(_ attribute: Attribute, of option: PrintOption) throws(IPPFailure) {
        if attribute.values.isEmpty || attribute.values == [.outOfBand(.noValue)]
            || attribute.values == [.outOfBand(.deleteAttribute)] || attribute.stringValue == ""
        {
            options[option.name] = ""
            return
        }
        guard Self.mayBeDefault(option) else {
            throw Self.refusal(attribute, "\(option.name) is said with each job, not for a printer")
        }
        let name = String(attribute.name.dropLast("-default".count))
        let reading = JobTicket.read([Attribute(name, attribute.values)], at: 0)
        guard reading.unsupported.isEmpty else {
            throw Self.refusal(attribute, reading.problems.joined(separator: "; "))
        }
        // The value as the table writes it: `lp`'s words are not kept, as far as the table has others.
        let written = option.name == "collate" ? PrintOption.named("multiple-document-handling") ?? option : option
        options[written.name] = written.value(in: reading.ticket) ?? attribute.first?.optionText
    }

    /// Whether an option can be asked for by a printer on behalf of jobs: not those about one job's pages or time.
    private static func mayBeDefault(_ option: PrintOption) -> Bool {
        !["page-ranges", "job-hold-until", "job-retain-until"].contains(option.name)
    }

    // MARK: - Values

    private static func refusal(_ attribute: Attribute, _ words: String) -> IPPFailure {
        // What was refused may be a secret.
        let isSecret = attribute.name == "printq-device-password"
        return IPPFailure(
            .clientErrorAttributesOrValuesNotSupported, words,
            unsupported: [isSecret ? Attribute(attribute.name, .outOfBand(.unsupported)) : attribute])
    }

    private static func words(_ attribute: Attribute) throws(IPPFailure) -> String {
        guard attribute.values.count == 1, let text = attribute.stringValue else {
            throw refusal(attribute, "\(attribute.name) takes one text")
        }
        return text
    }

    private static func list(_ attribute: Attribute) throws(IPPFailure) -> [String] {
        let names = attribute.values.compactMap(\.stringValue)
        guard !names.isEmpty, names.count == attribute.values.count else {
            throw refusal(attribute, "\(attribute.name) takes names of users")
        }
        if names.count > 1, let word = names.first(where: { $0 == "all" || $0 == "none" }) {
            throw refusal(attribute, "\(word) stands alone, without names of users")
        }
        if let odd = names.first(where: { !isUserOrGroup($0) }) {
            throw refusal(attribute, "'\(odd)' is no user's name, nor a group's with an @ before it")
        }
        return names
    }

    /// Whether somebody can be called so: `anna`, `@staff`.
    private static func isUserOrGroup(_ name: String) -> Bool {
        let word = name.hasPrefix("@") ? name.dropFirst() : name[...]
        return !word.isEmpty
            && !word.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 32 || $0 == "," }
    }

    private static func flag(_ attribute: Attribute) throws(IPPFailure) -> Bool {
        if attribute.values.count == 1 {
            if case .boolean(let flag)? = attribute.first { return flag }
            // lpadmin -o NAME=VALUE sends what it does not know as a name.
            if let flag = ["true": true, "yes": true, "false": false, "no": false][attribute.stringValue ?? ""] {
                return flag
            }
        }
        throw refusal(attribute, "\(attribute.name) takes true or false")
    }

    private static func isPaused(_ attribute: Attribute) throws(IPPFailure) -> Bool {
        switch attribute.first?.intValue.flatMap({ PrinterState(rawValue: Int($0)) }) {
        case .idle: return false
        case .stopped: return true
        case .processing, nil: throw refusal(attribute, "printer-state can be set to idle (3) or stopped (5)")
        }
    }

    private static func policy(_ attribute: Attribute) throws(IPPFailure) -> ConfiguredPrinter.ErrorPolicy {
        guard let policy = ConfiguredPrinter.ErrorPolicy(attribute: attribute) else {
            let names = ConfiguredPrinter.ErrorPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(attribute, "printer-error-policy takes \(names)")
        }
        return policy
    }

    private static func afterInterruption(_ attribute: Attribute) throws(IPPFailure)
        -> ConfiguredPrinter.AfterInterruption
    {
        guard attribute.values.count == 1, let name = attribute.first?.optionText,
            let setting = ConfiguredPrinter.AfterInterruption(rawValue: name)
        else {
            let names = ConfiguredPrinter.AfterInterruption.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(attribute, "printq-after-interruption takes \(names)")
        }
        return setting
    }

    private static func checkedURI(_ attribute: Attribute) throws(IPPFailure) -> String {
        let text = try words(attribute)
        do throws(DeviceURI.Problem) {
            return try DeviceURI(text).description
        } catch {
            throw refusal(attribute, error.description)
        }
    }
}

extension ConfiguredPrinter.ErrorPolicy {
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

extension ConfiguredPrinter.AfterInterruption {
    /// The setting as an attribute of a printer.
    public var attribute: Attribute { Attribute("printq-after-interruption", .keyword(rawValue)) }
}
