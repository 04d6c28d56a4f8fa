// Files that belong to no job any more.

import Synchronization

/// The names of the documents that are on their way in.
final class Arriving: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

extension DocumentStore {
    /// Removes what a job that has ended needs no more.
    ///
    /// That is the prepared pages, small documents that the database has, what was left half written; and its folder
    /// when nothing is kept.
    ///
    /// - Parameter kept: the names of the files that are the job's documents.
    /// - Returns: how many files there were.
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

    /// The names in `jobs/`: numbers of jobs, and whatever else got there.
    func jobFolderNames() async -> [String] { await files.perform { files.names(in: jobs) } }

    /// Removes files of `incoming/` that are nobody's: what is on its way in stays.
    ///
    /// - Returns: how many there were.
    func removeDeadUploads() async -> Int {
        await files.perform {
            // Listed first: what begins after that is not in the list.
            let dead = files.names(in: incoming).filter { !arriving.contains($0) }
            for name in dead { files.remove(incoming + "/" + name) }
            return dead.count
        }
    }

    /// Takes a folder out of `jobs/` at once, and says which files must still be removed.
    ///
    /// They are renamed into `incoming/`, where they are nobody's if this process dies: removing a large file takes its
    /// time, and whoever calls this holds up all who write.
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
