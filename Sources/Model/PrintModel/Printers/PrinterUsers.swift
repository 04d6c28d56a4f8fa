// Defines which users may print on a printer.

/// The users who are allowed to print on a printer (CUPS `requesting-user-name-allowed`,
/// `requesting-user-name-denied`).
///
///     PrinterUsers.allowed(["anna", "@staff"]).admit("ben") { $0 == "staff" }      // true: a member of the group
///
/// A name is a user name, or a group name after an `@`. Names match exactly, as the owners of jobs do: on Linux, `anna`
/// and `Anna` are two users. As in CUPS, the rule applies to every user, including administrators.
public enum PrinterUsers: Hashable, Sendable {
    /// Access only for the listed users. If the list contains only `all`, all users have access.
    case allowed([String])
    /// Access for all users except the listed users. If the list contains only `none`, all users have access.
    case denied([String])

    package static let everybody = PrinterUsers.denied([])

    /// Creates the allowed users from user input (`lpadmin -u allow:…`).
    ///
    /// If the input is only `all`, all users have access. If the input is only `none`, no user has access.
    package init(allowing words: [String]) {
        switch words {
        case ["all"]: self = .everybody
        case ["none"]: self = .allowed([])
        default: self = .allowed(words)
        }
    }

    /// Creates the denied users from user input (`lpadmin -u deny:…`).
    ///
    /// If the input is only `none`, all users have access. If the input is only `all`, no user has access.
    package init(denying words: [String]) {
        switch words {
        case ["none"]: self = .everybody
        case ["all"]: self = .allowed([])
        default: self = .denied(words)
        }
    }

    package var areEverybody: Bool {
        switch self {
        case .allowed(let names): names == ["all"]
        case .denied(let names): names.isEmpty || names == ["none"]
        }
    }

    /// Returns whether a user is allowed to print.
    ///
    /// - Parameter isMember: A function that returns whether the user is a member of the given group. The function is
    ///   called only if groups are listed.
    package func admit(_ user: String, isMember: (String) -> Bool) -> Bool {
        if areEverybody { return true }
        func areNamed(_ names: [String]) -> Bool {
            names.contains { name in name.hasPrefix("@") ? isMember(String(name.dropFirst())) : name == user }
        }
        return switch self {
        case .allowed(let names): areNamed(names)
        case .denied(let names): !areNamed(names)
        }
    }
}

extension PrinterUsers: Codable {
    private enum Keys: String, CodingKey { case allowed, denied }

    /// Decodes the users from `{"allowed": ["anna"]}` or `{"denied": ["ben"]}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let names = try values.decodeIfPresent([String].self, forKey: .allowed) {
            self = .allowed(names)
        } else {
            self = .denied(try values.decode([String].self, forKey: .denied))
        }
    }

    /// Encodes the users in the format that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .allowed(let names): try values.encode(names, forKey: .allowed)
        case .denied(let names): try values.encode(names, forKey: .denied)
        }
    }
}
