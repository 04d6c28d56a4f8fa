// Lists and counts jobs.

import GRDB
public import PrintModel

extension Spool {
    /// Returns the job with the given id; nil if the job does not exist.
    public func job(_ id: Int) async throws(SpoolError) -> Job? {
        try await read { db in try JobRecord.jobs(JobRecord.byID, [id], in: db).first }
    }

    /// Returns all jobs that match a filter, in the order of the list.
    public func jobs(
        _ filter: JobFilter = JobFilter(), in range: JobListRange = .all
    ) async throws(SpoolError) -> [Job] {
        try await read { [self] db in
            var pages = listing(filter, in: range)
            var jobs: [Job] = []
            while let page = try pages.next(1000, in: db) { jobs += page }
            return jobs
        }
    }

    /// Returns the jobs that match a filter, as a list that is read page by page.
    ///
    /// The memory use depends only on the number of unfinished jobs, with eight bytes for each unfinished job.
    public func listing(_ filter: JobFilter = JobFilter(), in range: JobListRange = .all) -> JobListing {
        JobListing(filter, in: range, of: self)
    }

    /// Returns the number of jobs of the same printer that are ahead of a job (IPP `number-of-intervening-jobs`); 0 if
    /// the job is not waiting.
    ///
    /// Held and suspended jobs are not counted.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { db in try Int.fetchOne(db, sql: Self.waitingBefore, arguments: [id]) ?? 0 }
    }

    /// The query for the number of jobs ahead of a job.
    ///
    /// The query reads only indexes, except for the few jobs in progress.
    package static let waitingBefore = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(JobCondition.isInProgress("jobs")) AND jobs.printer = mine.printer
                AND \(JobCondition.isNotSuspended("jobs")))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobCondition.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobCondition.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority = mine.priority AND jobs.id < mine.id)
        FROM jobs AS mine WHERE mine.id = ?
            AND mine.state IN (\(JobState.pending.rawValue), \(JobState.pendingHeld.rawValue))
        """

    /// Returns the number of jobs that have not ended (IPP `queued-job-count`), of all printers and owners, or of one
    /// printer or owner.
    public func countQueuedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) -> Int {
        try await read { db in
            try Int.fetchOne(
                try db.cachedStatement(sql: Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)),
                arguments: StatementArguments([printer, owner].compactMap(\.self))) ?? 0
        }
    }

    /// Returns the query that counts jobs that have not ended.
    ///
    /// The query reads only an index, unless both a printer and an owner are given.
    package static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.isUnfinished())\(ofPrinter ? " AND printer = ?" : "")"
            + (ofOwner ? " AND owner = ?" : "")
    }

    /// Counts the jobs that match a filter.
    ///
    /// The states and job numbers of the filter are ignored.
    ///
    /// - Parameter troubledPrinters: The names of the printers that need attention.
    public func countJobs(_ filter: JobFilter, troubledPrinters: Set<String>) async throws(SpoolError) -> JobCounts {
        var filter = filter
        (filter.isHeld, filter.troubledPrinters) = (nil, nil)
        let plain = filter
        return try await read { db in
            var counts = JobCounts()
            let unfinished = try Row.fetchCursor(
                try db.cachedStatement(sql: Self.countsOfUnfinished(plain)),
                arguments: StatementArguments(plain.arguments))
            while let row = try unfinished.next() {
                let (printer, state, isRetrying): (String, Int, Bool) = (row[0], row[1], row[2])
                let count: Int = row[3]
                counts.queuedByPrinter[printer, default: 0] += count
                guard state != JobState.pendingHeld.rawValue else {
                    counts.held += count
                    continue
                }
                counts.active += count
                if state == JobState.processingStopped.rawValue || isRetrying || troubledPrinters.contains(printer) {
                    counts.attention += count
                }
            }
            counts.ended =
                try Int.fetchOne(
                    try db.cachedStatement(sql: Self.countOfEnded(plain)),
                    arguments: StatementArguments(plain.arguments)) ?? 0
            return counts
        }
    }

    /// Returns the query that counts the jobs that have not ended, by printer and state.
    package static func countsOfUnfinished(_ filter: JobFilter) -> String {
        """
        SELECT printer, state, retry_at IS NOT NULL, COUNT(*) FROM jobs
        WHERE \(JobCondition.isUnfinished())\(filter.conditions) GROUP BY 1, 2, 3
        """
    }

    /// Returns the query that counts the ended jobs.
    ///
    /// The query reads only an index, unless the filter searches for text or has both a printer and an owner.
    package static func countOfEnded(_ filter: JobFilter) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.hasEnded())\(filter.conditions)"
    }

    /// Returns, for each given job, the number of jobs that the same printer prints first.
    ///
    /// The result contains only waiting and held jobs. The query counts each job of the queue at most once for all
    /// given jobs together.
    public func countWaitingBefore(_ jobs: [Job]) async throws(SpoolError) -> [Int: Int] {
        let waiting = jobs.filter { $0.state == .pending || $0.state == .pendingHeld }
        guard !waiting.isEmpty else { return [:] }
        return try await read { db in
            var counts: [Int: Int] = [:]
            for (printer, group) in Dictionary(grouping: waiting, by: \.printer) {
                let ordered = group.sorted { ($0.priority, -$0.id) > ($1.priority, -$1.id) }
                var previous: Job?
                var count = 0
                for job in ordered {
                    if let previous {
                        let between = try db.cachedStatement(sql: Self.waitingBetween)
                        let arguments: StatementArguments = [
                            printer, previous.priority, previous.id, job.priority, job.id,
                        ]
                        count += try Int.fetchOne(between, arguments: arguments) ?? 0
                    } else {
                        let before = try db.cachedStatement(sql: Self.waitingBefore)
                        count = try Int.fetchOne(before, arguments: [job.id]) ?? 0
                    }
                    counts[job.id] = count
                    previous = job
                }
            }
            return counts
        }
    }

    /// The query for the number of waiting jobs from one position of a printer's queue to another.
    ///
    /// If the job at the first position is waiting, this job is counted. The job at the second position is not counted.
    /// Each subquery reads only a range of the index. A query with a single condition would read the whole queue of the
    /// printer.
    package static let waitingBetween = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(JobCondition.isPending()) AND printer = ?1 AND priority = ?2 AND id >= ?3
                AND id < iif(?2 = ?4, ?5, 9223372036854775807))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobCondition.isPending()) AND printer = ?1 AND priority < ?2 AND priority > ?4)
            + (SELECT COUNT(*) FROM jobs
               WHERE ?2 > ?4 AND \(JobCondition.isPending()) AND printer = ?1 AND priority = ?4 AND id < ?5)
        """
}
