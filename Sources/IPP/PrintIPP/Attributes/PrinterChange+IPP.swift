// Reads the changes of a CUPS-Add-Modify-Printer request.

package import IPP
package import PrintModel

extension PrinterChange {
    /// Reads the printer attributes of CUPS-Add-Modify-Printer.
    ///
    /// - Parameter operation: The operation attributes, which can contain a PPD name or a password.
    /// - Throws: `IPPFailure` if an attribute cannot be changed or has an unsupported value.
    package init(attributes: [Attribute], operation: AttributeGroup = AttributeGroup(.operation)) throws(IPPFailure) {
        self.init()
        for attribute in attributes { try take(attribute) }
        for name in Self.operationNames { if let attribute = operation[name] { try take(attribute) } }
    }

    static let names =
        [
            "device-uri", "printer-info", "printer-location", "printer-geo-location", "printer-organization",
            "printer-organizational-unit", "printer-error-policy", "printer-is-accepting-jobs",
            "printer-state", "printer-state-message",
            "printer-is-shared", "printer-dns-sd-name", "printq-anonymous", "printq-after-interruption",
            "printq-device-user", "printq-device-password", "printq-trust-certificate",
            "OPTION-default",
        ] + PolicyList.attributeNames

    /// The names of the operation attributes that contain changes: passwords, and printer models from lpadmin.
    private static let operationNames = [
        "printq-device-user", "printq-device-password", "printq-trust-certificate", "ppd-name",
    ]

    /// The attributes that lpadmin always sends, with their only supported values.
    private static let onlyValues: [String: Set<String>] = [
        "printer-op-policy": ["default"],
        "job-quota-period": ["0"], "job-k-limit": ["0"], "job-page-limit": ["0"], "port-monitor": ["none"],
        // Printers report their own capabilities. There are no drivers.
        "ppd-name": ["everywhere", "raw", ""],
    ]

    private mutating func take(_ attribute: Attribute) throws(IPPFailure) {
        switch attribute.name {
        case "device-uri": deviceURI = try Self.checkedURI(attribute)
        case "printer-info": info = try Self.text(attribute)
        case "printer-location": location = try Self.text(attribute)
        case "printer-geo-location": geoLocation = try Self.geoURI(attribute)
        case "printer-organization": organization = try Self.text(attribute)
        case "printer-organizational-unit": organizationalUnit = try Self.text(attribute)
        case "printer-state-message": pauseMessage = try Self.text(attribute)
        case "printer-error-policy": errorPolicy = try Self.policy(attribute)
        case "printq-after-interruption": afterInterruption = try Self.afterInterruption(attribute)
        case "printer-is-accepting-jobs": isAccepting = try Self.flag(attribute)
        case "printer-is-shared": isShared = try Self.flag(attribute)
        case "printer-dns-sd-name": serviceName = try Self.serviceName(attribute)
        case "printq-anonymous": admitsAnonymous = try Self.flag(attribute)
        case "printq-trust-certificate": trustsCertificate = try Self.flag(attribute)
        case "printer-state": isPaused = try Self.isPaused(attribute)
        case "printq-device-user": deviceUser = try Self.text(attribute)
        case "printq-device-password": devicePassword = try Self.text(attribute)
        default: try takeOther(attribute)
        }
    }

    private mutating func takeOther(_ attribute: Attribute) throws(IPPFailure) {
        if let (list, isDenying) = PolicyList.named(attribute.name) {
            let names = try Self.names(attribute, of: list)
            guard list != PolicyList(.manage, .users) || !isDenying || names == ["all"] else {
                throw Self.refusal(
                    attribute,
                    "\(attribute.name) supports only all; send the users who may manage the printer as allowed")
            }
            policyLists[list] = isDenying ? AccessList(denying: names) : AccessList(allowing: names)
            return
        }
        if let only = Self.onlyValues[attribute.name] {
            guard attribute.values.allSatisfy({ $0.optionText.map(only.contains) ?? false }) else {
                let values = only.filter { !$0.isEmpty }.sorted().joined(separator: " or ")
                throw Self.refusal(attribute, "\(attribute.name) supports only \(values)")
            }
            return
        }
        guard attribute.name.hasSuffix("-default"),
            let option = PrintOption.named(String(attribute.name.dropLast("-default".count)))
        else {
            throw Self.refusal(
                attribute,
                "cannot change \(attribute.name) of a printer; "
                    + "the settable attributes are \(Self.names.joined(separator: ", "))")
        }
        try takeDefault(attribute, of: option)
    }

    /// Reads the default of an option for jobs that do not set the option.
    ///
    /// A missing or empty value removes the default.
    private mutating func takeDefault(_ attribute: Attribute, of option: PrintOption) throws(IPPFailure) {
        if attribute.values.isEmpty || attribute.values == [.outOfBand(.noValue)]
            || attribute.values == [.outOfBand(.deleteAttribute)] || attribute.stringValue == ""
        {
            options[option.name] = ""
            return
        }
        guard Self.mayBeDefault(option) else {
            throw Self.refusal(attribute, "\(option.name) can be set only for jobs, not for a printer")
        }
        let name = String(attribute.name.dropLast("-default".count))
        let reading = JobTicket.read([Attribute(name, attribute.values)], at: 0)
        guard reading.unsupported.isEmpty else {
            throw Self.refusal(attribute, reading.problems.joined(separator: "; "))
        }
        // Store the value in the form of the option table, which replaces `lp`'s own words where possible.
        // lpadmin sends the default of CUPS with every change.
        if option.name == "job-sheets", reading.ticket.coverSheets == nil {
            options[option.name] = ""
            return
        }
        let written = option.name == "collate" ? PrintOption.named("multiple-document-handling") ?? option : option
        options[written.name] = written.value(in: reading.ticket) ?? attribute.first?.optionText
    }

    /// Returns whether a printer can have a default for an option.
    ///
    /// Options that select pages or set the time of one job cannot have a default.
    private static func mayBeDefault(_ option: PrintOption) -> Bool {
        !["page-ranges", "job-hold-until", "job-retain-until"].contains(option.name)
    }

    // MARK: - Values

    private static func refusal(_ attribute: Attribute, _ message: String) -> IPPFailure {
        // Omit a secret value from the error.
        let isSecret = attribute.name == "printq-device-password"
        return IPPFailure(
            .clientErrorAttributesOrValuesNotSupported, message,
            unsupported: [isSecret ? Attribute(attribute.name, .outOfBand(.unsupported)) : attribute])
    }

    private static func text(_ attribute: Attribute) throws(IPPFailure) -> String {
        guard attribute.values.count == 1, let text = attribute.stringValue else {
            throw refusal(attribute, "\(attribute.name) requires one text value")
        }
        return text
    }

    /// Returns a `geo` URI (RFC 5870), or an empty text.
    private static func geoURI(_ attribute: Attribute) throws(IPPFailure) -> String {
        let text = try text(attribute)
        guard text.isEmpty || text.hasPrefix("geo:") && text.utf8.count <= 1023 else {
            throw refusal(attribute, "\(attribute.name) must be a geo URI such as geo:48.2,16.37")
        }
        return text
    }

    /// Returns a name for DNS-SD (RFC 6763 §4.1.1), or an empty text.
    private static func serviceName(_ attribute: Attribute) throws(IPPFailure) -> String {
        let text = try text(attribute)
        guard text.utf8.count <= 63, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw refusal(attribute, "\(attribute.name) must be a name of at most 63 bytes without control characters")
        }
        return text
    }

    /// Returns the users or the networks in an attribute, or the word `all` or `none`.
    private static func names(_ attribute: Attribute, of list: PolicyList) throws(IPPFailure) -> [String] {
        let names = attribute.values.compactMap(\.stringValue)
        guard !names.isEmpty, names.count == attribute.values.count else {
            throw refusal(attribute, "\(attribute.name) requires names of \(list.kind.rawValue)")
        }
        if names.count > 1, let word = names.first(where: { $0 == "all" || $0 == "none" }) {
            throw refusal(attribute, "'\(word)' cannot be combined with other names")
        }
        if list.kind == .networks {
            guard let odd = names.first(where: { !["all", "none"].contains($0) && IPNetwork($0) == nil }) else {
                return names
            }
            throw refusal(attribute, "'\(odd)' is no network; use an address or a network such as 192.0.2.0/24")
        }
        if let odd = names.first(where: { !isUserOrGroup($0) }) {
            throw refusal(attribute, "'\(odd)' is neither a user name nor a group name that starts with @")
        }
        return names
    }

    /// Returns whether a name is a valid user or group name, such as `anna`, `@staff` or `@domain users`.
    private static func isUserOrGroup(_ name: String) -> Bool {
        let word = name.hasPrefix("@") ? name.dropFirst() : name[...]
        return !word.isEmpty && word.first != " " && word.last != " "
            && !word.unicodeScalars.contains {
                $0 != " " && $0.properties.isWhitespace || $0.value < 32 || $0 == ","
            }
    }

    private static func flag(_ attribute: Attribute) throws(IPPFailure) -> Bool {
        if attribute.values.count == 1 {
            if case .boolean(let flag)? = attribute.first { return flag }
            // lpadmin -o NAME=VALUE sends unknown attributes as names.
            if let flag = ["true": true, "yes": true, "false": false, "no": false][attribute.stringValue ?? ""] {
                return flag
            }
        }
        throw refusal(attribute, "\(attribute.name) must be true or false")
    }

    private static func isPaused(_ attribute: Attribute) throws(IPPFailure) -> Bool {
        switch attribute.first?.intValue.flatMap({ PrinterState(rawValue: Int($0)) }) {
        case .idle: return false
        case .stopped: return true
        case .processing, nil: throw refusal(attribute, "printer-state must be idle (3) or stopped (5)")
        }
    }

    private static func policy(_ attribute: Attribute) throws(IPPFailure) -> ConfiguredPrinter.ErrorPolicy {
        guard let policy = ConfiguredPrinter.ErrorPolicy(attribute: attribute) else {
            let names = ConfiguredPrinter.ErrorPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(attribute, "printer-error-policy must be \(names)")
        }
        return policy
    }

    private static func afterInterruption(_ attribute: Attribute) throws(IPPFailure)
        -> ConfiguredPrinter.AfterInterruption
    {
        guard attribute.values.count == 1, let name = attribute.first?.optionText,
            let setting = ConfiguredPrinter.AfterInterruption(rawValue: name)
        else {
            let names = ConfiguredPrinter.AfterInterruption.allCases.map(\.rawValue)
            throw refusal(attribute, "printq-after-interruption must be \(names.alternatives)")
        }
        return setting
    }

    private static func checkedURI(_ attribute: Attribute) throws(IPPFailure) -> String {
        let text = try text(attribute)
        do throws(DeviceURI.Problem) {
            return try DeviceURI(text).description
        } catch {
            throw refusal(attribute, error.description)
        }
    }
}

extension ConfiguredPrinter.ErrorPolicy {
    /// Creates the policy from `printer-error-policy`.
    ///
    /// The policy `retry-current-job` of cupsd becomes `retry-job`. The two policies have the same effect in printq,
    /// because the jobs of a printer never change their order.
    init?(attribute: Attribute) {
        guard attribute.values.count == 1, let name = attribute.stringValue else { return nil }
        self.init(rawValue: name == "retry-current-job" ? Self.retryJob.rawValue : name)
    }

    /// The printer attributes with the current error policy and with the supported error policies, as in CUPS.
    package var attributes: [Attribute] {
        [
            Attribute("printer-error-policy", .name(rawValue)),
            Attribute("printer-error-policy-supported", Self.allCases.map { .name($0.rawValue) }),
        ]
    }
}

extension ConfiguredPrinter.AfterInterruption {
    /// The setting as the printer attribute `printq-after-interruption`.
    package var attribute: Attribute { Attribute("printq-after-interruption", .keyword(rawValue)) }
}
