// The sessions of browsers.

import AsyncPrimitives
package import FoundationEssentials
package import PrintModel
import Synchronization

/// A storage for sessions, so that the sessions survive a restart of the server.
package protocol SessionStore: Sendable {
    /// Returns the stored sessions; nil if no sessions are stored.
    func load() -> Data?
    /// Stores the sessions so that only the user of the server process can read them.
    func save(_ sessions: Data)
}

/// The sessions of browsers, and the one-time tokens that create sessions.
package final class Sessions: Sendable {
    private struct State {
        var table: SessionTable
        /// The signals that end the open event streams, one signal for each session.
        var ends: [String: Signal] = [:]
        /// The signal that fires at the next end of a session.
        var nextEnd = Signal()
        var savedAt: UnixTime
    }

    /// The minimum time, in seconds, between two writes if only the times of the last requests have changed.
    private static let saveSeconds = 600.0

    /// The maximum lifetime of a session in seconds.
    let mostSeconds: Double
    private let state: Mutex<State>
    let clock: @Sendable () -> UnixTime
    private let store: (any SessionStore)?

    /// Creates the sessions of a server.
    ///
    /// - Parameter store: The storage of the sessions; nil to keep the sessions in memory only.
    package convenience init(clock: @escaping @Sendable () -> UnixTime, store: (any SessionStore)? = nil) {
        self.init(clock: clock, store: store, lifetime: .local)
    }

    /// Returns the sessions of users on the network, which end with the server process.
    package static func ofNetwork(clock: @escaping @Sendable () -> UnixTime) -> Sessions {
        Sessions(clock: clock, store: nil, lifetime: .network)
    }

    private init(
        clock: @escaping @Sendable () -> UnixTime, store: (any SessionStore)?, lifetime: SessionTable.Lifetime
    ) {
        (self.clock, self.store, mostSeconds) = (clock, store, lifetime.most)
        let stored = store?.load().flatMap { try? JSONDecoder().decode([BrowserSession].self, from: $0) }
        state = Mutex(State(table: SessionTable(sessions: stored ?? [], lifetime: lifetime), savedAt: clock()))
    }

    /// Creates a one-time token for a user.
    ///
    /// - Parameter seconds: The lifetime of the token in seconds.
    /// - Returns: The token, and the time at which the token expires.
    package func makeToken(
        for user: SessionUser, seconds: Double = 60
    ) -> (token: String, expires: UnixTime) {
        let now = clock()
        return (state.withLock { $0.table.makeToken(for: user, now: now, seconds: seconds) }, now + seconds)
    }

    /// Creates a session from a one-time token, or extends the session that the browser already has.
    ///
    /// The result is nil if the token is invalid, used or expired.
    ///
    /// - Parameters:
    ///   - uid: The ID of the user who presents the token, as reported by the kernel; nil if unknown. Another user
    ///     cannot use the token.
    ///   - own: The session whose cookie the browser sent; nil without a session.
    func redeem(_ token: String, by uid: UInt32?, extending own: BrowserSession? = nil) -> BrowserSession? {
        state.withLock { state in
            guard let session = state.table.redeem(token, by: uid, extending: own?.id, now: clock()) else {
                return nil
            }
            save(&state)
            return session
        }
    }

    /// Creates a session of a user on the network who has proved the identity with a password.
    func begin(for user: NetworkUser) -> BrowserSession {
        state.withLock { $0.table.begin(for: .network(user), now: clock()) }
    }

    /// Returns the session of a cookie; nil if the session has ended or belongs to another user.
    ///
    /// - Parameter uid: The ID of the user who presents the cookie, as reported by the kernel; nil if unknown.
    func session(_ cookie: String, of uid: UInt32?) -> BrowserSession? {
        state.withLock { state in
            guard let session = state.table.session(cookie, of: uid, now: clock()) else { return nil }
            if clock() - state.savedAt >= Self.saveSeconds { save(&state) }
            return session
        }
    }

    /// Ends a session and its event streams.
    func end(_ id: String) {
        let (signal, nextEnd) = state.withLock { state in
            state.table.end(id)
            save(&state)
            let nextEnd = state.nextEnd
            state.nextEnd = Signal()
            return (state.ends.removeValue(forKey: id), nextEnd)
        }
        signal?.give()
        nextEnd.give()
    }

    /// Whether a one-time token is valid or a session is active, so that a browser requires a port of the server.
    var isPortRequired: Bool { state.withLock { $0.table.lastEnd(now: clock()) != nil } }

    /// The maximum time, in seconds, between two looks at the clock while a port is open.
    private static let portCheckSeconds = 60.0

    /// Waits until the last one-time token has expired and the last session has ended, or the task is canceled.
    func untilUnused() async {
        while !Task.isCancelled {
            let now = clock()
            let (end, signal) = state.withLock { ($0.table.lastEnd(now: now), $0.nextEnd) }
            guard let end else { return }
            let pause = min(end - now, Self.portCheckSeconds)
            _ = try? await signal.stopping { try await Task.sleep(for: .seconds(pause)) }
        }
    }

    /// Returns whether a session exists and has not ended.
    func isActive(_ id: String) -> Bool { state.withLock { $0.table.isActive(id, now: clock()) } }

    /// Returns the signal that fires when the session ends.
    func end(of id: String) -> Signal {
        state.withLock { state in
            if let signal = state.ends[id] { return signal }
            let signal = Signal()
            if state.table.sessions[id] == nil {
                signal.give()
            } else {
                state.ends = state.ends.filter { state.table.sessions[$0.key] != nil }
                state.ends[id] = signal
            }
            return signal
        }
    }

    /// Stores the sessions.
    ///
    /// The caller must hold the lock. Otherwise an older state could replace a newer state.
    private func save(_ state: inout State) {
        state.savedAt = clock()
        guard let store, let data = try? JSONEncoder().encode(Array(state.table.sessions.values)) else { return }
        store.save(data)
    }
}
