// Defines lists of allowed or denied users, groups and networks.

/// A list of the users who have a right at a printer (CUPS `requesting-user-name-allowed`,
/// `requesting-user-name-denied`), or of the networks in which clients have the right.
///
///     AccessList.allowed(["anna", "@staff"]).admit("ben") { $0 == "staff" }      // true: a member of the group
///     AccessList.denied(["192.0.2.0/24"]).admits(address: "192.0.2.7")           // false
///
/// A name is a user name, or a group name after an `@`. Names match exactly, as the owners of jobs do: on Linux, `anna`
/// and `Anna` are two users.
public enum AccessList: Hashable, Sendable {
    /// Access only for the listed users. If the list contains only `all`, all users have access.
    case allowed([String])
    /// Access for all users except the listed users. If the list contains only `none`, all users have access.
    case denied([String])

    /// Access for all users, or from all networks.
    public static let everybody = AccessList.denied([])
    /// Access for no user, or from no network.
    public static let nobody = AccessList.allowed([])

    /// Creates the allowed users from user input (`lpadmin -u allow:…`).
    ///
    /// If the input is only `all`, all users have access. If the input is only `none`, no user has access.
    package init(allowing words: [String]) {
        switch words {
        case ["all"]: self = .everybody
        case ["none"]: self = .nobody
        default: self = .allowed(words)
        }
    }

    /// Creates the denied users from user input (`lpadmin -u deny:…`).
    ///
    /// If the input is only `none`, all users have access. If the input is only `all`, no user has access.
    package init(denying words: [String]) {
        switch words {
        case ["none"]: self = .everybody
        case ["all"]: self = .nobody
        default: self = .denied(words)
        }
    }

    package var admitsEverybody: Bool {
        switch self {
        case .allowed(let names): names == ["all"]
        case .denied(let names): names.isEmpty || names == ["none"]
        }
    }

    /// The listed names, whether they are allowed or denied.
    package var names: [String] {
        switch self {
        case .allowed(let names), .denied(let names): names
        }
    }

    /// Returns whether a user has access.
    ///
    /// - Parameter isMember: A function that returns whether the user is a member of the given group. The function is
    ///   called only if groups are listed.
    package func admit(_ user: String, isMember: (String) -> Bool) -> Bool {
        admits { name in name.hasPrefix("@") ? isMember(String(name.dropFirst())) : name == user }
    }

    /// Returns whether clients at a numeric IP address have access, for a list of networks.
    ///
    /// A listed text that is no network matches no address if it is allowed, and every address if it is denied.
    package func admits(address: String) -> Bool {
        let isDenying = if case .denied = self { true } else { false }
        return admits { IPNetwork($0)?.contains(address) ?? isDenying }
    }

    private func admits(_ isNamed: (String) -> Bool) -> Bool {
        if admitsEverybody { return true }
        return switch self {
        case .allowed(let names): names.contains(where: isNamed)
        case .denied(let names): !names.contains(where: isNamed)
        }
    }
}

extension AccessList: Codable {
    private enum Keys: String, CodingKey { case allowed, denied }

    /// Decodes the list from `{"allowed": ["anna"]}` or `{"denied": ["ben"]}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let names = try values.decodeIfPresent([String].self, forKey: .allowed) {
            self = .allowed(names)
        } else {
            self = .denied(try values.decode([String].self, forKey: .denied))
        }
    }

    /// Encodes the list in the format that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .allowed(let names): try values.encode(names, forKey: .allowed)
        case .denied(let names): try values.encode(names, forKey: .denied)
        }
    }
}
