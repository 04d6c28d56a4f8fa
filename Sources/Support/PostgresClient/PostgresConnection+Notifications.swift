// Notifications between connections (LISTEN and NOTIFY).

import CLibpq
import Glibc

/// A notification that a connection to the same database sent (`NOTIFY`).
public struct PostgresNotification: Sendable, Hashable {
    /// The name of the notification channel.
    public var channel: String
    /// The text that was sent with the notification, which can be empty.
    public var payload: String
    /// The process ID of the server process that sent the notification.
    public var process: Int
}

extension PostgresConnection {
    /// Starts to receive the notifications of a channel (`LISTEN`).
    public func listen(_ channel: String) throws(PostgresError) {
        try runScript("LISTEN \(quotedIdentifier(channel))")
    }

    /// Sends a notification to a channel.
    ///
    /// In a transaction, the server delivers the notification when the transaction commits.
    ///
    /// - Parameter payload: The text of the notification, less than 8,000 bytes.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try query("SELECT pg_notify($1, $2)", [channel, payload])
    }

    /// Waits for the next notification of a subscribed channel; returns nil at the deadline `end`.
    ///
    /// - Throws: `connectionLost` if the connection is lost, or `closed` if the pool of the connection is closed.
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

    /// Returns an SQL identifier in double quotes.
    private func quotedIdentifier(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
