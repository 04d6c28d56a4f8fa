// Notifies the hosts of a database about changes.

import PostgresClient
import Synchronization

/// The notifications (`NOTIFY`) between the hosts that share a database.
///
/// A notification is sent after the commit of a change, because notifications inside the transaction would delay the
/// commits of all hosts. A crash between the commit and the notification loses the notification. Therefore each host
/// also polls the event log every second.
final class PostgresNotifications: Sendable {
    private struct State {
        /// Whether a notification waits for a connection to the server.
        var isAnnouncing = false
        var isStopped = false
        /// The number of the last event that this host has seen.
        var lastEvent = -1
    }

    private let sending: PostgresLane
    private let receiving: PostgresLane
    /// The unique name of this process, which ignores its own notifications.
    private let sender: String
    private let state = Mutex(State())

    /// The time between two polls of the event log.
    private static let interval = Duration.seconds(1)

    init(pool: PostgresPool, sender: String) throws {
        sending = try pool.addLane(connections: 1)
        receiving = try pool.addLane(connections: 1)
        self.sender = sender
    }

    /// Notifies the other hosts about a committed change.
    ///
    /// Changes that are committed before the notification is sent share the notification.
    func announce() {
        let mustSend = state.withLock { state in
            defer { state.isAnnouncing = true }
            return !state.isAnnouncing
        }
        guard mustSend else { return }
        sending.enqueue { [self] connection in
            state.withLock { $0.isAnnouncing = false }
            // After an error, the other hosts find the change at their next poll. The commit of a notification need not
            // wait for the disk, on which it would delay the next commit of a change.
            _ = try? connection.query(
                "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
                [PostgresSchema.channel, sender])
        } fail: { [self] _ in
            state.withLock { $0.isAnnouncing = false }
        }
    }

    /// Calls `receive` after changes of other hosts, and every second.
    ///
    /// The argument of `receive` is false if no change is known.
    func start(_ receive: @escaping @Sendable (_ isCertain: Bool) -> Void) {
        guard !state.withLock({ $0.isStopped }) else { return }
        receiving.enqueue { [self] connection in
            receive((try? wait(on: connection)) ?? false)
            start(receive)
        } fail: { [self] error in
            if (error as? PostgresError)?.kind == .closed { return stop() }
            start(receive)
        }
    }

    /// Stops the calls of `receive`.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Waits up to one second for a notification from another host, and returns whether another host has changed data.
    private func wait(on connection: PostgresConnection) throws -> Bool {
        try connection.listen(PostgresSchema.channel)
        let end = ContinuousClock.now + Self.interval
        var isNotified = false
        while let notification = try connection.waitForNotification(until: isNotified ? .now : end) {
            if notification.payload != sender { isNotified = true }
        }
        let last = try connection.query("SELECT \(PostgresTransaction.lastEvent)")[0].int(0)
        return state.withLock { state in
            defer { state.lastEvent = last }
            return isNotified || last != state.lastEvent
        }
    }
}
