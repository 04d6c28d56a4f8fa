// Manages the files of jobs.

import PrintModel
import Synchronization

/// The files of the spool: `incoming/` for uploads, `jobs/<id>/` for accepted jobs, `output/` for the output of
/// simulated printers.
///
/// A spool in PostgreSQL uses `copies/<id>/` for accepted jobs, because `jobs/` belongs to the SQLite database.
struct DocumentStore: Sendable {
    /// The spool's folder.
    let folder: String
    /// The name of the folder for accepted jobs.
    let jobsFolder: String
    let files: Files
    let makeName: @Sendable () -> String

    /// The uploads in progress, which the removal of orphaned files must not delete.
    let arriving = Arriving()

    /// The backups in progress, which keep the documents of removed jobs.
    let holds = DocumentHolds()

    /// The removals of files that no request waits for.
    let removals = FileRemovals()

    /// The documents that this process has written from the database to files.
    private let written = WrittenDocuments()

    var incoming: String { folder + "/incoming" }
    var jobs: String { "\(folder)/\(jobsFolder)" }

    /// Creates the missing folders of the spool.
    func makeFolders() throws(SpoolError) {
        try files.makeFolders(folder)
        for path in [incoming, jobs, folder + "/output"] { try files.makeFolder(path) }
        try files.syncFolder(folder)
    }

    /// Removes the files of a process that has exited: unfinished uploads, folders without a job, and temporary files.
    ///
    /// A temporary file in a job's folder has the name of its target file, a dot and a suffix.
    ///
    /// - Parameter existing: A closure that receives job ids, and returns the ids of existing jobs.
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

    /// Returns an empty document that receives an upload.
    ///
    /// The closure `admits` returns whether the disk has space for new documents. The closure `ended` is called when the
    /// document has become part of a job, or when the document is discarded.
    func makeIncoming(
        admits: @escaping @Sendable () -> Bool = { true }, ended: @escaping @Sendable () -> Void = {}
    ) -> IncomingDocument {
        let name = makeName()
        arriving.insert(name)
        return IncomingDocument(spillingTo: incoming + "/" + name, in: files, admits: admits) { [arriving] in
            arriving.remove(name)
            ended()
        }
    }

    /// Returns the path of a job's folder.
    func folder(of jobID: Int) -> String { "\(jobs)/\(jobID)" }

    /// Returns the name of a document's file in the folder of its job.
    func fileName(_ number: Int, _ format: DocumentFormat) -> String { "document-\(number).\(format.fileExtension)" }

    /// Returns an unused name for the file of a document whose number is not known yet, because two documents of a job
    /// can arrive at the same time.
    ///
    /// The name contains a number that no document has, so that the file of no small document has this name.
    func unusedFileName(_ format: DocumentFormat, jobID: Int) -> String {
        while true {
            let name = fileName(arriving.makeNumber(), format)
            if !files.isReadable(folder(of: jobID) + "/" + name) { return name }
        }
    }

    /// Moves a finished document into the folder of the job, as a copy of the document in the database.
    ///
    /// The copy is not synced to disk, because the database contains the document. The copy is used only after
    /// `keepCopy`. If the transaction is not committed, another job can have the same id.
    func placeCopy(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        try files.makeFolder(folder(of: jobID))
        try document.move(to: folder(of: jobID) + "/" + fileName)
    }

    /// Records that the copy of a document belongs to a job, after the job was committed.
    func keepCopy(_ fileName: String, jobID: Int) { written.note(fileName, of: jobID) }

    /// Moves a finished document durably into the folder of the job.
    func place(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        let folder = folder(of: jobID)
        try files.makeFolder(folder)
        try document.move(to: folder + "/" + fileName)
        try files.syncFolder(folder)
        try files.syncFolder(jobs)
    }

    /// Creates a durable hard link in the folder of the job `otherID` to a file of the job `jobID`.
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

    /// Writes a small document to a file atomically, and returns the path.
    ///
    /// The first call in this process replaces an existing file, because a file from before a crash may be incomplete.
    /// Later calls keep the file, because the sandbox of a worker may allow access only to the existing file, and not
    /// to a new file with the same name. The file is not synced, because the database contains the document.
    func materialize(_ bytes: [UInt8], as fileName: String, jobID: Int) throws(SpoolError) -> String {
        let path = folder(of: jobID) + "/" + fileName
        try written.writeOnce(fileName, of: jobID) { (wasWritten: Bool) throws(SpoolError) in
            if wasWritten, files.isReadable(path) { return }
            try files.makeFolder(folder(of: jobID))
            let temporary = "\(path).\(makeName())"
            let descriptor = try files.create(temporary)
            do throws(SpoolError) {
                defer { files.close(descriptor) }
                try files.write(bytes, to: descriptor, path: path)
            } catch {
                files.remove(temporary)
                throw error
            }
            try files.rename(temporary, to: path)
        }
        return path
    }

    /// Writes a large document from the database to a file, and returns the path; nil if the content does not exist.
    ///
    /// The function follows the rules of `materialize(_:as:jobID:)`. If two tasks write the document at the same time,
    /// both use the file of the first task.
    func materialize(
        _ id: Int, of contents: any LargeDocuments, as fileName: String, jobID: Int
    ) async throws -> String? {
        let path = folder(of: jobID) + "/" + fileName
        let temporary = "\(path).\(makeName())"
        let descriptor = try await onDisk { () throws(SpoolError) -> Int32? in
            if written.contains(fileName, of: jobID), files.isReadable(path) { return nil }
            try files.makeFolder(folder(of: jobID))
            return try files.create(temporary)
        }
        guard let descriptor else { return path }
        do {
            defer { files.close(descriptor) }
            let exists = try await contents.read(id) { [files] bytes in
                try files.write(bytes, to: descriptor, path: temporary)
            }
            guard exists else {
                await remove([temporary])
                return nil
            }
            try await onDisk { () throws(SpoolError) in
                try written.writeOnce(fileName, of: jobID) { (wasWritten: Bool) throws(SpoolError) in
                    if wasWritten, files.isReadable(path) { return files.remove(temporary) }
                    try files.rename(temporary, to: path)
                }
            }
            return path
        } catch {
            await remove([temporary])
            throw error
        }
    }

    /// Removes the folders of jobs.
    ///
    /// During a backup, the folders remain until the next removal of orphaned files.
    func removeFolders(of jobIDs: [Int]) async { await files.perform { removeNow(jobIDs) } }

    /// Removes the folders of jobs like `removeFolders(of:)`, after the function returns.
    func removeFoldersLater(of jobIDs: [Int]) { removals.add(Set(jobIDs), in: files) { removeNow(jobIDs) } }

    private func removeNow(_ jobIDs: [Int]) {
        guard !holds.postponeRemoval() else { return }
        for id in jobIDs {
            files.remove(folder(of: id))
            written.forget(id)
        }
    }

    /// Runs blocking disk operations on another thread.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        let result = await files.perform { Result(catching: body) }
        return try result.get()
    }
}

/// The documents that a process has written from the database to files, by job number.
private final class WrittenDocuments: Sendable {
    private let names = Mutex<[Int: Set<String>]>([:])

    /// Calls a function that writes a document.
    ///
    /// Only one call runs at a time.
    ///
    /// - Parameter write: A function that writes the document. The argument is true if this process has already written
    ///   the document.
    func writeOnce(_ name: String, of job: Int, write: (Bool) throws(SpoolError) -> Void) throws(SpoolError) {
        try names.withLock { (names: inout sending [Int: Set<String>]) throws(SpoolError) in
            try write(names[job]?.contains(name) == true)
            names[job, default: []].insert(name)
        }
    }

    /// Records that this process has written a document.
    func note(_ name: String, of job: Int) { names.withLock { _ = $0[job, default: []].insert(name) } }

    /// Returns whether this process has written a document.
    func contains(_ name: String, of job: Int) -> Bool { names.withLock { $0[job]?.contains(name) == true } }

    /// Removes the documents of a job from the list after the job's folder was removed.
    func forget(_ job: Int) { names.withLock { $0[job] = nil } }
}
