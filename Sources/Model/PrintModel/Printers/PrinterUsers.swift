// Defines which users may print on a printer.

/// The users who may print on a printer (CUPS `requesting-user-name-allowed`, `requesting-user-name-denied`).
///
///     PrinterUsers.allowed(["anna", "@staff"]).admit("ben") { $0 == "staff" }      // true: a member of the group
///
/// Names are user names, or group names after an `@`. As in CUPS, case is ignored, and no user is exempt.
public enum PrinterUsers: Hashable, Sendable {
    /// Only the listed users; the name `all` alone means all users.
    case allowed([String])
    /// All users except the listed users; the name `none` alone means all users.
    case denied([String])

    /// All users may print.
    public static let everybody = PrinterUsers.denied([])

    /// Creates the allowed users from user input (`lpadmin -u allow:…`).
    ///
    /// `all` alone means all users, and `none` alone means no user.
    public init(allowing words: [String]) {
        switch words {
        case ["all"]: self = .everybody
        case ["none"]: self = .allowed([])
        default: self = .allowed(words)
        }
    }

    /// Creates the denied users from user input (`lpadmin -u deny:…`).
    ///
    /// `none` alone means no user, and `all` alone means all users.
    public init(denying words: [String]) {
        switch words {
        case ["none"]: self = .everybody
        case ["all"]: self = .allowed([])
        default: self = .denied(words)
        }
    }

    /// Whether all users may print.
    public var areEverybody: Bool {
        switch self {
        case .allowed(let names): names == ["all"]
        case .denied(let names): names.isEmpty || names == ["none"]
        }
    }

    /// Returns whether a user may print.
    ///
    /// - Parameter isMember: Returns whether the user is a member of a group; called only if groups are listed.
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

    /// Decodes `{"allowed": ["anna"]}` or `{"denied": ["ben"]}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let names = try values.decodeIfPresent([String].self, forKey: .allowed) {
            self = .allowed(names)
        } else {
            self = .denied(try values.decode([String].self, forKey: .denied))
        }
    }

    /// Encodes the format that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .allowed(let names): try values.encode(names, forKey: .allowed)
        case .denied(let names): try values.encode(names, forKey: .denied)
        }
    }
}
