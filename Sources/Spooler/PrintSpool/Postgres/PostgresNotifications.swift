// Notifies the hosts of a database about changes.

import Dispatch
import PostgresClient
import Synchronization

/// The notifications (`NOTIFY`) between the hosts that share a database.
///
/// A notification is sent after the commit of a change, because notifications inside the transaction would delay the
/// commits of all hosts. A crash between the commit and the notification loses the notification, and a server or a
/// proxy may refuse `LISTEN`. Therefore each host also polls the event log every second.
final class PostgresNotifications: Sendable {
    private struct State {
        /// The news of the next notification; nil if there are no news.
        var announced: News?
        /// Whether the next notification waits for a connection to the server.
        var isSending = false
        /// Whether the next notification waits for the end of `pause`.
        var isDelayed = false
        var isStopped = false
        /// The number of the last event at the last poll; nil before the first poll.
        var lastEvent: Int?
        /// The server process of the connection that receives notifications; nil if no connection receives them.
        var listener: Int?
        /// The number of failed attempts to receive notifications since the last success.
        var failures = 0
        /// The time before which the host does not try again to receive notifications.
        var nextAttempt = ContinuousClock.now
        /// The reason why the host receives no notifications; nil if it receives them.
        var problem: String?
    }

    private let sending: PostgresLane
    private let receiving: PostgresLane
    private let floor: PostgresQueueFloor
    /// The unique name of this process, which ignores its own notifications.
    private let sender: String
    private let state = Mutex(State())

    /// The time during which commits share a notification if schedulers need not check anything.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// The time between two polls of the event log.
    private static let interval = Duration.seconds(1)
    /// The maximum time to wait for the response to `LISTEN`, and for the first notification.
    private static let listenLimit = Duration.seconds(2)
    /// The pause after the first failed `LISTEN`; each further failure doubles the pause.
    private static let firstPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)

    init(pool: PostgresPool, floor: PostgresQueueFloor, sender: String) throws {
        sending = try pool.addLane(connections: 1)
        receiving = try pool.addLane(connections: 1)
        (self.floor, self.sender) = (floor, sender)
    }

    /// The reason why this host receives no notifications; nil if it receives them.
    var problem: String? { state.withLock { $0.problem } }

    /// Notifies the other hosts about a committed change.
    ///
    /// Changes that are committed before the notification is sent share the notification.
    func announce(_ news: News) {
        let mustDelay = state.withLock { state in
            state.announced = state.announced?.union(news) ?? news
            guard news == .none, !state.isDelayed else { return false }
            state.isDelayed = true
            return true
        }
        if news != .none { send() }
        guard mustDelay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [self] in
            state.withLock { $0.isDelayed = false }
            send()
        }
    }

    /// Sends the next notification.
    private func send() {
        let mustSend = state.withLock { state in
            guard state.announced != nil, !state.isSending else { return false }
            state.isSending = true
            return true
        }
        guard mustSend else { return }
        sending.enqueue { [self] connection in
            let news = state.withLock { state in
                state.isSending = false
                return state.announced.take()
            }
            // After an error, the other hosts find the change at their next poll. The commit of a notification need not
            // wait for the disk, on which it would delay the next commit of a change.
            _ = try? connection.query(
                "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
                [PostgresSchema.channel, Payload(sender: sender, news: news ?? .none).text])
        } fail: { [self] _ in
            state.withLock { ($0.announced, $0.isSending) = (nil, false) }
        }
    }

    /// Calls `receive` after changes of other hosts, and every second.
    ///
    /// The argument of `receive` is nil if no change is known.
    func start(_ receive: @escaping @Sendable (News?) -> Void) {
        guard !state.withLock({ $0.isStopped }) else { return }
        receiving.enqueue { [self] connection in
            let end = ContinuousClock.now + Self.interval
            do {
                receive(try isChanged(on: connection) ? .all : nil)
                // The poll before this may have missed a change whose notification was sent before LISTEN.
                if listen(on: connection) { receive(.all) }
                try floor.advance(on: connection)
                while let news = try nextNews(on: connection, until: end) { receive(news) }
                start(receive)
            } catch {
                // A connection that fails immediately must not be opened again and again without a pause.
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [self] in start(receive) }
            }
        } fail: { [self] error in
            if (error as? PostgresError)?.kind == .closed { return stop() }
            start(receive)
        }
    }

    /// Stops the calls of `receive`.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Returns whether any host has stored an event since the last poll.
    private func isChanged(on connection: PostgresConnection) throws -> Bool {
        let last = try connection.query("SELECT \(PostgresTransaction.lastEvent)")[0].int(0)
        return state.withLock { state in
            defer { state.lastEvent = last }
            return last != state.lastEvent
        }
    }

    /// Waits for a notification from another host; returns nil at the time `end`.
    private func nextNews(on connection: PostgresConnection, until end: ContinuousClock.Instant) throws -> News? {
        while let notification = try connection.waitForNotification(until: end) {
            var payload = Payload(notification.payload)
            guard payload.sender != sender else { continue }
            // Notifications that have arrived together are received together.
            while let next = try connection.waitForNotification(until: .now) {
                let other = Payload(next.payload)
                if other.sender != sender { payload.news = payload.news.union(other.news) }
            }
            return payload.news
        }
        return nil
    }

    // MARK: - LISTEN

    /// Begins to receive notifications on a connection, and returns whether notifications began to arrive.
    ///
    /// The function sends a notification to itself, because a proxy may accept `LISTEN` and deliver nothing. After a
    /// failure, the host polls, and tries again after a pause.
    private func listen(on connection: PostgresConnection) -> Bool {
        let mustListen = state.withLock { state in
            state.listener != connection.serverProcess && ContinuousClock.now >= state.nextAttempt
        }
        guard mustListen else { return false }
        let process = connection.serverProcess
        let limit = connection.waitLimit
        connection.waitLimit = Self.listenLimit
        defer { connection.waitLimit = limit }
        do throws(PostgresError) {
            try connection.listen(PostgresSchema.channel)
            let end = ContinuousClock.now + Self.listenLimit
            try connection.notify(PostgresSchema.channel, Payload(sender: sender, news: .none).text)
            while true {
                guard let notification = try connection.waitForNotification(until: end) else {
                    throw PostgresError(.timeout, "a notification did not arrive within \(Self.listenLimit)")
                }
                if Payload(notification.payload).sender == sender { break }
            }
            state.withLock { ($0.listener, $0.failures, $0.problem) = (process, 0, nil) }
            return true
        } catch {
            noteFailure(error)
            return false
        }
    }

    private func noteFailure(_ error: PostgresError) {
        state.withLock { state in
            state.listener = nil
            state.failures += 1
            // A restart of the server also ends connections.
            if state.failures == 1, error.kind == .connectionLost || error.kind == .serverShutsDown { return }
            state.nextAttempt = .now + min(Self.longestPause, Self.firstPause * (1 << min(state.failures - 1, 10)))
            if error.kind != .closed { state.problem = "\(error)" }
        }
    }
}

extension PostgresNotifications {
    /// The text of a notification: the sender and the news, one item in each line.
    struct Payload {
        var sender: String
        var news: News

        /// The maximum size of the names of printers, so that PostgreSQL accepts the text.
        private static let mostBytes = 7000
        private static let all = "*"

        init(sender: String, news: News) { (self.sender, self.news) = (sender, news) }

        init(_ text: String) {
            let lines = text.split(separator: "\n").map(String.init)
            sender = lines.first ?? ""
            let rest = lines.dropFirst()
            news = rest.isEmpty ? .none : rest.contains(Self.all) ? .all : .jobs(of: Set(rest))
        }

        var text: String {
            let names: [String]
            switch news {
            case .none: names = []
            case .jobs(let printers):
                let size = printers.reduce(0) { $0 + $1.utf8.count + 1 }
                names = size > Self.mostBytes ? [Self.all] : printers.sorted()
            case .all: names = [Self.all]
            }
            return ([sender] + names).joined(separator: "\n")
        }
    }
}
