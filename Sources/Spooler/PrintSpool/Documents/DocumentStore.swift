// The files of jobs.

import PrintModel

/// The files of the spool.
///
/// `incoming/` contains uploads in progress, `jobs/<id>/` the files of accepted jobs, and `output/` the output of
/// simulated printers.
struct DocumentStore: Sendable {
    /// The spool's folder.
    let folder: String
    /// The calls that create files.
    let files: Files
    /// Creates a unique name.
    let makeName: @Sendable () -> String

    /// The uploads in progress, which a sweep must not remove.
    let arriving = Arriving()

    var incoming: String { folder + "/incoming" }
    var jobs: String { folder + "/jobs" }

    /// Creates missing folders.
    func makeFolders() throws(SpoolError) {
        try files.makeFolders(folder)
        for path in [incoming, jobs, folder + "/output"] { try files.makeFolder(path) }
        try files.syncFolder(folder)
    }

    /// Removes the files that a killed process left: uploads, folders without a job, and incomplete files in the other
    /// folders, which have the name of the final file, a dot and a suffix.
    ///
    /// - Parameter existing: Returns those of the given numbers that belong to jobs.
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

    /// Creates a document that is written in chunks.
    ///
    /// `ended` is called when a job owns the document, or when it is discarded.
    func makeIncoming(ended: @escaping @Sendable () -> Void = {}) -> IncomingDocument {
        let name = makeName()
        arriving.insert(name)
        return IncomingDocument(spillingTo: incoming + "/" + name, in: files) { [arriving] in
            arriving.remove(name)
            ended()
        }
    }

    /// Returns the folder of a job.
    func folder(of jobID: Int) -> String { "\(jobs)/\(jobID)" }

    /// Returns the file name of a document in its job's folder.
    func fileName(_ number: Int, _ format: DocumentFormat) -> String { "document-\(number).\(format.fileExtension)" }

    /// Moves a finished document into its job's folder, and flushes the folder.
    func place(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        let folder = folder(of: jobID)
        try files.makeFolder(folder)
        try document.move(to: folder + "/" + fileName)
        try files.syncFolder(folder)
        try files.syncFolder(jobs)
    }

    /// Links a file of one job into the folder of another job, and flushes the folder.
    ///
    /// The contents of the file never change.
    func share(_ fileName: String, of jobID: Int, with otherID: Int) throws(SpoolError) {
        let (path, newPath) = ("\(folder(of: jobID))/\(fileName)", "\(folder(of: otherID))/\(fileName)")
        try files.makeFolder(folder(of: otherID))
        files.remove(newPath)
        try files.link(path, to: newPath)
        try files.syncFolder(folder(of: otherID))
        try files.syncFolder(jobs)
    }

    /// Writes the contents of a small document to a file, completely or not at all, and returns the path.
    ///
    /// The file is written again each time, because a crash may have left an incomplete file. It is not flushed,
    /// because the database contains the document.
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

    /// Removes all files of jobs.
    func removeFolders(of jobIDs: [Int]) async {
        await files.perform { for id in jobIDs { files.remove(folder(of: id)) } }
    }

    /// Runs work that may wait for the disk on another thread.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        let result = await files.perform { Result(catching: body) }
        return try result.get()
    }
}
