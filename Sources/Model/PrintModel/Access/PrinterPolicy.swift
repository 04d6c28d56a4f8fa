// Defines who has which right at a printer.

/// A right at a printer.
public enum PrinterRight: String, CaseIterable, Hashable, Sendable {
    /// To submit jobs.
    case submit
    /// To see the printer and the jobs of other users.
    case look
    /// To pause and resume the printer, and to see and change all its jobs, as the operation policies of CUPS permit.
    case manage
}

/// The users and the networks that have each right at a printer.
///
///     var policy = PrinterPolicy()
///     policy[PolicyList(.manage, .users)] = .allowed(["@helpdesk"])
///     policy[PolicyList(.submit, .networks)] = .allowed(["192.0.2.0/24"])
///
/// A client needs both: its user must be on the list of users, and its address on the list of networks. Clients of the
/// machine of the server are in all networks. Without other lists, all clients may submit and look, and only
/// administrators manage.
public struct PrinterPolicy: Hashable, Sendable {
    /// The lists that differ from ``PolicyList/standard``.
    private var lists: [PolicyList: AccessList] = [:]

    /// Creates the policy of a printer for which nothing is set.
    package init() {}

    /// The users or networks on a list of the policy.
    public subscript(list: PolicyList) -> AccessList {
        get { lists[list] ?? list.standard }
        set { lists[list] = newValue.isSame(as: list.standard) ? nil : newValue }
    }

    /// Whether nothing is set.
    package var isStandard: Bool { lists.isEmpty }

    /// A policy that gives no right to anybody except administrators.
    package static var nobody: PrinterPolicy {
        var policy = PrinterPolicy()
        for list in PolicyList.allCases where list.kind == .users { policy[list] = .nobody }
        return policy
    }

    /// The names of all groups on the lists of users, without `@`.
    package var groups: Set<String> {
        Set(
            lists.filter { $0.key.kind == .users }.flatMap(\.value.names).filter { $0.hasPrefix("@") }
                .map { String($0.dropFirst()) })
    }

    /// Returns whether a user has a right.
    ///
    /// - Parameters:
    ///   - address: The numeric IP address of a client on the network; nil for a client of this machine.
    ///   - isMember: A function that returns whether the user is a member of the given group.
    package func grants(
        _ right: PrinterRight, to user: String, at address: String?, isMember: (String) -> Bool
    ) -> Bool {
        self[PolicyList(right, .users)].admit(user, isMember: isMember) && admits(address, to: right)
    }

    /// Returns whether clients at an address have a right.
    ///
    /// - Parameter address: The numeric IP address of a client on the network; nil for a client of this machine.
    package func admits(_ address: String?, to right: PrinterRight) -> Bool {
        address.map { self[PolicyList(right, .networks)].admits(address: $0) } ?? true
    }
}

/// One of the lists of a policy, such as the networks in which clients may submit jobs.
public struct PolicyList: Hashable, Sendable, CaseIterable {
    /// What a list contains.
    public enum Kind: String, CaseIterable, Hashable, Sendable { case users, networks }

    /// The right of the users or networks on the list.
    public var right: PrinterRight
    /// Whether the list contains users or networks.
    public var kind: Kind

    /// Creates the list of users or networks that have a right.
    public init(_ right: PrinterRight, _ kind: Kind) { (self.right, self.kind) = (right, kind) }

    /// All lists, in the order of ``PrinterRight``.
    public static let allCases = PrinterRight.allCases.flatMap { right in
        Kind.allCases.map { PolicyList(right, $0) }
    }

    /// The users who may print.
    package static let submitters = PolicyList(.submit, .users)

    /// The name of the list in files and attributes, such as `look-users`.
    package var keyword: String { "\(right.rawValue)-\(kind.rawValue)" }

    /// The list of a printer for which nothing is set.
    package var standard: AccessList { self == PolicyList(.manage, .users) ? .nobody : .everybody }
}

extension AccessList {
    /// Returns whether two lists have the same meaning.
    package func isSame(as other: AccessList) -> Bool {
        self == other || admitsEverybody && other.admitsEverybody
    }
}

extension PrinterPolicy: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes the policy from an object such as `{"denied": ["ben"], "look-users": {"allowed": ["anna"]}}`.
    ///
    /// As in printq 1.0, the object itself is the list of the users who may print.
    public init(from decoder: any Decoder) throws {
        self[.submitters] = try AccessList(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        for list in PolicyList.allCases where list != .submitters {
            guard let found = try values.decodeIfPresent(AccessList.self, forKey: Key(stringValue: list.keyword))
            else { continue }
            self[list] = found
        }
    }

    /// Encodes the policy in the format that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        try self[.submitters].encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        for (list, names) in lists where list != .submitters {
            try values.encode(names, forKey: Key(stringValue: list.keyword))
        }
    }
}
