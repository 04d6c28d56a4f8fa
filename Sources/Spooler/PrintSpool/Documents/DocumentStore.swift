// Manages the files of jobs.

import PrintModel

/// The files of the spool: `incoming/` for uploads, `jobs/<id>/` for accepted jobs, `output/` for the output of
/// simulated printers.
struct DocumentStore: Sendable {
    /// The spool's folder.
    let folder: String
    /// The file system operations.
    let files: Files
    /// The closure that returns a unique name.
    let makeName: @Sendable () -> String

    /// The uploads in progress, which a sweep must not remove.
    let arriving = Arriving()

    var incoming: String { folder + "/incoming" }
    var jobs: String { folder + "/jobs" }

    /// Creates the missing folders.
    func makeFolders() throws(SpoolError) {
        try files.makeFolders(folder)
        for path in [incoming, jobs, folder + "/output"] { try files.makeFolder(path) }
        try files.syncFolder(folder)
    }

    /// Removes the files that a dead process left behind: unfinished uploads, folders without a job, and temporary
    /// files.
    ///
    /// A temporary file in a job's folder has the name of its target file, a dot and a suffix.
    ///
    /// - Parameter existing: A closure that returns the ids of existing jobs among the given numbers.
    /// - Returns: The number of removed files and folders.
    func sweep(keeping existing: ([Int]) throws -> Set<Int>) rethrows -> Int {
        let uploads = files.names(in: incoming)
        for name in uploads { files.remove(incoming + "/" + name) }
        let names = files.names(in: jobs)
        let kept = try existing(names.compactMap { Int($0) })
        let orphans = names.filter { name in Int(name).map { !kept.contains($0) } ?? true }
        for name in orphans { files.remove(jobs + "/" + name) }
        var count = uploads.count + orphans.count
        for id in kept.sorted() {
            let folder = folder(of: id)
            for file in files.names(in: folder) where file.count(where: { $0 == "." }) > 1 {
                files.remove(folder + "/" + file)
                count += 1
            }
        }
        return count
    }

    /// Returns a document for an upload.
    ///
    /// `ended` is called when the document belongs to a job, or when the document is discarded.
    func makeIncoming(ended: @escaping @Sendable () -> Void = {}) -> IncomingDocument {
        let name = makeName()
        arriving.insert(name)
        return IncomingDocument(spillingTo: incoming + "/" + name, in: files) { [arriving] in
            arriving.remove(name)
            ended()
        }
    }

    /// Returns the path of a job's folder.
    func folder(of jobID: Int) -> String { "\(jobs)/\(jobID)" }

    /// Returns the name of a document's file in the folder of its job.
    func fileName(_ number: Int, _ format: DocumentFormat) -> String { "document-\(number).\(format.fileExtension)" }

    /// Moves a finished document durably into the folder of its job.
    func place(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        let folder = folder(of: jobID)
        try files.makeFolder(folder)
        try document.move(to: folder + "/" + fileName)
        try files.syncFolder(folder)
        try files.syncFolder(jobs)
    }

    /// Creates a durable hard link to a file of one job in the folder of another job.
    ///
    /// The contents never change.
    func share(_ fileName: String, of jobID: Int, with otherID: Int) throws(SpoolError) {
        let (path, newPath) = ("\(folder(of: jobID))/\(fileName)", "\(folder(of: otherID))/\(fileName)")
        try files.makeFolder(folder(of: otherID))
        files.remove(newPath)
        try files.link(path, to: newPath)
        try files.syncFolder(folder(of: otherID))
        try files.syncFolder(jobs)
    }

    /// Writes a small document to a file atomically, and returns the path.
    ///
    /// The file is written again on each call, because a file from before a crash may be incomplete. The file is not
    /// synced, because the database contains the document.
    func materialize(_ bytes: [UInt8], as fileName: String, jobID: Int) throws(SpoolError) -> String {
        let folder = folder(of: jobID)
        try files.makeFolder(folder)
        let path = folder + "/" + fileName
        let temporary = "\(path).\(makeName())"
        let descriptor = try files.create(temporary)
        do {
            defer { files.close(descriptor) }
            try files.write(bytes, to: descriptor, path: path)
        } catch {
            files.remove(temporary)
            throw error
        }
        try files.rename(temporary, to: path)
        return path
    }

    /// Removes the folders of jobs.
    func removeFolders(of jobIDs: [Int]) async {
        await files.perform { for id in jobIDs { files.remove(folder(of: id)) } }
    }

    /// Runs blocking disk operations on another thread.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        let result = await files.perform { Result(catching: body) }
        return try result.get()
    }
}
