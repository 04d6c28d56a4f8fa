// The rules of sessions, without a clock and without random numbers.

import PrintModel

/// A user of this machine.
///
/// The kernel reported the user when the session was created.
package struct SessionUser: Sendable, Hashable, Codable {
    /// The ID of the user.
    package var uid: UInt32
    /// The ID of the user's primary group.
    package var gid: UInt32
    /// The account name of the user at the creation of the session.
    package var name: String

    package init(uid: UInt32, gid: UInt32, name: String) { (self.uid, self.gid, self.name) = (uid, gid, name) }
}

/// The user of a session: the types of local users and of users on the network differ, so that no rule for local users
/// applies to a user on the network with the same name.
enum SessionOwner: Hashable, Sendable {
    case local(SessionUser)
    /// A user on the network, with the time of the password that the user knew at the login.
    case network(NetworkUser)

    /// Whether a client can use the session.
    ///
    /// - Parameter uid: The ID of the user who sent the request, as reported by the kernel; nil if unknown.
    fileprivate func admits(_ uid: UInt32?) -> Bool {
        if let uid, case .local(let user) = self { uid == user.uid } else { true }
    }

    /// The key of the user.
    fileprivate var account: CenterUser.Account {
        switch self {
        case .local(let user): .local(user.uid)
        case .network(let user): .network(user.name)
        }
    }
}

extension SessionOwner: Codable {
    init(from decoder: any Decoder) throws { self = .local(try SessionUser(from: decoder)) }

    func encode(to encoder: any Encoder) throws {
        guard case .local(let user) = self else {
            preconditionFailure("sessions of users on the network are not stored")
        }
        try user.encode(to: encoder)
    }
}

/// A browser session with its user, secrets and times.
struct BrowserSession: Sendable, Codable {
    /// The public part of the session cookie.
    let id: String
    /// The secret part of the session cookie.
    let secret: Secret
    /// The anti-forgery token (`Printq-Token`).
    let token: Secret
    let owner: SessionOwner
    /// The time at which the user proved the identity with a one-time token or a password.
    var createdAt: UnixTime
    /// The time of the last request of the session.
    var usedAt: UnixTime

    var cookie: String { "\(id).\(secret.text)" }

    private enum CodingKeys: String, CodingKey {
        case id, secret, token, createdAt, usedAt
        case owner = "user"
    }
}

/// The one-time tokens and sessions of all users.
///
/// A token or a cookie consists of a public part and a secret part. The public part is the key of the entry in the
/// table. The table compares the secret part in constant time.
struct SessionTable: Sendable {
    /// The lifetime of a one-time token in seconds.
    static let tokenSeconds = 60.0
    /// The time in seconds after which a session without requests ends.
    static let idleSeconds = 12 * 3600.0
    /// The maximum lifetime of a session in seconds.
    static let mostSeconds = 7 * 86400.0
    /// The times after which sessions end, in seconds.
    struct Lifetime: Sendable {
        /// The time without requests.
        var idle: Double
        var most: Double

        /// The lifetime of a session of a local user.
        static let local = Lifetime(idle: SessionTable.idleSeconds, most: SessionTable.mostSeconds)
        /// The lifetime of a session of a user on the network, who may use the browser of a shared machine.
        static let network = Lifetime(idle: 2 * 3600, most: 12 * 3600)
    }

    /// The maximum number of unused one-time tokens per user.
    static let mostTokensPerUser = 8
    /// The maximum number of sessions per user.
    ///
    /// Beyond this limit, a new session replaces the least recently used session.
    static let mostSessionsPerUser = 32

    private struct OneTimeToken {
        let secret: Secret
        let user: SessionUser
        let createdAt: UnixTime
        let expiresAt: UnixTime
    }

    private let lifetime: Lifetime
    private var tokens: [String: OneTimeToken] = [:]
    private(set) var sessions: [String: BrowserSession] = [:]
    /// The IDs of the sessions that this process has created, or from which it has received a request.
    private var seen: Set<String> = []

    /// Creates a table with the sessions that an earlier process stored.
    ///
    /// By default, the table is empty.
    init(sessions: [BrowserSession] = [], lifetime: Lifetime = .local) {
        self.lifetime = lifetime
        for session in sessions { self.sessions[session.id] = session }
    }

    /// Creates a one-time token for a user, and returns the text of the token.
    ///
    /// - Parameter seconds: The lifetime of the token in seconds.
    mutating func makeToken(
        for user: SessionUser, now: UnixTime, seconds: Double = SessionTable.tokenSeconds
    ) -> String {
        prune(now: now)
        let own = tokens.filter { $0.value.user.uid == user.uid }
        if own.count >= Self.mostTokensPerUser, let oldest = own.min(by: { $0.value.createdAt < $1.value.createdAt }) {
            tokens[oldest.key] = nil
        }
        let (id, secret) = (Secret.random(9), Secret())
        tokens[id] = OneTimeToken(secret: secret, user: user, createdAt: now, expiresAt: now + seconds)
        return "\(id).\(secret.text)"
    }

    /// Creates a session from a one-time token, and deletes the token.
    ///
    /// The result is nil if the token is invalid, used or expired.
    ///
    /// Other users can read the token in the arguments of the browser's process. Therefore the function refuses the
    /// token if the kernel reports that another user sent the request. The token then stays valid.
    ///
    /// If the browser has an active session of the same user, the function extends this session instead of creating
    /// another one. Otherwise pages that the browser already shows would have the anti-forgery token of a session
    /// whose cookie was replaced.
    ///
    /// - Parameter own: The ID of the session whose cookie the browser sent; nil without a session.
    mutating func redeem(
        _ text: String, by uid: UInt32?, extending own: String? = nil, now: UnixTime
    ) -> BrowserSession? {
        prune(now: now)
        guard let (id, secret) = Self.parts(of: text), let token = tokens[id], token.secret.matches(secret),
            uid == nil || uid == token.user.uid
        else { return nil }
        tokens[id] = nil
        if let own, var session = sessions[own], session.owner == .local(token.user) {
            (session.createdAt, session.usedAt) = (now, now)
            sessions[own] = session
            return session
        }
        return begin(for: .local(token.user), now: now)
    }

    /// Creates a session with new secrets.
    mutating func begin(for owner: SessionOwner, now: UnixTime) -> BrowserSession {
        prune(now: now)
        let others = sessions.values.filter { $0.owner.account == owner.account }
        if others.count >= Self.mostSessionsPerUser, let oldest = others.min(by: { $0.usedAt < $1.usedAt }) {
            sessions[oldest.id] = nil
        }
        let session = BrowserSession(
            id: Secret.random(9), secret: Secret(), token: Secret(), owner: owner, createdAt: now, usedAt: now)
        sessions[session.id] = session
        seen.insert(session.id)
        return session
    }

    /// Returns the session of a cookie, and records the current time as the time of the last request.
    ///
    /// The result is nil if the cookie is invalid, the session has ended, or the kernel reports that another user sent
    /// the request.
    mutating func session(_ cookie: String, of uid: UInt32?, now: UnixTime) -> BrowserSession? {
        guard let (id, secret) = Self.parts(of: cookie), var session = sessions[id], session.secret.matches(secret),
            session.owner.admits(uid)
        else { return nil }
        guard !hasEnded(session, now: now) else {
            sessions[id] = nil
            return nil
        }
        session.usedAt = max(session.usedAt, now)
        sessions[id] = session
        seen.insert(id)
        return session
    }

    mutating func end(_ id: String) { sessions[id] = nil }

    /// Returns whether a session exists and has not ended.
    func isActive(_ id: String, now: UnixTime) -> Bool { sessions[id].map { !hasEnded($0, now: now) } ?? false }

    /// Returns the time at which browsers no longer require a port, if no request arrives until then: the last
    /// one-time token has expired, and the last session has ended.
    ///
    /// The result is nil if there is neither a token nor a session now.
    ///
    /// A session that an earlier process stored counts after its first request. Its cookie belongs to the port of the
    /// earlier process, so that browsers may never send the cookie again.
    mutating func lastEnd(now: UnixTime) -> UnixTime? {
        prune(now: now)
        let sessionEnds = sessions.values.filter { seen.contains($0.id) }.map(end)
        return (tokens.values.map(\.expiresAt) + sessionEnds).max()
    }

    private mutating func prune(now: UnixTime) {
        tokens = tokens.filter { now < $0.value.expiresAt && now >= $0.value.createdAt }
        sessions = sessions.filter { !hasEnded($0.value, now: now) }
        seen.formIntersection(sessions.keys)
    }

    /// Returns the time at which a session ends if it sends no more requests.
    private func end(of session: BrowserSession) -> UnixTime {
        min(session.usedAt + lifetime.idle, session.createdAt + lifetime.most)
    }

    private func hasEnded(_ session: BrowserSession, now: UnixTime) -> Bool { now >= end(of: session) }

    private static func parts(of text: String) -> (id: String, secret: Substring)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 128 else { return nil }
        return (String(parts[0]), parts[1])
    }
}
