// Removes orphaned files and the prepared files of ended jobs.

import Synchronization

/// The file names of the uploads in progress, and the names of folders whose jobs are not stored yet.
final class Arriving: Sendable {
    private let names = Mutex<Set<String>>([])
    private let number = Atomic(100_000_000)

    /// Returns another number of nine digits for each call.
    func makeNumber() -> Int { number.add(1, ordering: .relaxed).oldValue }

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

/// The backups in progress.
///
/// A backup reads the documents that the copied database refers to. Jobs can be removed during the backup. The
/// documents of these jobs remain on the disk until the last backup has ended.
final class DocumentHolds: Sendable {
    private let state = Mutex((count: 0, isRemovalPostponed: false))

    /// Prevents the removal of documents until `end` is called.
    func begin() { state.withLock { $0.count += 1 } }

    /// Ends the protection of documents for one backup.
    ///
    /// - Returns: `true` if a removal was postponed and no other backup is in progress. In that case the caller must
    ///   remove orphaned files.
    func end() -> Bool {
        state.withLock { state in
            state.count -= 1
            guard state.count == 0, state.isRemovalPostponed else { return false }
            state.isRemovalPostponed = false
            return true
        }
    }

    /// Returns whether a backup in progress prevents the removal of documents.
    ///
    /// In that case, records that a removal was postponed.
    func postponeRemoval() -> Bool {
        state.withLock { state in
            guard state.count > 0 else { return false }
            state.isRemovalPostponed = true
            return true
        }
    }
}

extension DocumentStore {
    /// Removes the files that an ended job no longer needs.
    ///
    /// These files are prepared pages, copies of small documents, and unfinished files. If no file is kept, the folder
    /// of the job is removed too.
    ///
    /// - Parameter kept: The names of the job's document files.
    /// - Returns: The number of removed files.
    @discardableResult
    func tidyFolder(of jobID: Int, keeping kept: Set<String>) async -> Int {
        guard !holds.postponeRemoval() else { return 0 }
        return await files.perform { tidyNow(jobID, keeping: kept) }
    }

    /// Removes the files that ended jobs no longer need, after the function returns.
    ///
    /// - Parameter kept: The names of the document files of each job.
    func tidyFoldersLater(keeping kept: [Int: Set<String>]) {
        guard !kept.isEmpty else { return }
        removals.add(Set(kept.keys), in: files) {
            guard !holds.postponeRemoval() else { return }
            for (id, names) in kept { _ = tidyNow(id, keeping: names) }
        }
    }

    private func tidyNow(_ jobID: Int, keeping kept: Set<String>) -> Int {
        let path = folder(of: jobID)
        let names = files.names(in: path)
        let removed = names.filter { !kept.contains($0) }
        if removed.count == names.count {
            files.remove(path)
        } else {
            for name in removed { files.remove(path + "/" + name) }
        }
        return removed.count
    }

    /// Returns all names in the folder for accepted jobs.
    ///
    /// A name is normally the id of a job.
    func jobFolderNames() async -> [String] { await files.perform { files.names(in: jobs) } }

    /// Removes orphaned files from `incoming/`.
    ///
    /// Files of uploads in progress are not removed.
    ///
    /// - Returns: The number of removed files.
    func removeDeadUploads() async -> Int {
        await files.perform {
            // List the folder first, so that the list does not contain later uploads.
            let dead = files.names(in: incoming).filter { name in
                // SQLite writes a journal beside the copy of the database that a backup makes.
                let owner = ["-journal", "-wal", "-shm"].first(where: name.hasSuffix).map { name.dropLast($0.count) }
                return !arriving.contains(name) && !arriving.contains(String(owner ?? ""))
            }
            for name in dead { files.remove(incoming + "/" + name) }
            return dead.count
        }
    }

    /// Removes the folder of a job quickly, and returns the paths of the files that must still be removed.
    ///
    /// The files are moved to `incoming/`. If this process exits, the next removal of orphaned files deletes the files
    /// from `incoming/`. The function does not delete the files, because deleting a large file is slow and the caller
    /// blocks all writers.
    func setAside(_ name: String) -> [String] {
        let path = jobs + "/" + name
        var moved: [String] = []
        for file in files.names(in: path) {
            let newPath = incoming + "/" + makeName()
            guard (try? files.rename(path + "/" + file, to: newPath)) != nil else { continue }
            moved.append(newPath)
        }
        files.remove(path)
        return moved
    }

    /// Deletes the given files.
    func remove(_ paths: [String]) async {
        await files.perform { for path in paths { files.remove(path) } }
    }
}
