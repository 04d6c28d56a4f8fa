// Finds out whether PostgreSQL committed a transaction whose answer was lost.

import FoundationEssentials
import Glibc
import PostgresClient

/// The outcome of a commit for which no response arrived.
///
/// The server keeps the state of recent transactions (`pg_xact_status`). The state is reliable only on the timeline on
/// which the transaction began, because a promoted standby may use the same id for another transaction.
enum PostgresOutcome {
    /// The identification of a transaction: its id and the server's timeline.
    struct Number: Sendable {
        /// The id of the transaction (`xid8`).
        var id: String
        /// The timeline of the server, eight hexadecimal digits.
        var timeline: String
    }

    /// The maximum time to wait for the outcome, including the time until the server is available again.
    private static let limit = Duration.seconds(15)
    /// The pause between two queries for the outcome, in microseconds.
    private static let pause: UInt32 = 100_000

    /// Checks that a transaction was committed and is durable.
    ///
    /// The function waits until the server knows the outcome of the transaction.
    ///
    /// - Throws: `connectionLost` with the message of `lost` if the transaction was rolled back; `UnknownOutcome` if
    ///   the outcome cannot be determined.
    static func confirm(_ number: Number, at address: PostgresAddress, after lost: PostgresError) throws {
        let deadline = ContinuousClock.now + limit
        repeat {
            guard let state = try? state(of: number, at: address) else {
                usleep(pause)
                continue
            }
            switch state {
            case .committed: return
            case .aborted:
                throw PostgresError(.connectionLost, lost.message, isRetrySafe: true)
            case .unknown: throw UnknownOutcome(cause: lost)
            case .inProgress: usleep(pause)
            }
        } while ContinuousClock.now < deadline
        throw UnknownOutcome(cause: lost)
    }

    private enum State {
        case committed
        case aborted
        case inProgress
        case unknown
    }

    private static func state(of number: Number, at address: PostgresAddress) throws -> State {
        let connection = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
        defer { connection.close() }
        let row = try connection.query(
            "SELECT pg_xact_status($1::xid8), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)", [number.id])[0]
        guard try row.string(1) == number.timeline else { return .unknown }
        switch try row.optionalString(0) {
        case "committed":
            // A later commit that was synced, also at a synchronous standby, proves that earlier commits are synced.
            _ = try connection.transaction { try connection.execute("UPDATE event_log SET last = last") }
            return .committed
        case "aborted": return .aborted
        case "in progress": return .inProgress
        default: return .unknown
        }
    }
}
