// Counts the jobs that have not ended, for metrics.

import GRDB
public import PrintModel

/// The number of jobs of a printer in one state.
public struct JobCount: Hashable, Sendable {
    /// The name of the printer.
    ///
    /// The printer may have been removed.
    public var printer: String
    /// The state of the jobs.
    public var state: JobState
    /// The number of jobs of the printer in this state.
    public var jobs: Int
    /// The time at which the oldest of these jobs was created.
    public var oldest: UnixTime

    /// Creates the count of a printer's jobs in one state.
    public init(printer: String, state: JobState, jobs: Int, oldest: UnixTime) {
        self.printer = printer
        self.state = state
        self.jobs = jobs
        self.oldest = oldest
    }
}

extension Spool {
    /// Returns the number of jobs that have not ended, for each printer and state.
    ///
    /// The time for the query grows with the number of unfinished jobs, and not with the number of ended jobs.
    public func countUnfinishedJobs() async throws(SpoolError) -> [JobCount] {
        try await read { db in
            try Row.fetchAll(try db.cachedStatement(sql: Self.unfinishedJobCounts)).compactMap { row in
                guard let state = JobState(rawValue: row[1]) else { return nil }
                return JobCount(printer: row[0], state: state, jobs: row[2], oldest: row[3])
            }
        }
    }

    /// The query for the number of jobs of each printer and state.
    package static let unfinishedJobCounts = """
        SELECT printer, state, COUNT(*), MIN(created_at) FROM jobs WHERE \(JobCondition.isUnfinished())
        GROUP BY printer, state ORDER BY printer, state
        """
}

extension Spool {
    /// Returns the number of the oldest job that is waiting or stopped; nil if no job is waiting or stopped.
    ///
    /// The function ignores held jobs and printing jobs.
    public func oldestWaitingJob() async throws(SpoolError) -> Int? {
        try await read { db in
            try Int.fetchOne(
                try db.cachedStatement(
                    sql: """
                        SELECT id FROM jobs WHERE \(JobCondition.isUnfinished())
                        AND state IN (\(JobState.pending.rawValue), \(JobState.processingStopped.rawValue))
                        ORDER BY created_at, id LIMIT 1
                        """))
        }
    }

    /// Returns the schema version of the database, which is the name of the last migration.
    public func schemaVersion() async throws(SpoolError) -> String? {
        try await read { db in
            try String.fetchOne(
                db,
                sql: "SELECT identifier FROM grdb_migrations ORDER BY CAST(identifier AS INTEGER) DESC LIMIT 1")
        }
    }
}
