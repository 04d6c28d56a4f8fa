// Looking at the queue.

import GRDB
public import PrintModel

extension Spool {
    /// The job of the given id; nil when there is none, or none any more.
    public func job(_ id: Int) async throws(SpoolError) -> Job? {
        try await read { db in try JobRecord.jobs(JobRecord.byID, [id], in: db).first }
    }

    /// The jobs that a filter lets through, in the order of their places, all at once.
    public func jobs(_ filter: JobFilter = JobFilter()) async throws(SpoolError) -> [Job] {
        try await read { db in
            var cursor = JobCursor(filter)
            var jobs: [Job] = []
            while let page = try cursor.next(1000, in: db) { jobs += page }
            return jobs
        }
    }

    /// The same jobs page by page, so that any number takes no more memory than a page.
    public func listing(_ filter: JobFilter = JobFilter()) -> JobListing { JobListing(filter, of: self) }

    /// How many jobs of the same printer come before a job (IPP `number-of-intervening-jobs`); 0 when it does not wait.
    ///
    /// Held jobs, and those that wait for a person's word, are not in its way.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { db in try Int.fetchOne(db, sql: Self.waitingBefore, arguments: [id]) ?? 0 }
    }

    /// Counts the jobs before one, in indexes alone but for the few in hand.
    package static let waitingBefore = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE jobs.state < 7 AND (jobs.state < 5) = 0 AND jobs.printer = mine.printer
                AND jobs.reasons NOT LIKE '%"job-suspended"%')
            + (SELECT COUNT(*) FROM jobs
               WHERE jobs.state = 3 AND jobs.printer = mine.printer AND jobs.priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE jobs.state = 3 AND jobs.printer = mine.printer AND jobs.priority = mine.priority
                AND jobs.id < mine.id)
        FROM jobs AS mine WHERE mine.id = ? AND mine.state IN (3, 4)
        """

    /// How many jobs have not ended (IPP `queued-job-count`): of a printer, of an owner, of both, or all there are.
    public func countQueuedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) -> Int {
        try await read { db in
            try Int.fetchOne(
                try db.cachedStatement(sql: Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)),
                arguments: StatementArguments([printer, owner].compactMap(\.self))) ?? 0
        }
    }

    /// Counts the jobs that have not ended, in an index alone unless both a printer and an owner are named.
    package static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE state < 7\(ofPrinter ? " AND printer = ?" : "")"
            + (ofOwner ? " AND owner = ?" : "")
    }

    /// A stream that wakes its reader after commits that changed something: once for all since it last looked.
    ///
    /// Begin the stream, then look, then wait for it: so nothing is missed. It ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }

    /// Has `wake` called after each commit because of which something else may be to print, as long as `body` runs.
    ///
    /// Nearly every commit is one; a submission that has others before it is not. It is called where commits are made, so
    /// it must be quick.
    public nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        try await observers.wake(wake, during: body)
    }
}
