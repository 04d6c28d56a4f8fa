// SQL conditions for the states of jobs.

import PrintModel

/// SQL conditions on the states of jobs.
///
/// SQLite uses a partial index only if the query contains the condition of the index. The conditions in this type are
/// the conditions of the indexes in `Spool/schema.sql`. `QueryPlanTests` checks that SQLite uses the indexes.
///
///     "SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND owner = ?"
///
/// The parameter of each function is the alias of the table `jobs`; nil if the query has no other table.
enum JobStateClause {
    /// Returns the condition for jobs that wait for their printer (index `jobs_queue`).
    static func isPending(_ table: String? = nil) -> String { "\(state(table)) = \(JobState.pending.rawValue)" }

    /// Returns the condition for jobs that have not ended (indexes `jobs_unfinished`, `jobs_unfinished_of_…`).
    static func isUnfinished(_ table: String? = nil) -> String { "\(state(table)) < \(JobState.canceled.rawValue)" }

    /// Returns the condition for jobs that wait or are held.
    ///
    /// The index `jobs_unfinished` begins with `(state < 5)`. In the indexes `jobs_unfinished_of_…`, `(state < 5)`
    /// follows the printer or the owner.
    static func isWaiting(_ table: String? = nil) -> String {
        "\(isUnfinished(table)) AND (\(state(table)) < \(JobState.processing.rawValue)) = 1"
    }

    /// Returns the condition for jobs in progress: printing, or stopped.
    ///
    /// With this condition, SQLite finds the few jobs in progress in the index without reading the waiting jobs.
    static func isInProgress(_ table: String? = nil) -> String {
        "\(isUnfinished(table)) AND (\(state(table)) < \(JobState.processing.rawValue)) = 0"
    }

    /// Returns the condition for jobs that have ended (indexes `jobs_ended`, `jobs_ended_of_…`).
    static func hasEnded(_ table: String? = nil) -> String { "\(state(table)) >= \(JobState.canceled.rawValue)" }

    /// Returns the condition for jobs that are not suspended.
    static func isNotSuspended(_ table: String? = nil) -> String {
        "\(column("reasons", of: table)) NOT LIKE '%\"\(JobStateReason.jobSuspended.rawValue)\"%'"
    }

    /// The SQL condition for jobs that need attention.
    ///
    /// The argument of the SQL condition is a JSON array with the names of the printers that have stopped.
    static var needsAttention: String {
        let waiting = "state IN (\(JobState.pending.rawValue), \(JobState.processing.rawValue))"
        return "(state = \(JobState.processingStopped.rawValue) OR \(waiting)"
            + " AND (retry_at IS NOT NULL OR printer IN (SELECT value FROM json_each(?))))"
    }

    private static func state(_ table: String?) -> String { column("state", of: table) }

    private static func column(_ name: String, of table: String?) -> String { table.map { "\($0).\(name)" } ?? name }
}
