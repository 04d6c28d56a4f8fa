// Prevents the reuse of event sequence numbers after a failure of the PostgreSQL server.

import PostgresClient

/// A guard against the reuse of event sequence numbers, like `EventNumbers` for SQLite.
///
/// A failed server may lose the last commits that were not synced to disk, and a promoted standby may lack the last
/// commits. Clients already have the numbers of the lost events. Therefore the numbers skip a range when the timeline,
/// the start of the server or its last recovery changes.
enum PostgresTimeline {
    /// The number of skipped sequence numbers.
    static let jump = EventNumbers.jump

    /// Returns whether the numbers must skip a range before the next event, without changing the database.
    static func mustSkip(_ connection: PostgresConnection) throws -> Bool {
        try connection.query(
            """
            SELECT event_log.server IS NOT NULL AND (event_log.timeline, event_log.server)
                IS DISTINCT FROM (now.timeline, now.server)
            FROM event_log, (\(current)) AS now
            """
        ).first?.bool(0) ?? false
    }

    /// Returns the timeline and the last start and recovery of the server.
    static func server(of connection: PostgresConnection) throws -> String {
        let row = try connection.query("SELECT now.timeline, now.server FROM (\(current)) AS now")[0]
        return "\(try row.int(0)) \(try row.string(1))"
    }

    /// Stores the current timeline, and skips numbers if another timeline was stored.
    static func note(_ connection: PostgresConnection) throws {
        let rows = try connection.query(
            """
            SELECT event_log.timeline IS NOT DISTINCT FROM now.timeline AND event_log.server = now.server,
                now.timeline, now.server
            FROM event_log, (\(current)) AS now
            """)
        guard let row = rows.first, try row.optionalBool(0) != true else { return }
        // Of several hosts that connect at the same time, the first host skips the range.
        _ = try connection.transaction {
            try connection.execute(
                """
                UPDATE event_log SET timeline = $1, server = $2,
                    last = lock_events() + CASE WHEN server IS NULL THEN 0 ELSE $3 END
                WHERE timeline IS DISTINCT FROM $1 OR server IS DISTINCT FROM $2
                """, [row.int(1), row.string(2), jump])
        }
    }

    /// The query for the timeline, and for the last start and recovery of the server.
    ///
    /// PostgreSQL resets the statistics of the background writer when it recovers from a crash.
    private static let current = """
        SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint AS timeline,
            extract(epoch FROM pg_postmaster_start_time())::text || '/'
                || COALESCE(extract(epoch FROM stats_reset)::text, '') AS server
        FROM pg_stat_bgwriter
        """
}
