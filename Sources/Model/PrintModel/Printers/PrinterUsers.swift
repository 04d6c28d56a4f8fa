// Who may print on a printer.

/// Who may print on a printer (CUPS `requesting-user-name-allowed`, `requesting-user-name-denied`).
///
///     PrinterUsers.allowed(["anna", "@staff"]).admit("ben") { $0 == "staff" }      // true: a member of the group
///
/// Names are users', or, after an `@`, groups'. As in CUPS, the case of letters does not count, and nobody is exempt.
public enum PrinterUsers: Hashable, Sendable {
    /// Those named, and nobody else; the word `all` alone means everybody.
    case allowed([String])
    /// Everybody but those named; the word `none` alone means everybody.
    case denied([String])

    /// Everybody may print.
    public static let everybody = PrinterUsers.denied([])

    /// Those whom people say to allow: the word `all` alone is everybody, `none` alone nobody (`lpadmin -u allow:…`).
    public init(allowing words: [String]) {
        switch words {
        case ["all"]: self = .everybody
        case ["none"]: self = .allowed([])
        default: self = .allowed(words)
        }
    }

    /// All but those whom people say to deny: the word `none` alone is nobody, `all` alone everybody (`lpadmin -u deny:…`).
    public init(denying words: [String]) {
        switch words {
        case ["none"]: self = .everybody
        case ["all"]: self = .allowed([])
        default: self = .denied(words)
        }
    }

    /// Whether that is everybody.
    public var areEverybody: Bool {
        switch self {
        case .allowed(let names): names == ["all"]
        case .denied(let names): names.isEmpty || names == ["none"]
        }
    }

    /// Whether a user may print.
    ///
    /// - Parameter isMember: whether the user is a member of a group; asked only when groups are named.
    public func admit(_ user: String, isMember: (String) -> Bool) -> Bool {
        if areEverybody { return true }
        func areNamed(_ names: [String]) -> Bool {
            names.contains { name in
                name.hasPrefix("@") ? isMember(String(name.dropFirst())) : name.lowercased() == user.lowercased()
            }
        }
        return switch self {
        case .allowed(let names): areNamed(names)
        case .denied(let names): !areNamed(names)
        }
    }
}

extension PrinterUsers: Codable {
    private enum Keys: String, CodingKey { case allowed, denied }

    /// Reads `{"allowed": ["anna"]}` or `{"denied": ["ben"]}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let names = try values.decodeIfPresent([String].self, forKey: .allowed) {
            self = .allowed(names)
        } else {
            self = .denied(try values.decode([String].self, forKey: .denied))
        }
    }

    /// Writes the same.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .allowed(let names): try values.encode(names, forKey: .allowed)
        case .denied(let names): try values.encode(names, forKey: .denied)
        }
    }
}
