// Counts jobs and documents in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func countWaiting(before id: Int) throws -> Int {
        try Int.fetchOne(try db.cachedStatement(sql: Self.waitingBefore), arguments: [id]) ?? 0
    }

    package func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int {
        let arguments: StatementArguments = [printer, first.priority, first.id, second.priority, second.id]
        return try Int.fetchOne(try db.cachedStatement(sql: Self.waitingBetween), arguments: arguments) ?? 0
    }

    package func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int {
        try Int.fetchOne(
            try db.cachedStatement(sql: Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)),
            arguments: StatementArguments([printer, owner].compactMap(\.self))) ?? 0
    }

    package func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup] {
        try Row.fetchAll(
            try db.cachedStatement(sql: Self.countsOfUnfinished(filter)),
            arguments: StatementArguments(filter.arguments)
        ).compactMap { row in
            // A damaged row is not counted until the row is read and repaired.
            guard let printer = String.fromDatabaseValue(row[0]) else { return nil }
            return JobGroup(
                printer: printer, state: Int.fromDatabaseValue(row[1]).flatMap(JobState.init(rawValue:)),
                isRetrying: try row.decode(atIndex: 2), count: try row.decode(atIndex: 3))
        }
    }

    package func countEndedJobs(_ filter: JobFilter) throws -> Int {
        try Int.fetchOne(
            try db.cachedStatement(sql: Self.countOfEnded(filter)),
            arguments: StatementArguments(filter.arguments)) ?? 0
    }

    package func countUnfinishedJobs() throws -> [JobCount] {
        try Row.fetchAll(try db.cachedStatement(sql: Self.unfinishedJobCounts)).compactMap { row in
            guard let printer = String.fromDatabaseValue(row[0]), let oldest = Double.fromDatabaseValue(row[3]),
                let state = Int.fromDatabaseValue(row[1]).flatMap(JobState.init(rawValue:))
            else { return nil }
            return JobCount(printer: printer, state: state, jobs: try row.decode(atIndex: 2), oldest: oldest)
        }
    }

    package func oldestWaitingJob() throws -> Int? {
        try Int.fetchOne(
            try db.cachedStatement(
                sql: """
                    SELECT id FROM jobs WHERE \(JobStateClause.isUnfinished())
                    AND state IN (\(JobState.pending.rawValue), \(JobState.processingStopped.rawValue))
                    ORDER BY created_at, id LIMIT 1
                    """))
    }

    package func countIncomingJobs(of owner: String) throws -> Int {
        try Int.fetchOne(try db.cachedStatement(sql: Self.countIncoming), arguments: [owner]) ?? 0
    }

    package func documentBytes(of owner: String) throws -> Int {
        try Int.fetchOne(try db.cachedStatement(sql: Self.sumBytes), arguments: ["owner": owner]) ?? 0
    }

    // The size of the whole spool is known at once. Usually it is far below the budget of one owner.
    package func mostAmounts(of owner: String) throws -> UserAmounts {
        UserAmounts(
            jobs: try countUnfinishedJobs(printer: nil, owner: owner),
            documentBytes: try databaseBytes() + number(Self.bytesInFiles))
    }

    package func usage() throws -> StoreUsage {
        StoreUsage(
            ended: try number(Self.endedJobs),
            unfinished: try number(Self.queuedJobs(ofPrinter: false, ofOwner: false)),
            databaseBytes: try databaseBytes(), fileBytes: try number(Self.bytesInFiles))
    }

    private func databaseBytes() throws -> Int { try number("PRAGMA page_count") * number("PRAGMA page_size") }

    private func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }

    // MARK: - Statements

    /// The query for the number of jobs ahead of a job.
    ///
    /// The query reads only indexes, except for the few jobs in progress.
    package static let waitingBefore = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(JobStateClause.isInProgress("jobs")) AND jobs.printer = mine.printer
                AND \(JobStateClause.isNotSuspended("jobs")))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobStateClause.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobStateClause.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority = mine.priority AND jobs.id < mine.id)
        FROM jobs AS mine WHERE mine.id = ?
            AND mine.state IN (\(JobState.pending.rawValue), \(JobState.pendingHeld.rawValue))
        """

    /// Returns the query that counts jobs that have not ended.
    ///
    /// The query reads only an index, unless both a printer and an owner are given.
    package static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobStateClause.isUnfinished())\(ofPrinter ? " AND printer = ?" : "")"
            + (ofOwner ? " AND owner = ?" : "")
    }

    /// Returns the query that counts the jobs that have not ended and match a filter.
    ///
    /// The jobs are grouped by printer, by state, and by whether they wait for a retry.
    package static func countsOfUnfinished(_ filter: JobFilter) -> String {
        """
        SELECT printer, state, retry_at IS NOT NULL, COUNT(*) FROM jobs
        WHERE \(JobStateClause.isUnfinished())\(filter.conditions) GROUP BY 1, 2, 3
        """
    }

    /// Returns the query that counts the ended jobs that match a filter.
    ///
    /// The query reads only an index, unless the filter searches for text or has both a printer and an owner.
    package static func countOfEnded(_ filter: JobFilter) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobStateClause.hasEnded())\(filter.conditions)"
    }

    /// The query for the number of waiting jobs between two positions of a printer's queue.
    ///
    /// If the job at the first position is waiting, this job is counted. The job at the second position is not counted.
    /// Each subquery reads only a range of the index. A query with a single condition would read the whole queue of the
    /// printer.
    package static let waitingBetween = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(JobStateClause.isPending()) AND printer = ?1 AND priority = ?2 AND id >= ?3
                AND id < iif(?2 = ?4, ?5, 9223372036854775807))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobStateClause.isPending()) AND printer = ?1 AND priority < ?2 AND priority > ?4)
            + (SELECT COUNT(*) FROM jobs
               WHERE ?2 > ?4 AND \(JobStateClause.isPending()) AND printer = ?1 AND priority = ?4 AND id < ?5)
        """

    /// The query for the number of jobs that have not ended, for each printer and state.
    package static let unfinishedJobCounts = """
        SELECT printer, state, COUNT(*), MIN(created_at) FROM jobs WHERE \(JobStateClause.isUnfinished())
        GROUP BY printer, state ORDER BY printer, state
        """

    /// The query for the total size of an owner's documents.
    package static let sumBytes = """
        SELECT COALESCE(SUM(documents.bytes), 0) FROM (
            SELECT id FROM jobs WHERE \(JobStateClause.isUnfinished()) AND owner = :owner
            UNION ALL SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND owner = :owner) AS mine
        CROSS JOIN documents ON documents.job_id = mine.id
        WHERE documents.file IS NOT NULL OR documents.content IS NOT NULL
        """

    /// The query for the number of an owner's jobs that wait for documents.
    ///
    /// The query reads every job that waits for documents, regardless of the owner, because these jobs are few.
    package static let countIncoming = "SELECT COUNT(*) FROM jobs WHERE incoming_until IS NOT NULL AND +owner = ?"

    /// The query for the number of ended jobs.
    ///
    /// The query reads only an index.
    package static let endedJobs = "SELECT COUNT(*) FROM jobs WHERE \(JobStateClause.hasEnded())"

    /// The query for the total size of the document files.
    ///
    /// The query reads only an index.
    package static let bytesInFiles = "SELECT SUM(bytes) FROM documents WHERE file IS NOT NULL"
}
