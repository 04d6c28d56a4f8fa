// Finds out whether PostgreSQL committed a transaction whose answer was lost.

import Glibc
import PostgresClient

/// The outcome of a commit for which no response arrived.
///
/// Each transaction that changes data stores its number in the table `commits`. A second transaction stores the same
/// number as void. The first of both decides the outcome, because the number is unique: the other one fails. The id of a transaction (`pg_current_xact_id`) is no proof: after a crash or a failover, the server can
/// give the id to another transaction.
enum PostgresOutcome {
    /// The maximum time to wait for the outcome, including the time until the server is available again.
    private static let limit = Duration.seconds(15)
    /// The pause between two queries for the outcome, in microseconds.
    private static let pause: UInt32 = 100_000

    /// Checks that a transaction was committed and is durable, or prevents that it will be committed.
    ///
    /// If the transaction has stored its number, the function waits until the server has ended the transaction.
    ///
    /// - Parameters:
    ///   - number: The number of the transaction.
    ///   - writer: The name of the writer.
    /// - Throws: `connectionLost` with the message of `lost` if the transaction was rolled back; `UnknownOutcome` if
    ///   the outcome cannot be determined.
    static func confirm(
        _ number: Int, of writer: String, at address: PostgresAddress, after lost: PostgresError
    ) throws {
        let deadline = ContinuousClock.now + limit
        repeat {
            if let wasCommitted = try? wasCommitted(number, of: writer, at: address) {
                if wasCommitted { return }
                throw PostgresError(.connectionLost, lost.message, isRetrySafe: true)
            }
            usleep(pause)
        } while ContinuousClock.now < deadline
        throw UnknownOutcome(cause: lost)
    }

    /// Returns whether a transaction was committed; otherwise stores its number as void.
    ///
    /// The commit of this function is synced, also at a synchronous standby, which proves that earlier commits are
    /// synced.
    private static func wasCommitted(_ number: Int, of writer: String, at address: PostgresAddress) throws -> Bool {
        let connection = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
        defer { connection.close() }
        return try connection.transaction {
            _ = try connection.query(
                "SELECT set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '5s', true)", [])
            // Without the update of a committed number, there would be no commit that is synced.
            return try connection.query(
                """
                INSERT INTO commits (writer, number, is_void) VALUES ($1, $2, true)
                ON CONFLICT (writer, number) DO UPDATE SET noted_at = now() RETURNING NOT is_void
                """, [writer, number])[0].bool(0)
        }
    }

    /// The statement at the start of a transaction: it chooses whether the commit is synced, and sets the lower bound of
    /// the ids of unfinished jobs.
    ///
    /// The server would plan the insertion of rows again each time, because it assumes more rows without the arrays.
    static let begin = """
        SELECT set_config('synchronous_commit', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true),
            set_config('printq.floor', $2, true)
        """

    /// The statement that stores the number of a transaction.
    static let note = "INSERT INTO commits (writer, number) VALUES ($1, $2::bigint)"

    /// The numbers of earlier transactions are removed at each multiple of this number.
    static let period = 500

    /// The statement that removes the numbers of earlier transactions of a writer.
    ///
    /// The lower bound saves the server from reading rows that were removed before. Not every transaction with a
    /// multiple of `period` removes rows, because the writers share the numbers.
    static let removeEarlier = """
        DELETE FROM commits WHERE writer = $1
        AND number BETWEEN $2::bigint - \(20 * period) AND $2::bigint - \(period)
        """

    /// The statement that removes the rows of earlier processes.
    static let removeOld = "DELETE FROM commits WHERE noted_at < now() - interval '1 day'"
}
