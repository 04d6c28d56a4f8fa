// Defines the differences between the SQL of SQLite and PostgreSQL.

import PrintModel

/// The SQL of a database engine.
///
/// The conditions on the states of jobs are the conditions of the partial indexes in `Spool/schema.sql` and in
/// `PostgresSchema`, because an engine uses a partial index only if the query contains the condition of the index.
/// `QueryPlanTests` and `PostgresStoreTests` check that the engines use the indexes.
///
/// The parameter of each condition is the alias of the table `jobs`; nil if the query has no other table.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres

    // MARK: - States of jobs

    /// Returns the condition for jobs that wait for their printer (index `jobs_queue`).
    func isPending(_ table: String? = nil) -> String {
        "\(Self.column("state", table)) = \(JobState.pending.rawValue)\(floor(table))"
    }

    /// Returns the condition for jobs that have not ended (indexes `jobs_unfinished`, `jobs_unfinished_of_…`).
    func isUnfinished(_ table: String? = nil) -> String {
        "\(Self.column("state", table)) < \(JobState.canceled.rawValue)\(floor(table))"
    }

    /// Returns the condition for jobs that wait or are held.
    ///
    /// The index `jobs_unfinished` begins with `(state < 5)`. In the indexes `jobs_unfinished_of_…`, `(state < 5)`
    /// follows the printer or the owner.
    func isWaiting(_ table: String? = nil) -> String { "\(isUnfinished(table)) AND \(isBeforePrinting(table)) = 1" }

    /// Returns the condition for jobs in progress: printing, or stopped.
    ///
    /// With this condition, the engine finds the few jobs in progress in the index without reading the waiting jobs.
    func isInProgress(_ table: String? = nil) -> String {
        "\(isUnfinished(table)) AND \(isBeforePrinting(table)) = 0"
    }

    /// Returns the condition for jobs that have ended (indexes `jobs_ended`, `jobs_ended_of_…`).
    func hasEnded(_ table: String? = nil) -> String {
        "\(Self.column("state", table)) >= \(JobState.canceled.rawValue)"
    }

    /// Returns the condition for jobs that are not suspended.
    func isNotSuspended(_ table: String? = nil) -> String {
        "\(Self.column("reasons", table)) NOT LIKE '%\"\(JobStateReason.jobSuspended.rawValue)\"%'"
    }

    private func isBeforePrinting(_ table: String?) -> String {
        "(\(Self.column("state", table)) < \(JobState.processing.rawValue))\(self == .sqlite ? "" : "::integer")"
    }

    /// Returns the condition for the lower bound of the ids of unfinished jobs (`PostgresQueueFloor`), which a
    /// transaction sets at its start.
    ///
    /// SQLite removes the entries of ended jobs from its indexes at once.
    private func floor(_ table: String?) -> String {
        guard self == .postgres else { return "" }
        let bound = "COALESCE(NULLIF(current_setting('printq.floor', true), ''), '0')::bigint"
        return " AND \(Self.column("id", table)) >= \(bound)"
    }

    private static func column(_ name: String, _ table: String?) -> String { table.map { "\($0).\(name)" } ?? name }

    // MARK: - Syntax

    /// The operator before a column whose index SQLite must not use.
    ///
    /// PostgreSQL has statistics of the columns, and no such operator for text.
    var noIndex: String { self == .sqlite ? "+" : "" }

    /// The collation that compares bytes, which is the default of SQLite.
    var byteOrder: String { self == .sqlite ? "" : #" COLLATE "C""# }

    /// Returns the condition that a list of numbers (`list`) contains a value.
    ///
    /// A list of placeholders would require a separate prepared statement for each number of values.
    func isIn(_ placeholder: String) -> String {
        self == .sqlite ? "IN (SELECT value FROM json_each(\(placeholder)))" : "= ANY (\(placeholder)::bigint[])"
    }

    /// Returns numbers as the value of a parameter for `isIn`.
    func list(_ numbers: some Sequence<Int>) -> String {
        let list = numbers.map(String.init).joined(separator: ",")
        return self == .sqlite ? "[\(list)]" : "{\(list)}"
    }

    /// Returns the query for the texts in a list (`list`).
    func texts(_ placeholder: String) -> String {
        self == .sqlite
            ? "SELECT value FROM json_each(\(placeholder))" : "SELECT json_array_elements_text(\(placeholder)::json)"
    }

    /// Returns texts as the value of a parameter for `texts`.
    func list(_ texts: some Sequence<String>) throws -> String {
        try StoredJSON.text(of: texts.map { self == .sqlite ? $0 : $0.withoutZeroBytes })
    }

    /// Returns an integer expression whose type PostgreSQL cannot derive.
    func integer(_ expression: String) -> String { self == .sqlite ? expression : "\(expression)::bigint" }

    /// The column of the table `documents` that refers to the content of a large document.
    var documentReference: String { self == .sqlite ? "file" : "content_id" }

    /// Returns the condition for documents that are stored.
    func isStored(_ table: String? = nil) -> String {
        "\(Self.column(documentReference, table)) IS NOT NULL OR \(Self.column("content", table)) IS NOT NULL"
    }
}
