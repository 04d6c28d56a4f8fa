// The users and groups of this machine.

import AsyncPrimitives
import Glibc
package import IPP

/// The error of a name service that does not know at the moment whether an account or a group exists.
///
/// A missing account is not an error. Without this difference, an outage of a directory server would make the jobs of
/// its users belong to names such as `uid-1000`.
public struct NameServiceError: Error, Hashable, CustomStringConvertible {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The error message.
    public var description: String {
        "the name service of this machine cannot look up the user (\(String(cString: strerror(number)))); try again later"
    }
}

extension NameServiceError: ServiceError {
    package var status: Status { .serverErrorTemporaryError }
    package var message: String { description }
}

/// The accounts of this machine (NSS).
///
/// The lookups do not block the threads that serve clients.
///
/// A lookup can query a network server and take long. Lookups run on at most ``mostThreads`` dedicated threads. Results
/// are cached for ``lifetime``. Concurrent lookups of the same account share one result. Errors are not cached.
public final class UserAccounts: Sendable {
    /// The accounts of this machine.
    package static let system = UserAccounts()

    /// The functions can block.
    package struct LookUp: Sendable {
        /// The function returns `nil` if no account has the user ID.
        package var name: @Sendable (_ uid: UInt32) throws(NameServiceError) -> String?
        package var isMember: @Sendable (_ user: String, _ group: String) throws(NameServiceError) -> Bool
        package var exists: @Sendable (_ user: String) throws(NameServiceError) -> Bool

        package init(
            name: @escaping @Sendable (_ uid: UInt32) throws(NameServiceError) -> String?,
            isMember: @escaping @Sendable (_ user: String, _ group: String) throws(NameServiceError) -> Bool,
            exists: @escaping @Sendable (_ user: String) throws(NameServiceError) -> Bool = { _ in false }
        ) {
            self.name = name
            self.isMember = isMember
            self.exists = exists
        }
    }

    private enum Question: Hashable {
        case name(UInt32)
        case membership(user: String, group: String)
        case existence(user: String)
    }

    private enum Answer {
        case name(String?)
        case membership(Bool)
        case existence(Bool)
        case failed(NameServiceError)

        var isFailure: Bool { if case .failed = self { true } else { false } }
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
    /// - Parameter lifetime: The time for which a result is cached.
    package init(
        lifetime: Duration = UserAccounts.lifetime, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        lookUp: LookUp = .system
    ) {
        answers = LookUpCache(
            lifetime: lifetime, mostKnown: Self.mostKnown, mostThreads: Self.mostThreads, now: now,
            keeps: { !$0.isFailure }
        ) { question in
            do throws(NameServiceError) {
                switch question {
                case .name(let uid): return .name(try lookUp.name(uid))
                case .membership(let user, let group): return .membership(try lookUp.isMember(user, group))
                case .existence(let user): return .existence(try lookUp.exists(user))
                }
            } catch {
                return .failed(error)
            }
        }
    }

    /// Returns the name of a user, or a name such as `uid-1000` if no account has the user ID.
    package func name(of uid: UInt32) async throws(NameServiceError) -> String {
        switch await answers.answer(to: .name(uid)) {
        case .name(let name?): return name
        case .failed(let error): throw error
        case .name(nil), .membership, .existence: return "uid-\(uid)"
        }
    }

    /// A user is a member if the group lists the user, or if the group is the user's primary group.
    package func isMember(_ user: String, ofGroup group: String) async throws(NameServiceError) -> Bool {
        switch await answers.answer(to: .membership(user: user, group: group)) {
        case .membership(let isMember): return isMember
        case .failed(let error): throw error
        case .name, .existence: return false
        }
    }

    /// Returns whether this machine has an account with the given name.
    package func hasAccount(named name: String) async throws(NameServiceError) -> Bool {
        switch await answers.answer(to: .existence(user: name)) {
        case .existence(let exists): return exists
        case .failed(let error): throw error
        case .name, .membership: return false
        }
    }

    package func user(_ uid: UInt32, claimedName: String?) async throws(NameServiceError) -> LocalUser {
        var name = try await name(of: uid)
        // The name `anonymous` is reserved for clients without a proven identity.
        if name == AnonymousClient.name { name = "uid-\(uid)" }
        var isAdministrator = uid == 0 || uid == geteuid()
        if !isAdministrator { isAdministrator = try await isMember(name, ofGroup: "lpadmin") }
        return LocalUser(name: name, isAdministrator: isAdministrator, claimedName: claimedName)
    }
}

extension UserAccounts {
    /// Looks up the name of a user without the cache.
    ///
    /// The result is a name such as `uid-1000` if no account has the user ID, or if the lookup fails.
    ///
    /// The lookup can block.
    package static func name(of uid: UInt32) -> String {
        guard let name = try? LookUp.name(of: uid) else { return "uid-\(uid)" }
        return name
    }
}

extension UserAccounts.LookUp {
    /// The lookup functions of this machine's name service.
    package static let system = UserAccounts.LookUp(
        name: { (uid) throws(NameServiceError) in try name(of: uid) },
        isMember: { (user, group) throws(NameServiceError) in try isMember(user, ofGroup: group) },
        exists: { (user) throws(NameServiceError) in try primaryGroup(of: user) != nil })

    fileprivate static func name(of uid: UInt32) throws(NameServiceError) -> String? {
        try look { buffer, size in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwuid_r(uid, &entry, buffer, size, &found)
            return (error, found == nil ? nil : entry.pw_name.map { String(cString: $0) })
        }
    }

    private static func isMember(_ user: String, ofGroup name: String) throws(NameServiceError) -> Bool {
        let primaryGroup = try primaryGroup(of: user)
        let isMember: Bool? = try look { buffer, size in
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            let error = getgrnam_r(name, &entry, buffer, size, &found)
            guard found != nil else { return (error, nil) }
            return (error, entry.gr_gid == primaryGroup || contains(user, entry.gr_mem))
        }
        return isMember ?? false
    }

    /// Returns `nil` if there is no account with the name.
    private static func primaryGroup(of user: String) throws(NameServiceError) -> gid_t? {
        try look { buffer, size in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let error = getpwnam_r(user, &entry, buffer, size, &found)
            return (error, found == nil ? nil : entry.pw_gid)
        }
    }

    private static func contains(_ user: String, _ names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Bool {
        var member = names
        while let current = member?.pointee {
            if String(cString: current) == user { return true }
            member = member?.advanced(by: 1)
        }
        return false
    }

    /// Calls a lookup function of glibc, with a larger buffer if the entry does not fit.
    ///
    /// - Parameter call: A function that returns the error number of the lookup and the result; nil if there is no
    ///   entry.
    package static func look<Value>(
        _ call: (UnsafeMutablePointer<CChar>, _ size: Int) -> (error: Int32, result: Value?)
    ) throws(NameServiceError) -> Value? {
        BlockingCall.check()
        var size = 16 << 10
        while true {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            let (error, result) = call(buffer, size)
            switch error {
            // The numbers for a missing entry (getpwuid_r(3)).
            case 0, ENOENT, ESRCH: return result
            case EINTR: continue
            case ERANGE where size < mostBytes: size *= 4
            default: throw NameServiceError(number: error)
            }
        }
    }

    /// The maximum size of an entry in bytes, for a group with hundred thousands of members.
    private static let mostBytes = 16 << 20
}
