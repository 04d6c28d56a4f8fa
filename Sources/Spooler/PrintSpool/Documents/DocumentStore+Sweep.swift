// Removes orphaned files and the prepared files of ended jobs.

import Synchronization

/// The file names of the uploads in progress.
final class Arriving: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

extension DocumentStore {
    /// Removes the files that an ended job no longer needs.
    ///
    /// Prepared pages, copies of small documents, and unfinished files are no longer needed. If no file is kept, the
    /// folder is removed too.
    ///
    /// - Parameter kept: The names of the job's document files.
    /// - Returns: The number of removed files.
    @discardableResult
    func tidyFolder(of jobID: Int, keeping kept: Set<String>) async -> Int {
        await files.perform { tidyNow(jobID, keeping: kept) }
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

    /// Returns all names in `jobs/`.
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
            let dead = files.names(in: incoming).filter { !arriving.contains($0) }
            for name in dead { files.remove(incoming + "/" + name) }
            return dead.count
        }
    }

    /// Removes a folder from `jobs/` quickly, and returns the paths of the files that must still be removed.
    ///
    /// The files are moved to `incoming/`. If this process dies, a later sweep removes them from there. The files are
    /// not removed immediately, because removing a large file is slow and the caller blocks all writers.
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

    /// Removes the given files.
    func remove(_ paths: [String]) async {
        await files.perform { for path in paths { files.remove(path) } }
    }
}
