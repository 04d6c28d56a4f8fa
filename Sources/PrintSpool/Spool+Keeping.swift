// How long documents are kept.

import GRDB
public import PrintModel

extension Spool {
    /// Whether a job has all its documents still, so that it can be printed once more; false for one without any.
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

    /// Forgets the documents of a job that has ended; its history stays.
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

    /// Forgets the documents of all jobs that ended longer ago than `keepSeconds`; their history stays.
    ///
    /// It works in small steps, each a transaction of its own, so that nobody who submits meanwhile waits long.
    ///
    /// - Returns: how many jobs had documents to forget.
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

    /// How many jobs' documents are forgotten in one transaction.
    private static let dropStep = 100

    /// Finds jobs that have ended and still have documents: those that ended first come first.
    package static let droppable = """
        SELECT id FROM jobs
        WHERE state >= 7 AND completed_at <= ? AND EXISTS (
            SELECT 1 FROM documents WHERE job_id = jobs.id AND (file IS NOT NULL OR content IS NOT NULL))
        ORDER BY completed_at, id
        LIMIT ?
        """

    /// Takes the bytes and the files' names from a job's documents; the files go after the commit, or are orphans.
    ///
    /// SQLite overwrites what it frees (`secure_delete`).
    func forgetDocuments(of jobID: Int, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE documents SET file = NULL, content = NULL WHERE job_id = ?")
            .execute(arguments: [jobID])
        forgottenDocuments.add(1, ordering: .relaxed)
    }

    /// Removes what a job that has ended needs no more.
    func tidy(_ jobID: Int) async throws(SpoolError) {
        let kept = try await read { db in try Self.files(of: jobID, in: db) }
        await store.tidyFolder(of: jobID, keeping: kept)
    }

    /// The names of the files that a job's documents are.
    static func files(of jobID: Int, in db: Database) throws -> Set<String> {
        try String.fetchSet(
            try db.cachedStatement(sql: "SELECT file FROM documents WHERE job_id = ? AND file IS NOT NULL"),
            arguments: [jobID])
    }
}
