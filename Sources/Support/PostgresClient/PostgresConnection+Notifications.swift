// Notifications between connections (LISTEN and NOTIFY).

import CLibpq
import Glibc

/// A notification of another connection.
public struct PostgresNotification: Sendable, Hashable {
    /// The name of the channel.
    public var channel: String
    /// The text that was sent with the notification; it may be empty.
    public var payload: String
    /// The number of the server process that sent the notification.
    public var process: Int
}

extension PostgresConnection {
    /// Receives the notifications of a channel from now on.
    public func listen(_ channel: String) throws(PostgresError) {
        try runScript("LISTEN \(quotedIdentifier(channel))")
    }

    /// Sends a notification; in a transaction it is delivered by the commit.
    ///
    /// - Parameter payload: A text of less than 8000 bytes.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try query("SELECT pg_notify($1, $2)", [channel, payload])
    }

    /// Waits for the next notification of a channel; returns nil at the deadline.
    ///
    /// - Throws: `connectionLost`; `closed` when the pool of the connection is closed.
    public func waitForNotification(until end: ContinuousClock.Instant) throws(PostgresError) -> PostgresNotification? {
        try synchronize()
        while true {
            let handle = try handle()
            if let notification = PQnotifies(handle) {
                defer { PQfreemem(notification) }
                return PostgresNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra),
                    process: Int(notification.pointee.be_pid))
            }
            guard try wait(for: Int16(POLLIN), until: end, isInterruptible: true) != 0 else { return nil }
            guard PQconsumeInput(handle) != 0, PQstatus(handle) == CONNECTION_OK else { throw lost(handle) }
        }
    }

    /// Returns an identifier in double quotes.
    private func quotedIdentifier(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
