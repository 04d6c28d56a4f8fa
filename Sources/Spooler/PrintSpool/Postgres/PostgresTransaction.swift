// Runs the operations of the store on a connection to PostgreSQL.

import PostgresClient
import PrintModel

/// A transaction or a snapshot of the PostgreSQL database.
///
/// The extensions of this type contain the SQL statements by subject.
struct PostgresTransaction: SpoolTransaction {
    /// The connection, and the events that the commit stores.
    let session: PostgresSession

    init(_ session: PostgresSession) { self.session = session }

    /// Returns the integer in the first column of the first row; nil if the query returns no row or NULL.
    func integer(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> Int? {
        try session.query(sql, parameters).first?.optionalInt(0)
    }

    /// Returns the integers in the first column of a query's result.
    func integers(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> [Int] {
        try session.query(sql, parameters).map { try $0.int(0) }
    }

    /// Returns the Boolean value in the first column of the first row; nil if the query returns no row or NULL.
    func boolean(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> Bool? {
        try session.query(sql, parameters).first?.optionalBool(0)
    }

    /// Returns ids as the text of a PostgreSQL array, for `= ANY ($1::bigint[])`.
    static func array(_ ids: some Sequence<Int>) -> String { "{\(ids.map(String.init).joined(separator: ","))}" }
}

/// A query whose text and parameters depend on the request.
struct PostgresQuery {
    var sql: String
    private(set) var parameters: [(any PostgresParameter)?] = []

    init(_ sql: String) { self.sql = sql }

    /// Adds a parameter, and returns the placeholder of the parameter for the text of the query, such as `$1`.
    mutating func bind(_ value: (any PostgresParameter)?) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }
}

/// SQL conditions for the states of jobs.
///
/// The partial indexes in `PostgresSchema` have the same conditions.
enum PostgresCondition {
    /// The condition for jobs that wait for their printer (index `jobs_queue`).
    static let isPending = "state = \(JobState.pending.rawValue) AND id >= \(floor)"
    /// The lower bound of the ids of unfinished jobs (`PostgresQueueFloor`), which a transaction sets at its start.
    private static let floor = "COALESCE(NULLIF(current_setting('printq.floor', true), ''), '0')::bigint"
    /// The condition for jobs that have not ended (indexes `jobs_unfinished`, `jobs_unfinished_of_…`).
    static let isUnfinished = "state < \(JobState.canceled.rawValue)"
    /// The condition for jobs that wait or are held.
    static let isWaiting = "\(isUnfinished) AND (state < \(JobState.processing.rawValue))::integer = 1"
    /// The condition for jobs in progress: printing, or stopped.
    static let isInProgress =
        "\(isUnfinished) AND (state < \(JobState.processing.rawValue))::integer = 0 AND id >= \(floor)"
    /// The condition for jobs that have ended (indexes `jobs_ended`, `jobs_ended_of_…`).
    static let hasEnded = "state >= \(JobState.canceled.rawValue)"
    /// The condition for jobs that are not suspended.
    static let isNotSuspended = "reasons NOT LIKE '%\"\(JobStateReason.jobSuspended.rawValue)\"%'"
}
