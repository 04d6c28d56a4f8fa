// The users and groups of this machine.

import Glibc
import Synchronization

/// The accounts of this machine (NSS).
///
/// The lookups do not block the threads that serve clients.
///
/// A lookup can query a network server and take long. Lookups run on at most ``mostThreads`` dedicated threads. Results
/// are cached for 30 seconds. Concurrent lookups of the same account share one result.
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

    private struct State {
        var known: [Question: (answer: Answer, until: ContinuousClock.Instant)] = [:]
        var waiting: [Question: [CheckedContinuation<Answer, Never>]] = [:]
        /// The lookups that wait for a thread, the oldest lookup first.
        var queued: [Question] = []
        var threads = 0
    }

    /// The maximum number of concurrent lookups.
    package static let mostThreads = 8
    /// The maximum number of results in the cache.
    private static let mostKnown = 10_000

    private let lifetime: Duration
    private let lookUp: LookUp
    private let state = Mutex(State())

    /// Creates accounts with the given lookup functions.
    ///
    /// - Parameter lifetime: The time for which a result is cached.
    package init(lifetime: Duration = .seconds(30), lookUp: LookUp = .system) {
        self.lifetime = lifetime
        self.lookUp = lookUp
    }

    /// Returns the name of a user, or a name such as `uid-1000` if no account has the user ID.
    public func name(of uid: UInt32) async -> String {
        guard case .name(let name?) = await answer(.name(uid)) else { return "uid-\(uid)" }
        return name
    }

    /// Returns whether a user is a member of a group.
    ///
    /// A user is a member if the group lists the user, or if the group is the user's primary group.
    public func isMember(_ user: String, ofGroup group: String) async -> Bool {
        guard case .membership(let isMember) = await answer(.membership(user: user, group: group)) else { return false }
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

    // MARK: - Helper functions

    private func answer(_ question: Question) async -> Answer {
        await withCheckedContinuation { continuation in
            let (known, begins) = state.withLock { state -> (Answer?, Bool) in
                if let known = state.known[question], known.until > .now { return (known.answer, false) }
                let isFirst = state.waiting[question] == nil
                state.waiting[question, default: []].append(continuation)
                guard isFirst else { return (nil, false) }
                state.queued.append(question)
                guard state.threads < Self.mostThreads else { return (nil, false) }
                state.threads += 1
                return (nil, true)
            }
            if let known { continuation.resume(returning: known) }
            if begins { beginThread() }
        }
    }

    private func beginThread() {
        let isRunning = DetachedThread.start { [self] in
            while let question = next() { settle(question, ask(question)) }
        }
        // If no thread can be created, do the lookups on this thread.
        if !isRunning { while let question = next() { settle(question, ask(question)) } }
    }

    /// Returns the next waiting lookup, or `nil` if no lookup is waiting.
    ///
    /// If the result is `nil`, the calling thread must end.
    private func next() -> Question? {
        state.withLock { state in
            guard !state.queued.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.queued.removeFirst()
        }
    }

    private func ask(_ question: Question) -> Answer {
        switch question {
        case .name(let uid): .name(lookUp.name(uid))
        case .membership(let user, let group): .membership(lookUp.isMember(user, group))
        }
    }

    private func settle(_ question: Question, _ answer: Answer) {
        let waiting = state.withLock { state in
            if state.known.count >= Self.mostKnown {
                let now = ContinuousClock.now
                state.known = state.known.filter { $0.value.until > now }
                if state.known.count >= Self.mostKnown { state.known.removeAll() }
            }
            state.known[question] = (answer, .now + lifetime)
            return state.waiting.removeValue(forKey: question) ?? []
        }
        for continuation in waiting { continuation.resume(returning: answer) }
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

/// A namespace for the function that starts detached threads.
private enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// Returns `false` if the thread cannot be created.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Work {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let work = Unmanaged.passRetained(Work(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        var thread = pthread_t()
        let error = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if error != 0 { work.release() }
        return error == 0
    }
}
