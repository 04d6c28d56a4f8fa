// The retention of documents and ended jobs.

import GRDB
public import PrintModel

extension Spool {
    /// Returns whether a job still has all its documents, so that it can be printed again; false for a job without
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

    /// Removes the documents of an ended job.
    ///
    /// The job remains in the history.
    ///
    /// - Throws: `noSuchJob`, `notPossible` for a job that has not ended.
    public func dropDocuments(of jobID: Int) async throws(SpoolError) {
        try await write { [self] db in
            guard try JobRecord.job(jobID, in: db).state.isTerminal else {
                throw SpoolError.notPossible("job \(jobID) has not ended and needs its documents; cancel it first")
            }
            try forgetDocuments(of: jobID, in: db)
        }
        await store.removeFolders(of: [jobID])
    }

    /// Removes the documents of all jobs that ended longer ago than `keepSeconds`.
    ///
    /// The jobs remain in the history.
    ///
    /// The work is divided into small transactions, so that it does not delay submissions.
    ///
    /// - Returns: The number of jobs whose documents were removed.
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

    /// The number of jobs whose documents are removed in one transaction.
    private static let dropStep = 100

    /// Finds ended jobs that still have documents, oldest end first.
    package static let droppable = """
        SELECT id FROM jobs
        WHERE \(JobCondition.hasEnded()) AND completed_at <= ? AND EXISTS (
            SELECT 1 FROM documents WHERE job_id = jobs.id AND (file IS NOT NULL OR content IS NOT NULL))
        ORDER BY completed_at, id
        LIMIT ?
        """

    /// Removes the contents and the file names of a job's documents.
    ///
    /// The files are removed after the commit, or by the next sweep.
    ///
    /// SQLite overwrites the freed space (`secure_delete`).
    func forgetDocuments(of jobID: Int, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE documents SET file = NULL, content = NULL WHERE job_id = ?")
            .execute(arguments: [jobID])
        forgottenDocuments.add(1, ordering: .relaxed)
    }

    /// Removes the files that an ended job no longer requires.
    func tidy(_ jobID: Int) async throws(SpoolError) {
        let kept = try await read { db in try Self.files(of: jobID, in: db) }
        await store.tidyFolder(of: jobID, keeping: kept)
    }

    /// Returns the names of the files that contain a job's documents.
    static func files(of jobID: Int, in db: Database) throws -> Set<String> {
        try String.fetchSet(
            try db.cachedStatement(sql: "SELECT file FROM documents WHERE job_id = ? AND file IS NOT NULL"),
            arguments: [jobID])
    }
}

// MARK: - Purging

extension Spool {
    /// Removes old ended jobs, with their documents and events.
    ///
    /// Jobs are removed that ended longer ago than `keepSeconds`. If more than `keepJobs` jobs remain, the oldest jobs
    /// of the owners with the most jobs are removed (`HistoryShares`), so that one user's jobs do not displace the jobs
    /// of others. Events of printers are removed by age too. Each transaction removes one hundred jobs at most, so a
    /// concurrent submission waits only for one such step.
    ///
    /// - Returns: The ids of the removed jobs. They are never used again.
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

    /// Removes the ended jobs of a printer, or of all printers (IPP `Purge-Jobs`, RFC 8011 §4.2.9).
    ///
    /// The accounting entries remain.
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

    /// Removes an ended job that never had a document.
    ///
    /// Other jobs remain.
    public func forgetEmptyJob(_ id: Int) async throws(SpoolError) {
        let isRemoved = try await write(.forced) { db in
            let job = try JobRecord.job(id, in: db)
            guard job.state.isTerminal, job.documents.isEmpty else { return false }
            try Self.remove([id], in: db)
            return true
        }
        if isRemoved { await store.removeFolders(of: [id]) }
    }

    /// Removes jobs in several transactions, until `step` finds no more jobs.
    private func removeInSteps(
        _ step: @escaping @Sendable (Database) throws -> [Int]
    ) async throws(SpoolError) -> [Int] {
        try await removeInSteps(atMost: .max) { db, _ in try step(db) }
    }

    /// Removes at most `count` jobs in several transactions.
    ///
    /// `step` receives the number of jobs still to remove.
    private func removeInSteps(
        atMost count: Int, _ step: @escaping @Sendable (Database, Int) throws -> [Int]
    ) async throws(SpoolError) -> [Int] {
        var removed: [Int] = []
        while !Task.isCancelled, removed.count < count {
            let left = count - removed.count
            // The commit is flushed before the files are removed, so that no row can return without its files.
            let ids = try await write(.forced) { db in try step(db, left) }
            guard !ids.isEmpty else { break }
            await store.removeFolders(of: ids)
            removed += ids
        }
        return removed
    }

    /// Returns the end time and the number of the newest job that is too old; nil when no job is too old.
    private static func endOfHistory(oldest: UnixTime, in db: Database) throws -> (endedAt: UnixTime, id: Int)? {
        try Row.fetchOne(db, sql: endedBefore, arguments: [oldest]).map { ($0[0], $0[1]) }
    }

    /// Returns the owners with more ended jobs than allowed, and the number of excess jobs.
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

    /// Removes old events of printers, and returns their number.
    private static func removePrinterEvents(before oldest: UnixTime, in db: Database) throws -> Int {
        try db.execute(sql: removeOldPrinterEvents, arguments: [oldest])
        return db.changesCount
    }

    // MARK: - Statements

    /// Finds the oldest job to remove when at most the given number of jobs may remain.
    package static let endedAfterMany = """
        SELECT completed_at, id FROM jobs WHERE \(JobCondition.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET ?
        """

    /// Finds the last job that ended before a time.
    package static let endedBefore = """
        SELECT completed_at, id FROM jobs WHERE \(JobCondition.hasEnded()) AND completed_at < ?
        ORDER BY completed_at DESC, id DESC LIMIT 1
        """

    /// Finds the oldest ended jobs, up to a given end time and number.
    package static let oldestEnded = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND (completed_at, id) <= (?, ?) ORDER BY completed_at, id LIMIT ?
        """

    /// Finds ended jobs.
    package static let ended = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// Finds ended jobs of a printer.
    package static let endedOfPrinter = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND printer = ? ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// Counts the ended jobs of each owner.
    package static let endedByOwner = "SELECT owner, COUNT(*) FROM jobs WHERE \(JobCondition.hasEnded()) GROUP BY owner"

    /// Finds the oldest ended jobs of an owner.
    package static let oldestEndedOfOwner = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? ORDER BY completed_at, id LIMIT ?
        """

    /// Finds ended jobs of an owner.
    package static let endedOfOwner = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// Finds ended jobs of an owner at a printer.
    ///
    /// The `+` makes SQLite use the index of owners.
    package static let endedOfOwnerAtPrinter = """
        SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = ? AND +printer = ?
        ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// Removes the oldest events of printers.
    ///
    /// Their sequence numbers are in the order of time.
    package static let removeOldPrinterEvents = """
        DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < ?
        """
}

// MARK: - Sweeping

extension Spool {
    /// Removes orphaned files, and the files that ended jobs no longer require.
    ///
    /// A process that is killed leaves such files behind: incomplete uploads, folders without a job, and prepared pages
    /// of jobs that have ended since. Uploads in progress and the files of unfinished jobs are never removed.
    ///
    /// - Returns: The number of removed files and folders.
    @discardableResult
    public func sweep() async throws(SpoolError) -> Int {
        var count = await store.removeDeadUploads()
        let names = await store.jobFolderNames()
        for start in stride(from: 0, to: names.count, by: Self.sweepStep) where !Task.isCancelled {
            let some = names[start..<min(start + Self.sweepStep, names.count)]
            let ids = some.compactMap { Int($0) }
            let (known, ended) = try await read { db in
                (try JobRecord.existing(ids, in: db), try Self.ended(ids, in: db))
            }
            for (id, kept) in ended { count += await store.tidyFolder(of: id, keeping: kept) }
            count += try await removeFolders(some.filter { Int($0).map { !known.contains($0) } ?? true })
        }
        orphans.add(count, ordering: .relaxed)
        if forgottenDocuments.exchange(0, ordering: .relaxed) > 0 { await overwriteLog() }
        return count
    }

    /// The number of folders that one transaction checks.
    private static let sweepStep = 500

    /// Removes folders that had no job when they were listed.
    ///
    /// A submission creates the folder before the row of the job, both in one transaction. Therefore only a check
    /// between transactions can find out that a folder has no job.
    private func removeFolders(_ names: [String]) async throws(SpoolError) -> Int {
        guard !names.isEmpty else { return 0 }
        let (paths, count) = try await write { [store] db in
            let known = try JobRecord.existing(names.compactMap { Int($0) }, in: db)
            let orphans = names.filter { Int($0).map { !known.contains($0) } ?? true }
            return (orphans.flatMap { store.setAside($0) }, orphans.count)
        }
        await store.remove(paths)
        return count
    }

    /// Returns the ended jobs, with the names of their stored files.
    private static func ended(_ ids: [Int], in db: Database) throws -> [Int: Set<String>] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT jobs.id, documents.file FROM jobs LEFT JOIN documents ON documents.job_id = jobs.id
                WHERE jobs.id IN (SELECT value FROM json_each(?)) AND \(JobCondition.hasEnded("jobs"))
                """, arguments: [JobRecord.list(ids)])
        return rows.reduce(into: [:]) { found, row in
            let file: String? = row[1]
            found[row[0], default: []].formUnion(file.map { [$0] } ?? [])
        }
    }

    /// Returns the number and the size of the spool's contents.
    public struct Usage: Hashable, Sendable {
        /// The number of all jobs, including ended jobs.
        public var jobs: Int
        /// The number of unfinished jobs.
        public var unfinished: Int
        /// The size of the database, including small documents, in bytes.
        public var databaseBytes: Int
        /// The size of the documents in separate files, in bytes.
        public var fileBytes: Int
        /// The number of orphaned files and folders that were removed since the spool was opened.
        public var orphansRemoved: Int
    }

    /// Returns the number and the size of the spool's contents.
    public func holdings() async throws(SpoolError) -> Usage {
        let removed = orphans.load(ordering: .relaxed)
        return try await read { db in
            func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            let unfinished = try number(Self.queuedJobs(ofPrinter: false, ofOwner: false))
            return Usage(
                jobs: try number(Self.endedJobs) + unfinished, unfinished: unfinished,
                databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size"),
                fileBytes: try number(Self.bytesInFiles), orphansRemoved: removed)
        }
    }

    /// Counts the ended jobs, from an index alone.
    package static let endedJobs = "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.hasEnded())"

    /// Adds up the sizes of the documents in files, from an index alone.
    package static let bytesInFiles = "SELECT SUM(bytes) FROM documents WHERE file IS NOT NULL"
}
