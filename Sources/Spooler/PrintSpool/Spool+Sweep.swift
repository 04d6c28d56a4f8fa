// Removes orphaned files, and reports the sizes of the spool's contents.

import GRDB
public import PrintModel

extension Spool {
    /// Removes orphaned files, and the prepared files of ended jobs.
    ///
    /// A killed process may leave unfinished uploads, folders of uncommitted jobs, and prepared pages of ended jobs.
    /// Uploads in progress and the files of jobs that have not ended are never removed. During a backup, the folders of
    /// jobs remain.
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

    /// Removes folders without a job, after a second check.
    ///
    /// A submission creates the job's folder and then the job's row in one transaction. Therefore the check runs
    /// between transactions, because every folder of a submitted job then has a row.
    private func removeFolders(_ names: [String]) async throws(SpoolError) -> Int {
        guard !names.isEmpty, !store.holds.postponeRemoval() else { return 0 }
        let (paths, count) = try await write { [store] db in
            let known = try JobRecord.existing(names.compactMap { Int($0) }, in: db)
            let orphans = names.filter { Int($0).map { !known.contains($0) } ?? true }
            return (orphans.flatMap { store.setAside($0) }, orphans.count)
        }
        await store.remove(paths)
        return count
    }

    /// Returns the ended jobs among `ids`, with the names of the jobs' document files.
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

    /// The job counts and file sizes of a spool.
    public struct Usage: Hashable, Sendable {
        /// The number of all jobs, including ended jobs.
        public var jobs: Int
        /// The number of jobs that have not ended.
        public var unfinished: Int
        /// The size of the database including small documents, in bytes.
        public var databaseBytes: Int
        /// The size of the documents that are stored as files, in bytes.
        public var fileBytes: Int
        /// The number of orphaned files and folders that were removed since the spool was opened.
        public var orphansRemoved: Int
    }

    /// Returns the job counts, the disk usage and the number of removed orphaned files.
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

    /// The query for the number of ended jobs, which reads only an index.
    package static let endedJobs = "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.hasEnded())"

    /// The query for the total size of the document files, which reads only an index.
    package static let bytesInFiles = "SELECT SUM(bytes) FROM documents WHERE file IS NOT NULL"
}
