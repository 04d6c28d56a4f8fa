// Keeps the server from reading the rows of ended jobs in the indexes of the queue.

import PostgresClient
import Synchronization

/// The lowest id that an unfinished job of the database can have.
///
/// While another session holds a transaction open, the indexes of waiting jobs keep an entry for each job that has
/// waited since then, before the entries of the jobs that wait now. With a lower bound of the id, the server skips these
/// entries without reading their rows.
///
/// A job that has ended never waits again. A new job has a number of the sequence `jobs_id_seq`, and the transaction that
/// has taken the number holds a lock of the sequence until its end. After the end of these transactions, all jobs up to
/// the last number are known.
final class PostgresQueueFloor: Sendable {
    /// The last number of a job at some time, and the transactions that can still insert jobs up to this number.
    private struct Candidate {
        var last: Int
        var transactions: [String]
    }

    private struct State {
        var floor = 0
        /// The server to which the newest connection was established.
        var server: String?
        var candidate: Candidate?
        var nextStep = ContinuousClock.now
    }

    private let state = Mutex(State())
    /// The time between two steps.
    private static let interval = Duration.seconds(10)

    /// The lowest id that an unfinished job can have; 0 if unknown.
    var value: Int { state.withLock { $0.floor } }

    /// Forgets the bound, because a connection was established.
    ///
    /// After a failover, the other server may lack the end of a job.
    func reset(server: String) { state.withLock { $0 = State(server: server) } }

    /// Raises the bound if possible.
    ///
    /// - Parameter isForced: Whether to perform the next step immediately.
    func advance(on connection: PostgresConnection, isForced: Bool = false) throws {
        let now = ContinuousClock.now
        let (candidate, floor) = state.withLock { ($0.candidate, $0.floor) }
        guard isForced || state.withLock({ $0.nextStep <= now }) else { return }
        let server = try PostgresTimeline.server(of: connection)
        var found = floor
        if let candidate {
            guard try !isActive(candidate, on: connection) else { return }
            found = try connection.query(
                """
                SELECT COALESCE((SELECT id FROM jobs WHERE id BETWEEN $1 AND $2 AND \(SQLDialect.postgres.isUnfinished())
                    ORDER BY id LIMIT 1), $2 + 1)
                """, [floor, candidate.last])[0].int(0)
        }
        // The transactions are read after the number. A transaction that ends in between is over anyway.
        let last = try connection.query("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM jobs_id_seq")[0]
            .int(0)
        let transactions = try connection.query(
            """
            SELECT virtualtransaction FROM pg_locks
            WHERE relation = 'jobs_id_seq'::regclass AND mode = 'RowExclusiveLock'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).map { try $0.string(0) }
        let next = Candidate(last: last, transactions: transactions)
        state.withLock { state in
            // Another connection may have been established to another server in the meantime.
            guard state.server == server, state.floor == floor else { return }
            (state.floor, state.candidate, state.nextStep) = (found, next, now + Self.interval)
        }
    }

    private func isActive(_ candidate: Candidate, on connection: PostgresConnection) throws -> Bool {
        guard !candidate.transactions.isEmpty else { return false }
        return try connection.query(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE virtualtransaction = ANY ($1::text[]))",
            [PostgresArray(candidate.transactions, of: .text)])[0].bool(0)
    }
}
