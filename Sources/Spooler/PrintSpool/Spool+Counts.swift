// Counts the jobs that have not ended, for metrics.

public import PrintModel

/// The number of a printer's jobs that are in one state.
public struct JobCount: Hashable, Sendable {
    /// The name of the printer.
    ///
    /// The printer may have been removed.
    public var printer: String
    /// The state of the jobs.
    public var state: JobState
    /// The number of the printer's jobs in this state.
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
        try await read { snapshot in try snapshot.countUnfinishedJobs() }
    }

    /// Returns the id of the oldest job that is waiting or stopped; nil if no job is waiting or stopped.
    ///
    /// The function ignores held jobs and printing jobs.
    public func oldestWaitingJob() async throws(SpoolError) -> Int? {
        try await read { snapshot in try snapshot.oldestWaitingJob() }
    }

    /// Returns the schema number of the database.
    public func schemaVersion() async throws(SpoolError) -> String? {
        try await read { snapshot in try snapshot.schemaVersion() }
    }
}
