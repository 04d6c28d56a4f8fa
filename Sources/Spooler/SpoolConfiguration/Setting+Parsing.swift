// Reads the values of settings from JSON5 and from command lines.

import PrintModel

extension Setting {
    /// Returns the setting's value from a JSON5 value in a configuration file.
    ///
    /// The JSON5 value `null` means the default.
    ///
    /// - Throws: The reason why the value is invalid.
    package func value(of node: JSON5Node) throws(SettingProblem) -> SettingValue {
        switch (kind, node.content) {
        case (_, .null): return standard
        case (.integer(let range), .number(let number)):
            guard let whole = Int(exactly: number), range.contains(whole) else { throw invalid(node) }
            return .integer(whole)
        case (.number(let range), .number(let number)):
            guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else { throw invalid(node) }
            return .number(number)
        case (.boolean, .bool(let isOn)), (.documentKeeping, .bool(let isOn)), (.certificate, .bool(let isOn)):
            return .bool(isOn)
        case (.documentKeeping, .number(let days)):
            guard let days = Int(exactly: days), (0...36_500).contains(days) else { throw invalid(node) }
            return .integer(days)
        case (.certificate, .object(let members)): return try files(members, node)
        case (.choice(let names), .string(let text)):
            guard names.contains(text) else { throw invalid(node) }
            return .text(text)
        case (.address, .string(let text)): return .text(try address(text))
        case (.addresses, .array(let nodes)), (.networks, .array(let nodes)), (.hostNames, .array(let nodes)),
            (.texts, .array(let nodes)), (.choices, .array(let nodes)):
            if case .choices = kind, nodes.isEmpty { throw invalid(node) }
            return .list(try nodes.map { (element) throws(SettingProblem) in try self.element(element) })
        case (.cupsServer, .string(let text)), (.speed, .string(let text)):
            guard kind == .speed ? Self.isSpeed(text) : Self.isCUPSServer(text) else { throw invalid(node) }
            return .text(text)
        case (.database, .string(let text)):
            guard Self.isDatabase(text) else { throw invalid(node) }
            return .text(text)
        case (.host, .string(let text)):
            guard Self.isHostName(text) else { throw invalid(node) }
            return .text(text)
        case (.realm, .string(let text)):
            guard text.isEmpty || Self.isHostName(text) && IPNetwork(address: text) == nil else { throw invalid(node) }
            return .text(text)
        case (.issuer, .string(let text)):
            guard let address = HTTPSAddress(text), !address.path.contains("?") else { throw invalid(node) }
            return .text(text)
        case (.fileOrAddress, .string(let text)) where text.contains("://"):
            guard HTTPSAddress(text) != nil else { throw invalid(node) }
            return .text(text)
        case (.file, .string(let text)), (.folder, .string(let text)), (.user, .string(let text)),
            (.text, .string(let text)), (.fileOrAddress, .string(let text)):
            guard !text.isEmpty, !text.utf8.contains(0) else { throw invalid(node) }
            return .text(text)
        default: throw invalid(node)
        }
    }

    /// Returns the setting's value from a command-line argument, which is JSON5 or text without quotes.
    ///
    /// The argument `null` results in `none`, so that the default applies.
    ///
    /// - Throws: The reason why the argument is invalid.
    package func value(ofArgument argument: String) throws(SettingProblem) -> SettingValue {
        let isText =
            switch kind {
            case .choice, .address, .cupsServer, .database, .host, .file, .folder, .speed, .user, .text, .issuer,
                .fileOrAddress, .realm:
                true
            case .integer, .number, .boolean, .documentKeeping, .certificate, .addresses, .networks, .hostNames,
                .texts, .choices:
                false
            }
        if let document = try? JSON5Document(argument) {
            switch document.root.content {
            case .null: return .none
            case .string: return try value(of: document.root)
            default: if !isText { return try value(of: document.root) }
            }
        }
        // An address, a path and a keyword are seldom written with quotes on a command line.
        return try value(of: JSON5Node(content: .string(argument), range: 0..<argument.utf8.count))
    }

    /// Returns the value of a list from its elements.
    ///
    /// - Throws: The reason why an element is invalid.
    package func value(ofElements texts: [String]) throws(SettingProblem) -> SettingValue {
        let nodes = texts.map { JSON5Node(content: .string($0), range: 0..<$0.utf8.count) }
        return try value(of: JSON5Node(content: .array(nodes), range: 0..<0))
    }

    /// Returns an element of a list.
    private func element(_ node: JSON5Node) throws(SettingProblem) -> String {
        guard case .string(let text) = node.content else { throw invalid(node) }
        let isValid =
            switch kind {
            case .addresses: TCPAddress(text)?.isNumeric ?? false
            case .networks: IPNetwork(text) != nil
            case .texts: !text.isEmpty
            case .choices(let names): names.contains(text)
            default: Self.isHostName(text) || IPNetwork(address: text) != nil
            }
        guard isValid else { throw invalid(node) }
        return text
    }

    private func invalid(_ node: JSON5Node) -> SettingProblem {
        let shown: String =
            switch node.content {
            // The URI of a database might contain a password.
            case .string where kind == .database: ""
            case .string(let text): " '\(text.prefix(100))'"
            case .number(let number): " \(SettingValue.number(number).literal)"
            case .bool(let isOn): " \(isOn)"
            case .null, .array, .object: ""
            }
        return SettingProblem("invalid value\(shown) for \(key): must be \(range)")
    }

    private func files(_ members: [JSON5Node.Member], _ node: JSON5Node) throws(SettingProblem) -> SettingValue {
        var paths: [String: String] = [:]
        for member in members {
            guard ["certificate", "key"].contains(member.key) else {
                throw SettingProblem(
                    UnknownSetting.message(member.key, in: ["certificate", "key"]), offset: member.keyRange.lowerBound)
            }
            switch member.value.content {
            case .string(let path) where !path.isEmpty && !path.utf8.contains(0): paths[member.key] = path
            case .null: paths[member.key] = nil
            default:
                throw SettingProblem(
                    "\(key).\(member.key) has a value of the wrong type: must be the path of a file",
                    offset: member.value.range.lowerBound)
            }
        }
        guard let certificate = paths["certificate"] else {
            throw SettingProblem("\(key) has no certificate; the value must be {certificate: FILE, key: FILE}")
        }
        return .files(certificate: certificate, key: paths["key"] ?? certificate)
    }

    /// Checks that a text is a TCP address of the loopback interface, and returns the text.
    ///
    /// Clients on the network need the listeners of `network.listen`, which require TLS and a token.
    private func address(_ text: String) throws(SettingProblem) -> String {
        guard let address = TCPAddress(text) else {
            throw SettingProblem("invalid value '\(text.prefix(100))' for \(key): must be HOST:PORT")
        }
        guard address.isLoopback else { throw SettingProblem(TCPAddress.onlyLoopback(text)) }
        return text
    }

    /// Returns whether a text is a URI of a PostgreSQL database without a password.
    private static func isDatabase(_ text: String) -> Bool {
        guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix), !text.utf8.contains(0) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        return !user.contains(":") && !rest.lowercased().contains("password=")
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }

    /// Returns whether the text is `HOST[:PORT]` or the path of a socket.
    private static func isCUPSServer(_ text: String) -> Bool {
        if text.hasPrefix("/") { return text.utf8.count < 108 && !text.utf8.contains(0) }
        return !text.isEmpty && !text.hasPrefix(":") && !text.utf8.contains { $0 <= 32 }
    }

    /// Returns whether the text is a valid speed for simulated printers.
    private static func isSpeed(_ text: String) -> Bool {
        if text == "instant" { return true }
        let digits = text.hasPrefix("×") || text.hasPrefix("x") ? text.dropFirst() : Substring(text)
        return Double(digits).map { (0.01...10_000).contains($0) } ?? false
    }
}

/// A namespace for the messages about unknown keys.
enum UnknownSetting {
    /// Returns the message for an unknown key.
    ///
    /// The message suggests the most similar key. If no key is similar, the message lists all keys.
    static func message(_ key: String, in known: [String]) -> String {
        let unknown = "unknown setting '\(key.prefix(100))'"
        if let nearest = NearestName.of(key, in: known) { return "\(unknown); did you mean '\(nearest)'?" }
        return "\(unknown); use \(known.joined(separator: ", "))"
    }
}
