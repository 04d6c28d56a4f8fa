// Removes documents and jobs of the history.

import GRDB
public import PrintModel

extension Spool {
    /// Returns whether a job still has all its documents and can therefore be reprinted; `false` for a job without
    /// documents.
    public func keepsDocuments(of jobID: Int) async throws(SpoolError) -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) > 0 AND COUNT(*) = SUM(file IS NOT NULL OR content IS NOT NULL)
                    FROM documents WHERE job_id = ?
                    """, arguments: [jobID]) ?? false
        }
    }

    /// Deletes the documents of an ended job, and keeps the job in the history.
    ///
    /// - Throws: `noSuchJob`, or `notPossible` for a job that has not ended.
    public func dropDocuments(of jobID: Int) async throws(SpoolError) {
        try await write { [self] db in
            guard try JobRecord.job(jobID, in: db).state.isTerminal else {
                throw SpoolError.notPossible("job \(jobID) has not ended and needs its documents; cancel the job first")
            }
            try forgetDocuments(of: jobID, in: db)
        }
        await store.removeFolders(of: [jobID])
    }

    /// Deletes the documents of all jobs that ended more than `keepSeconds` ago, and keeps the jobs in the history.
    ///
    /// Each step is a separate transaction, so that submissions wait only briefly.
    ///
    /// - Returns: The number of jobs whose documents were deleted.
    @discardableResult
    public func dropDocuments(keepSeconds: Double, now: UnixTime? = nil) async throws(SpoolError) -> Int {
        let oldest = (now ?? clock()) - keepSeconds
        var count = 0
        while !Task.isCancelled {
            let ids = try await read { db in
                try Int.fetchAll(db, sql: Self.droppable, arguments: [oldest, Self.dropStep])
            }
            guard !ids.isEmpty else { break }
            try await write { [self] db in for id in ids { try forgetDocuments(of: id, in: db) } }
            await store.removeFolders(of: ids)
            count += ids.count
        }
        return count
    }

    /// The number of jobs whose documents are deleted in one transaction.
    private static let dropStep = 100

    /// The query for ended jobs that still have documents, in the order in which they ended.
    package static let droppable = """
        SELECT id FROM jobs
        WHERE \(JobCondition.hasEnded()) AND completed_at <= ? AND EXISTS (
            SELECT 1 FROM documents WHERE job_id = jobs.id AND (file IS NOT NULL OR content IS NOT NULL))
        ORDER BY completed_at, id
        LIMIT ?
        """

    /// Deletes the contents and the file names of a job's documents from the database.
    ///
    /// The files are removed after the commit; until their removal the files are orphaned.
    ///
    /// SQLite overwrites the freed pages (`secure_delete`).
    func forgetDocuments(of jobID: Int, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE documents SET file = NULL, content = NULL WHERE job_id = ?")
            .execute(arguments: [jobID])
        forgottenDocuments.add(1, ordering: .relaxed)
    }

    /// Removes the prepared files of an ended job.
    func tidy(_ jobID: Int) async throws(SpoolError) {
        let kept = try await read { db in try Self.files(of: jobID, in: db) }
        await store.tidyFolder(of: jobID, keeping: kept)
    }

    /// Returns the names of a job's document files.
    static func files(of jobID: Int, in db: Database) throws -> Set<String> {
        try String.fetchSet(
            try db.cachedStatement(sql: "SELECT file FROM documents WHERE job_id = ? AND file IS NOT NULL"),
            arguments: [jobID])
    }
}

// MARK: - Purging

extension Spool {
    /// Removes old ended jobs with their documents and events.
    ///
    /// Removes the jobs that ended more than `keepSeconds` ago. When more than `keepJobs` ended jobs remain, also
    /// removes the oldest jobs of the owners with the most jobs (`HistoryShares`). Therefore the jobs of one owner do
    /// not displace the jobs of other owners. Old printer events are removed too. Each transaction removes at most 100
    /// jobs, so that submissions wait only briefly.
    ///
    /// - Returns: The ids of the removed jobs, which are never used again.
    @discardableResult
    public func purge(
        keepJobs: Int = 1000, keepSeconds: Double = 7 * 86400, now: UnixTime? = nil
    ) async throws(SpoolError) -> [Int] {
        let oldest = (now ?? clock()) - keepSeconds
        var removed: [Int] = []
        if let end = try await read({ db in try Self.endOfHistory(oldest: oldest, in: db) }) {
            removed += try await removeInSteps { db in try Self.removeOldest(through: end, in: db) }
        }
        if try await read({ db in try Row.fetchOne(db, sql: Self.endedAfterMany, arguments: [max(0, keepJobs)]) != nil }
        ) {
            let excess = try await read { db in try Self.excess(keepJobs: keepJobs, in: db) }
            for (owner, count) in excess {
                removed += try await removeInSteps(atMost: count) { db, most in
                    try Self.removeOldest(most, of: owner, in: db)
                }
            }
        }
        var removedEvents = 1
        while removedEvents > 0 {
            removedEvents = try await write(.ordered) { db in try Self.removePrinterEvents(before: oldest, in: db) }
        }
        return removed.sorted()
    }

    /// Removes all ended jobs, or only the ended jobs of one printer or owner (IPP `Purge-Jobs`, RFC 8011 §4.2.9).
    ///
    /// The accounting entries of the jobs are kept.
    public func forgetEndedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) {
        while !Task.isCancelled {
            let ids = try await write(.forced) { db in
                let ids =
                    switch (printer, owner) {
                    case (nil, nil): try Int.fetchAll(db, sql: Self.ended)
                    case (let printer?, nil): try Int.fetchAll(db, sql: Self.endedOfPrinter, arguments: [printer])
                    case (nil, let owner?): try Int.fetchAll(db, sql: Self.endedOfOwner, arguments: [owner])
                    case (let printer?, let owner?):
                        try Int.fetchAll(db, sql: Self.endedOfOwnerAtPrinter, arguments: [owner, printer])
                    }
                try Self.remove(ids, in: db)
                return ids
            }
            guard !ids.isEmpty else { return }
            await store.removeFolders(of: ids)
        }
    }

    /// Removes an ended job without documents; does nothing for any other job.
    public func forgetEmptyJob(_ id: Int) async throws(SpoolError) {
        let isRemoved = try await write(.forced) { db in
            let job = try JobRecord.job(id, in: db)
            guard job.state.isTerminal, job.documents.isEmpty else { return false }
            try Self.remove([id], in: db)
            return true
        }
        if isRemoved { await store.removeFolders(of: [id]) }
    }

    /// Removes jobs in steps, each in a separate transaction, until `step` removes no more jobs.
    private func removeInSteps(
        _ step: @escaping @Sendable (Database) throws -> [Int]
    ) async throws(SpoolError) -> [Int] {
        try await removeInSteps(atMost: .max) { db, _ in try step(db) }
    }

    /// Removes at most `count` jobs in steps.
    ///
    /// `step` receives the maximum number of jobs that the step may remove.
    private func removeInSteps(
        atMost count: Int, _ step: @escaping @Sendable (Database, Int) throws -> [Int]
    ) async throws(SpoolError) -> [Int] {
        var removed: [Int] = []
        while !Task.isCancelled, removed.count < count {
            let left = count - removed.count
            // Force the commit onto the disk before the files are removed. Otherwise a power cut could restore rows
            // whose files were removed.
            let ids = try await write(.forced) { db in try step(db, left) }
            guard !ids.isEmpty else { break }
            await store.removeFolders(of: ids)
            removed += ids
        }
        return removed
    }

    /// Returns the end time and the id of the newest job that is too old to be kept; nil if no job is too old.
    private static func endOfHistory(oldest: UnixTime, in db: Database) throws -> (endedAt: UnixTime, id: Int)? {
        try Row.fetchOne(db, sql: endedBefore, arguments: [oldest]).map { ($0[0], $0[1]) }
    }

    /// Returns the owners who have more ended jobs than their share, with the number of excess jobs.
    private static func excess(keepJobs: Int, in db: Database) throws -> [(owner: String, count: Int)] {
        let counts = try Row.fetchAll(db, sql: endedByOwner).map { (owner: $0[0] as String, count: $0[1] as Int) }
        let share = HistoryShares.share(of: counts.map(\.count), most: keepJobs)
        return counts.filter { $0.count > share }.map { ($0.owner, $0.count - share) }
    }

    private static func removeOldest(_ most: Int, of owner: String, in db: Database) throws -> [Int] {
        let ids = try Int.fetchAll(
            try db.cachedStatement(sql: oldestEndedOfOwner), arguments: [owner, min(most, 100)])
        try remove(ids, in: db)
        return ids
    }

    private static func removeOldest(through end: (endedAt: UnixTime, id: Int), in db: Database) throws -> [Int] {
        let ids = try Int.fetchAll(
            try db.cachedStatement(sql: oldestEnded), arguments: [end.endedAt, end.id, 100])
        try remove(ids, in: db)
        return ids
    }

    private static func remove(_ ids: [Int], in db: Database) throws {
        for id in ids {
            try db.cachedStatement(sql: "DELETE FROM events WHERE job_id = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM jobs WHERE id = ?").execute(arguments: [id])
        }
    }

    /// Removes up to 100 printer events before `oldest`, and returns the number of removed events.
    private static func removePrinterEvents(before oldest: UnixTime, in db: Database) throws -> Int {
        try db.execute(sql: removeOldPrinterEvents, arguments: [oldest])
        return db.changesCount
    }

    // MARK: - Statements

    /// The query for one ended job.
    ///
    /// The query sorts ended jobs from the newest to the oldest, and skips the given number of jobs.
    package static let endedAfterMany = """
        SELECT completed_at, id FROM jobs WHERE \(JobCondition.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET ?
        """

    /// The query for the last job that ended before a given time.
    package static let endedBefore = """
        SELECT completed_at, id FROM jobs WHERE \(JobCondition.hasEnded()) AND completed_at < ?
        ORDER BY completed_at DESC, id DESC LIMIT 1
        """

    /// The query for the oldest ended jobs, up to and including a given job.
    package static let oldestEnded = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND (completed_at, id) <= (?, ?) ORDER BY completed_at, id LIMIT ?
        """

    /// The query for ended jobs.
    package static let ended = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// The query for the ended jobs of a printer.
    package static let endedOfPrinter = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND printer = ? ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// The query for the number of ended jobs of each owner.
    package static let endedByOwner = "SELECT owner, COUNT(*) FROM jobs WHERE \(JobCondition.hasEnded()) GROUP BY owner"

    /// The query for the oldest ended jobs of an owner.
    package static let oldestEndedOfOwner = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? ORDER BY completed_at, id LIMIT ?
        """

    /// The query for the ended jobs of an owner.
    package static let endedOfOwner = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// The query for the ended jobs of an owner at a printer.
    ///
    /// The `+` makes SQLite use the index of owners.
    package static let endedOfOwnerAtPrinter = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? AND +printer = ?
        ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// The statement that removes the oldest printer events.
    ///
    /// The events are stored in chronological order.
    package static let removeOldPrinterEvents = """
        DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < ?
        """
}
