// The removal of orphaned files.

import Synchronization

/// The names of the documents whose upload is in progress.
final class Arriving: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

extension DocumentStore {
    /// Removes the files that an ended job no longer requires.
    ///
    /// These are prepared pages, small documents that the database contains, and incomplete files. The folder is
    /// removed if it is empty.
    ///
    /// - Parameter kept: The names of the files that contain the job's documents.
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

    /// Returns the names in `jobs/`: job numbers, and any other names.
    func jobFolderNames() async -> [String] { await files.perform { files.names(in: jobs) } }

    /// Removes orphaned files of `incoming/`, except uploads in progress.
    ///
    /// - Returns: The number of removed files.
    func removeDeadUploads() async -> Int {
        await files.perform {
            // The folder is listed first, so that the list does not contain uploads that begin after that.
            let dead = files.names(in: incoming).filter { !arriving.contains($0) }
            for name in dead { files.remove(incoming + "/" + name) }
            return dead.count
        }
    }

    /// Moves a folder out of `jobs/` at once, and returns the files that must still be removed.
    ///
    /// The files are renamed into `incoming/`, where they are orphaned if this process ends. Removing a large file
    /// takes time, and the caller blocks all writes.
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

    /// Removes files.
    func remove(_ paths: [String]) async {
        await files.perform { for path in paths { files.remove(path) } }
    }
}
