// Where the files of jobs are.

import PrintModel

/// The files of the spool: `incoming/` for documents on their way in, `jobs/<id>/` for those of accepted jobs,
/// `output/` for what simulated printers make.
struct DocumentStore: Sendable {
    /// The spool's folder.
    let folder: String
    /// How files are made.
    let files: Files
    /// Makes a name that nothing else has.
    let makeName: @Sendable () -> String

    /// The documents that are on their way in, which no sweep may take.
    let arriving = Arriving()

    var incoming: String { folder + "/incoming" }
    var jobs: String { folder + "/jobs" }

    /// Makes the folders that are missing.
    func makeFolders() throws(SpoolError) {
        try files.makeFolders(folder)
        for path in [incoming, jobs, folder + "/output"] { try files.makeFolder(path) }
        try files.syncFolder(folder)
    }

    /// Removes what a process that died left behind: unfinished documents, folders of jobs that never were, and in the
    /// others what was to become a file: it has that file's name, a dot and more.
    ///
    /// - Parameter existing: those of the given numbers that jobs have.
    /// - Returns: how many files and folders there were.
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

    /// A document on its way in; `ended` is called once it is a job's, or discarded.
    func makeIncoming(ended: @escaping @Sendable () -> Void = {}) -> IncomingDocument {
        let name = makeName()
        arriving.insert(name)
        return IncomingDocument(spillingTo: incoming + "/" + name, in: files) { [arriving] in
            arriving.remove(name)
            ended()
        }
    }

    /// The folder of a job.
    func folder(of jobID: Int) -> String { "\(jobs)/\(jobID)" }

    /// The name of a document's file in its job's folder.
    func fileName(_ number: Int, _ format: DocumentFormat) -> String { "document-\(number).\(format.fileExtension)" }

    /// Moves a finished document into its job's folder, for good.
    func place(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        let folder = folder(of: jobID)
        try files.makeFolder(folder)
        try document.move(to: folder + "/" + fileName)
        try files.syncFolder(folder)
        try files.syncFolder(jobs)
    }

    /// Gives a file of one job to another as well, for good; both have the same bytes, which never change.
    func share(_ fileName: String, of jobID: Int, with otherID: Int) throws(SpoolError) {
        let (path, newPath) = ("\(folder(of: jobID))/\(fileName)", "\(folder(of: otherID))/\(fileName)")
        try files.makeFolder(folder(of: otherID))
        files.remove(newPath)
        try files.link(path, to: newPath)
        try files.syncFolder(folder(of: otherID))
        try files.syncFolder(jobs)
    }

    /// Makes the bytes of a small document a file, whole or not at all, and says where.
    ///
    /// It is written anew each time: the bytes in the database are the document, and a file that a crash left torn
    /// must not be taken for it. No fsync, for the same reason.
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

    /// Runs what may wait for the disk where it holds nobody up.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        let result = await files.perform { Result(catching: body) }
        return try result.get()
    }
}
