// What a process that died left behind, and how much the spool holds.

import GRDB

extension Spool {
    /// Removes files that belong to no job any more, and what ended jobs need no more.
    ///
    /// A process that is killed leaves them: uploads that nobody will end, folders of jobs that never were, prepared pages
    /// of jobs that have ended since. What is on its way in, and whatever a job that has not ended has, is never touched.
    ///
    /// - Returns: how many files and folders there were.
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

    /// How many folders are looked at in one transaction.
    private static let sweepStep = 500

    /// Removes folders that no job had when they were looked at.
    ///
    /// Whoever submits makes the folder before the row that names the job, both in one transaction: only between
    /// transactions can be known that a folder is nobody's.
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

    /// The jobs that have ended, with the names of the files that are kept of them.
    private static func ended(_ ids: [Int], in db: Database) throws -> [Int: Set<String>] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT jobs.id, documents.file FROM jobs LEFT JOIN documents ON documents.job_id = jobs.id
                WHERE jobs.id IN (SELECT value FROM json_each(?)) AND jobs.state >= 7
                """, arguments: [JobRecord.list(ids)])
        return rows.reduce(into: [:]) { found, row in
            let file: String? = row[1]
            found[row[0], default: []].formUnion(file.map { [$0] } ?? [])
        }
    }

    /// How much the spool holds.
    public struct Holdings: Hashable, Sendable {
        /// All jobs, those that have ended included.
        public var jobs: Int
        /// Those that have not ended.
        public var unfinished: Int
        /// The size of the database, small documents included, in bytes.
        public var databaseBytes: Int
        /// The size of the documents in files of their own, in bytes.
        public var fileBytes: Int
        /// The files and folders of nobody that were removed since the spool was opened.
        public var orphansRemoved: Int
    }

    /// How much the spool holds.
    public func holdings() async throws(SpoolError) -> Holdings {
        let removed = orphans.load(ordering: .relaxed)
        return try await read { db in
            func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            let unfinished = try number(Self.queuedJobs(ofPrinter: false, ofOwner: false))
            return Holdings(
                jobs: try number(Self.endedJobs) + unfinished, unfinished: unfinished,
                databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size"),
                fileBytes: try number(Self.bytesInFiles), orphansRemoved: removed)
        }
    }

    /// Counts the jobs that have ended, in an index alone.
    package static let endedJobs = "SELECT COUNT(*) FROM jobs WHERE state >= 7"

    /// Adds up the documents that are files, in an index alone.
    package static let bytesInFiles = "SELECT SUM(bytes) FROM documents WHERE file IS NOT NULL"
}
