// Finds out whether PostgreSQL committed a transaction whose answer was lost.

import Glibc
import PostgresClient

/// The outcome of a commit for which no response arrived.
///
/// Each transaction notes its number in the row of its writer, in the table `commits`. If the row has the number
/// afterwards, the transaction was committed. The id of a transaction (`pg_current_xact_id`) is no proof: after a crash
/// or a failover, the server can give the id to another transaction.
enum PostgresOutcome {
    /// The maximum time to wait for the outcome, including the time until the server is available again.
    private static let limit = Duration.seconds(15)
    /// The pause between two queries for the outcome, in microseconds.
    private static let pause: UInt32 = 100_000

    /// Checks that a transaction was committed and is durable.
    ///
    /// The function waits until the server has ended the transaction.
    ///
    /// - Parameters:
    ///   - number: The number of the transaction.
    ///   - writer: The name of the writer, which begins no other transaction before the function returns.
    /// - Throws: `connectionLost` with the message of `lost` if the transaction was rolled back; `UnknownOutcome` if
    ///   the outcome cannot be determined.
    static func confirm(
        _ number: Int, of writer: String, at address: PostgresAddress, after lost: PostgresError
    ) throws {
        let deadline = ContinuousClock.now + limit
        repeat {
            if let last = try? lastNumber(of: writer, at: address) {
                if last == number { return }
                throw PostgresError(.connectionLost, lost.message, isRetrySafe: true)
            }
            usleep(pause)
        } while ContinuousClock.now < deadline
        throw UnknownOutcome(cause: lost)
    }

    /// Returns the number of the last committed transaction of a writer.
    ///
    /// The statement waits for the end of a transaction in progress. Its own commit is synced, also at a synchronous
    /// standby, which proves that earlier commits are synced.
    private static func lastNumber(of writer: String, at address: PostgresAddress) throws -> Int {
        let connection = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
        defer { connection.close() }
        return try connection.transaction {
            _ = try connection.query(
                "SELECT set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '5s', true)", [])
            return try connection.query(
                """
                INSERT INTO commits (writer, number) VALUES ($1, 0)
                ON CONFLICT (writer) DO UPDATE SET number = commits.number RETURNING number
                """, [writer])[0].int(0)
        }
    }

    /// The statement at the start of a transaction: it notes the number, and chooses whether the commit is synced.
    ///
    /// The server would plan the insertion of rows again each time, because it assumes more rows without the arrays.
    static let begin = """
        WITH noted AS (
            INSERT INTO commits (writer, number) VALUES ($2, $3)
            ON CONFLICT (writer) DO UPDATE SET number = excluded.number, noted_at = now()
        )
        SELECT set_config('synchronous_commit', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)
        """

    /// The statement that removes the rows of earlier processes.
    static let removeOld = "DELETE FROM commits WHERE noted_at < now() - interval '1 day'"
}
