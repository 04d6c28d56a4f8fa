// The users and groups of this machine.

import AsyncPrimitives
import Glibc

/// The accounts of this machine (NSS).
///
/// The lookups do not block the threads that serve clients.
///
/// A lookup can query a network server and take long. Lookups run on at most ``mostThreads`` dedicated threads. Results
/// are cached for ``lifetime``. Concurrent lookups of the same account share one result.
public final class UserAccounts: Sendable {
    /// The accounts of this machine.
    public static let system = UserAccounts()

    /// The functions that look up accounts.
    ///
    /// The functions can block.
    package struct LookUp: Sendable {
        /// The function that returns the name of a user.
        ///
        /// The function returns `nil` if no account has the user ID.
        package var name: @Sendable (_ uid: UInt32) -> String?
        /// The function that returns whether a user is a member of a group.
        package var isMember: @Sendable (_ user: String, _ group: String) -> Bool

        /// Creates lookups with the given functions.
        package init(
            name: @escaping @Sendable (_ uid: UInt32) -> String?,
            isMember: @escaping @Sendable (_ user: String, _ group: String) -> Bool
        ) {
            self.name = name
            self.isMember = isMember
        }
    }

    private enum Question: Hashable {
        case name(UInt32)
        case membership(user: String, group: String)
    }

    private enum Answer {
        case name(String?)
        case membership(Bool)
    }

    /// The maximum number of concurrent lookups.
    package static let mostThreads = 8
    /// The maximum number of results in the cache.
    private static let mostKnown = 10_000

    /// The time for which a result is cached, in which a new group membership may be unknown.
    package static let lifetime = Duration.seconds(5)

    private let answers: LookUpCache<Question, Answer>

    /// Creates accounts with the given lookup functions.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a result is cached.
    ///   - now: A function that returns the current time.
    package init(
        lifetime: Duration = UserAccounts.lifetime, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        lookUp: LookUp = .system
    ) {
        answers = LookUpCache(
            lifetime: lifetime, mostKnown: Self.mostKnown, mostThreads: Self.mostThreads, now: now
        ) { question in
            switch question {
            case .name(let uid): .name(lookUp.name(uid))
            case .membership(let user, let group): .membership(lookUp.isMember(user, group))
            }
        }
    }

    /// Returns the name of a user, or a name such as `uid-1000` if no account has the user ID.
    public func name(of uid: UInt32) async -> String {
        guard case .name(let name?) = await answers.answer(to: .name(uid)) else { return "uid-\(uid)" }
        return name
    }

    /// Returns whether a user is a member of a group.
    ///
    /// A user is a member if the group lists the user, or if the group is the user's primary group.
    public func isMember(_ user: String, ofGroup group: String) async -> Bool {
        let answer = await answers.answer(to: .membership(user: user, group: group))
        guard case .membership(let isMember) = answer else { return false }
        return isMember
    }

    /// Returns the name and the rights of the user with the given user ID.
    package func user(_ uid: UInt32, claimedName: String?) async -> LocalUser {
        var name = await name(of: uid)
        // The name `anonymous` is reserved for clients without a proven identity.
        if name == AnonymousClient.name { name = "uid-\(uid)" }
        var isAdministrator = uid == 0 || uid == geteuid()
        if !isAdministrator { isAdministrator = await isMember(name, ofGroup: "lpadmin") }
        return LocalUser(name: name, isAdministrator: isAdministrator, claimedName: claimedName)
    }
}

extension UserAccounts {
    /// Looks up the name of a user without the cache.
    ///
    /// The result is a name such as `uid-1000` if no account has the user ID.
    ///
    /// The lookup can block.
    package static func name(of uid: UInt32) -> String { LookUp.name(of: uid) ?? "uid-\(uid)" }
}

extension UserAccounts.LookUp {
    /// The lookup functions of this machine's name service.
    package static let system = UserAccounts.LookUp(name: { name(of: $0) }, isMember: { isMember($0, ofGroup: $1) })

    fileprivate static func name(of uid: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }

    private static func isMember(_ user: String, ofGroup name: String) -> Bool {
        var account = passwd()
        var foundAccount: UnsafeMutablePointer<passwd>?
        var accountBuffer = [CChar](repeating: 0, count: 16384)
        let isKnown =
            getpwnam_r(user, &account, &accountBuffer, accountBuffer.count, &foundAccount) == 0 && foundAccount != nil
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65536)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return false }
        if isKnown, entry.gr_gid == account.pw_gid { return true }
        var member = entry.gr_mem
        while let current = member?.pointee {
            if String(cString: current) == user { return true }
            member = member?.advanced(by: 1)
        }
        return false
    }
}
