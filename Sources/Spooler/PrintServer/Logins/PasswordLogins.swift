// Checks the passwords of users on the network.

import AsyncPrimitives
package import Logging
package import PrintIPP
package import PrintModel
import PrintSpool
import Synchronization

/// The answer about a password of an account of this machine.
package enum MachineAnswer: Equatable, Sendable {
    case right, wrong
    /// The password cannot be checked now, for the given reason.
    case unavailable(String)
}

/// The check of the passwords of users on the network.
///
/// A check computes a slow hash, on at most two threads. If there is no user with the name, the accounts of this machine
/// can be asked, on four other threads. A correct password is accepted for a minute without another
/// check, so that a client with many requests pays once. The spool is read for each request: a removed user and an old
/// password are refused at once.
package final class PasswordLogins: Sendable {
    /// A password of a client that is checked.
    ///
    /// Attempts are equal if the address, the name, the password and the stored hash are equal.
    private struct Attempt: Hashable, Sendable {
        var login: LoginBudget.Login
        /// The digest of the attempt, with a random key: the cache contains no password.
        var digest: String
        var work: Work

        static func == (left: Attempt, right: Attempt) -> Bool { left.digest == right.digest }
        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    /// What proves a password.
    private enum Proof: Sendable {
        /// The stored hash; nil for a user that does not exist.
        case hash(String?)
        /// The account of this machine with the given name.
        case account(String, address: String)
    }

    /// The check of an attempt, which forgets the password after the check.
    private final class Work: Sendable {
        private let password: Mutex<String?>
        private let proof: Proof

        init(_ password: String, _ proof: Proof) {
            self.password = Mutex(password)
            self.proof = proof
        }

        func take() -> (password: String, proof: Proof) { (password.withLock { $0.take() } ?? "", proof) }
    }

    private enum Verdict: Equatable, Sendable {
        case right, wrong
        case refused(Duration)
        case unavailable(String)
    }

    package typealias Verify = @Sendable (_ password: String, _ hash: String?) -> Bool
    package typealias AskMachine = @Sendable (_ name: String, _ password: String, _ address: String) -> MachineAnswer

    /// The time for which a correct password is accepted without another check.
    package static let lifetime = Duration.seconds(60)
    /// The time for which the same wrong password is refused without another check, and does not count as a guess.
    ///
    /// libcups sends a wrong password several times, and other clients send a saved password again and again.
    package static let repetition = Duration.seconds(10)
    /// The maximum number of hashes that are computed at the same time.
    private static let mostThreads = 2
    /// The maximum number of accounts that are asked at the same time; PAM can wait for other servers.
    private static let mostAccounts = 4
    private static let mostKnown = 1000

    private let checks: LookUpCache<Attempt, Verdict>
    private let accountChecks: LookUpCache<Attempt, Verdict>
    private let acceptsMachineAccounts: @Sendable () -> Bool
    private let budget: Budget
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The digests of the last wrong attempts, with the times of their checks.
    private let wrong = Mutex<[String: ContinuousClock.Instant]>([:])
    private let logger: Logger
    private let leastTime: Duration
    private let key: [UInt8]

    /// The budget, with the clock and the log.
    private final class Budget: Sendable {
        private let passwords = Mutex(LoginBudget())
        private let tokens = Mutex(LoginBudget())
        private let now: @Sendable () -> LoginBudget.Instant

        init(now: @escaping @Sendable () -> LoginBudget.Instant) { self.now = now }

        func delay(of login: LoginBudget.Login) -> Duration { passwords.withLock { $0.delay(of: login, at: now()) } }
        func fail(_ login: LoginBudget.Login) { passwords.withLock { $0.fail(login, at: now()) } }
        func succeed(_ login: LoginBudget.Login) { passwords.withLock { $0.succeed(login, at: now()) } }

        /// Counts a request with an unknown token, and returns the time until the next such request is checked.
        ///
        /// A client with an old token does not reduce the budget of passwords: it guesses nothing.
        func countToken(from address: String) -> Duration {
            // All tokens of an address count together, and no user is slowed down.
            let login = LoginBudget.Login(address: address, user: address)
            return tokens.withLock { tokens in
                let delay = tokens.delay(of: login, at: now())
                if delay == .zero { tokens.fail(login, at: now()) }
                return delay
            }
        }
    }

    /// Creates a check without earlier logins.
    ///
    /// - Parameters:
    ///   - logger: The log of wrong passwords.
    ///   - leastTime: The least time of a wrong login: PAM answers faster for names without an account, and the time
    ///     must not tell which names exist.
    ///   - now: A function that returns the current time.
    ///   - acceptsMachineAccounts: Whether the accounts of this machine are asked about names without a user. The
    ///     closure is called for each request.
    ///   - machine: A function that asks about the password of an account. The function can block.
    ///   - verify: A function that returns whether a password has a hash, in the same time for a hash that is nil. The
    ///     function can block.
    package init(
        logger: Logger = Logger(label: "printd"), leastTime: Duration = .milliseconds(250),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        acceptsMachineAccounts: @autoclosure @escaping @Sendable () -> Bool = false,
        machine: @escaping AskMachine = { _, _, _ in .wrong },
        verify: @escaping Verify = { Yescrypt.matches($0, $1) }
    ) {
        var random = SystemRandomNumberGenerator()
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        let budget = Budget(now: now)
        (self.budget, self.now, self.logger, self.leastTime) = (budget, now, logger, leastTime)
        self.acceptsMachineAccounts = acceptsMachineAccounts
        func cache(threads: Int) -> LookUpCache<Attempt, Verdict> {
            LookUpCache(
                lifetime: Self.lifetime, mostKnown: Self.mostKnown, mostThreads: threads, now: now,
                keeps: { $0 == .right }, lookUp: check)
        }
        @Sendable func check(_ attempt: Attempt) -> Verdict {
            // Earlier attempts may have failed while this attempt waited for a thread.
            let delay = budget.delay(of: attempt.login)
            guard delay == .zero else { return .refused(delay) }
            let (password, proof) = attempt.work.take()
            let answer: MachineAnswer =
                switch proof {
                case .hash(let hash): verify(password, hash) ? .right : .wrong
                case .account(let name, let address): machine(name, password, address)
                }
            switch answer {
            case .right:
                budget.succeed(attempt.login)
                return .right
            case .wrong:
                budget.fail(attempt.login)
                return .wrong
            case .unavailable(let reason): return .unavailable(reason)
            }
        }
        (checks, accountChecks) = (cache(threads: Self.mostThreads), cache(threads: Self.mostAccounts))
    }

    /// Returns the user whose name and password a client on the network has sent; nil if the password is wrong, or if
    /// the credentials are no password.
    ///
    /// - Parameters:
    ///   - address: The IP address of the client.
    ///   - find: A function that returns a user and the hash of the user's password; nil if there is no such user.
    /// - Throws: `TooManyLogins` if the password was not checked.
    package func user(
        _ credentials: Credentials, from address: String,
        find: (String) async throws -> (user: NetworkUser, passwordHash: String)?
    ) async throws -> NetworkUser? {
        guard let name = credentials.user, !AccessToken.isSecret(credentials.secret) else {
            try refuseToken("unknown, expired or revoked token", of: credentials.user ?? "", from: address)
            return nil
        }
        let login = LoginBudget.Login(address: address, user: String(name.prefix(100)))
        let start = ContinuousClock.now
        // Also refuses a correct password: otherwise a guess of a cached password would cost nothing.
        try Self.refuse(after: budget.delay(of: login))
        let isPossible = NetworkUser.isValidName(name) && UserPassword.canBePassword(credentials.secret)
        let found = isPossible ? try await find(name) : nil
        let password = isPossible ? credentials.secret : ""
        let isAccount = isPossible && found == nil && acceptsMachineAccounts()
        let source = isAccount ? "account" : found?.passwordHash ?? ""
        let attempt = Attempt(
            login: login, digest: digest(of: [address, name, source, credentials.secret]),
            work: Work(password, isAccount ? .account(name, address: address) : .hash(found?.passwordHash)))
        switch isRepeated(attempt) ? .wrong : await (isAccount ? accountChecks : checks).answer(to: attempt) {
        // An account of the machine is no administrator, so that its password alone cannot change the server.
        case .right: return found?.user ?? Self.user(ofAccount: name)
        case .refused(let delay): throw TooManyLogins(retryAfter: Self.seconds(delay))
        case .unavailable(let reason):
            logger.error("cannot check passwords of accounts", metadata: ["reason": "\(reason)"])
            return nil
        case .wrong:
            note(attempt)
            logRefusal("wrong user name or password", name, address)
            let delay = budget.delay(of: login)
            if delay > .zero {
                logger.warning(
                    "refuses passwords without a check",
                    metadata: ["address": "\(address)", "seconds": "\(Self.seconds(delay))"])
            }
            try? await Task.sleep(until: start + leastTime)
            return nil
        }
    }

    /// Returns the user of an account of this machine, who has no time of creation.
    private static func user(ofAccount name: String) -> NetworkUser {
        NetworkUser(name: name, scope: .submit, createdAt: 0)
    }

    /// Returns whether a user logged in with an account of this machine, and such accounts are still accepted.
    func accepts(account user: NetworkUser) -> Bool {
        acceptsMachineAccounts() && user == Self.user(ofAccount: user.name)
    }

    /// Records a token that is refused.
    ///
    /// - Parameter reason: The reason, as part of a sentence.
    /// - Throws: `TooManyLogins` if the address has sent too many such tokens.
    package func refuseToken(_ reason: String, of user: String = "", from address: String) throws(TooManyLogins) {
        let delay = budget.countToken(from: address)
        if delay == .zero { logRefusal(reason, user, address) }
        try Self.refuse(after: delay)
    }

    private func isRepeated(_ attempt: Attempt) -> Bool {
        wrong.withLock { $0[attempt.digest] }.map { now() < $0 + Self.repetition } ?? false
    }

    /// Records a wrong attempt, unless it repeats an earlier attempt.
    private func note(_ attempt: Attempt) {
        let now = now()
        wrong.withLock { wrong in
            if let earlier = wrong[attempt.digest], now < earlier + Self.repetition { return }
            if wrong.count >= Self.mostKnown { wrong = wrong.filter { now < $0.value + Self.repetition } }
            if wrong.count < Self.mostKnown { wrong[attempt.digest] = now }
        }
    }

    /// Throws an error if the time until the next attempt is not zero.
    private static func refuse(after delay: Duration) throws(TooManyLogins) {
        if delay > .zero { throw TooManyLogins(retryAfter: seconds(delay)) }
    }

    private static func seconds(_ delay: Duration) -> Int {
        Int(delay.components.seconds) + (delay.components.attoseconds > 0 ? 1 : 0)
    }

    /// - Parameter name: The name that the client claims; it is escaped, because the client can send any characters.
    private func logRefusal(_ reason: String, _ name: String, _ address: String) {
        let escaped = name.prefix(100).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        logger.notice(
            "refused a login", metadata: ["reason": "\(reason)", "user": "\(escaped)", "address": "\(address)"])
    }

    private func digest(of parts: [String]) -> String {
        var digest = SHA256()
        digest.update(key)
        for part in parts {
            // The length separates the parts.
            digest.update(Array("\(part.utf8.count):".utf8) + Array(part.utf8))
        }
        return digest.digest()
    }
}
