// Removes orphaned files, and reports the sizes of the spool's contents.

import PrintModel

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
            let (known, ended) = try await read { snapshot in
                (try snapshot.existingJobs(ids), try snapshot.documentFiles(ofEndedJobs: ids))
            }
            for (id, kept) in ended { count += await store.tidyFolder(of: id, keeping: kept) }
            count += try await removeFolders(some.filter { Int($0).map { !known.contains($0) } ?? true })
        }
        if database.largeDocuments != nil {
            count += try await write(.ordered) { transaction in try transaction.removeUnusedContents() }
        }
        orphans.add(count, ordering: .relaxed)
        if forgottenDocuments.exchange(0, ordering: .relaxed) > 0 { await overwriteLog() }
        return count
    }

    /// The number of folders that one transaction checks.
    private static let sweepStep = 500

    /// Checks the given folders again, and removes each folder that does not belong to a job.
    ///
    /// A submission creates the job's folder first, and then the job's row. Until then, the folder is in `arriving`.
    /// Only one write runs at a time, and the check is also a write. Therefore every other folder of a submitted job has
    /// a row when the check runs.
    private func removeFolders(_ names: [String]) async throws(SpoolError) -> Int {
        guard !names.isEmpty, !store.holds.postponeRemoval() else { return 0 }
        let (paths, count) = try await write { [store] transaction in
            let names = names.filter { !store.arriving.contains($0) }
            let known = try transaction.existingJobs(names.compactMap { Int($0) })
            let orphans = names.filter { Int($0).map { !known.contains($0) } ?? true }
            return (orphans.flatMap { store.setAside($0) }, orphans.count)
        }
        await store.remove(paths)
        return count
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
        return try await read { snapshot in
            let usage = try snapshot.usage()
            return Usage(
                jobs: usage.ended + usage.unfinished, unfinished: usage.unfinished,
                databaseBytes: usage.databaseBytes, fileBytes: usage.fileBytes, orphansRemoved: removed)
        }
    }
}
