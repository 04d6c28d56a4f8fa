// Where the files of jobs are.

import Dispatch
import FoundationEssentials
import Glibc
import PrintModel

/// The files of the spool: `incoming/` for documents on their way in, `jobs/<id>/` for those of accepted jobs,
/// `output/` for what simulated printers make.
struct DocumentStore: Sendable {
    /// The spool's folder.
    let folder: String

    private var incoming: String { folder + "/incoming" }
    private var jobs: String { folder + "/jobs" }

    /// Makes the folders that are missing.
    func makeFolders() throws(SpoolError) {
        try Files.makeFolders(folder)
        for path in [incoming, jobs, folder + "/output"] { try Files.makeFolder(path) }
        try Files.syncFolder(folder)
    }

    /// Removes what a process that died left behind: unfinished documents, and folders of jobs that never were.
    ///
    /// - Parameter existing: those of the given numbers that jobs have.
    func sweep(keeping existing: ([Int]) throws -> Set<Int>) rethrows {
        for name in Files.names(in: incoming) { Files.remove(incoming + "/" + name) }
        let names = Files.names(in: jobs)
        let kept = try existing(names.compactMap { Int($0) })
        for name in names where Int(name).map({ !kept.contains($0) }) ?? true { Files.remove(jobs + "/" + name) }
    }

    /// A document on its way in; `ended` is called once it is a job's, or discarded.
    func makeIncoming(ended: @escaping @Sendable () -> Void = {}) -> IncomingDocument {
        IncomingDocument(spillingTo: incoming + "/" + RandomUUID.make(), ended: ended)
    }

    /// The folder of a job.
    func folder(of jobID: Int) -> String { "\(jobs)/\(jobID)" }

    /// The name of a document's file in its job's folder.
    func fileName(_ number: Int, _ format: DocumentFormat) -> String { "document-\(number).\(format.fileExtension)" }

    /// Moves a finished document into its job's folder, for good.
    func place(_ document: IncomingDocument, as fileName: String, jobID: Int) throws(SpoolError) {
        let folder = folder(of: jobID)
        try Files.makeFolder(folder)
        try document.move(to: folder + "/" + fileName)
        try Files.syncFolder(folder)
        try Files.syncFolder(jobs)
    }

    /// Gives a file of one job to another as well, for good; both have the same bytes, which never change.
    func share(_ fileName: String, of jobID: Int, with otherID: Int) throws(SpoolError) {
        let (path, newPath) = ("\(folder(of: jobID))/\(fileName)", "\(folder(of: otherID))/\(fileName)")
        try Files.makeFolder(folder(of: otherID))
        Files.remove(newPath)
        guard link(path, newPath) == 0 else { throw .file(path, "link", errno) }
        try Files.syncFolder(folder(of: otherID))
        try Files.syncFolder(jobs)
    }

    /// Makes the bytes of a small document a file, whole or not at all, and says where.
    ///
    /// It is written anew each time: the bytes in the database are the document, and a file that a crash left torn
    /// must not be taken for it. No fsync, for the same reason.
    func materialize(_ bytes: [UInt8], as fileName: String, jobID: Int) throws(SpoolError) -> String {
        let folder = folder(of: jobID)
        try Files.makeFolder(folder)
        let path = folder + "/" + fileName
        let temporary = "\(path).\(RandomUUID.make())"
        let descriptor = try Files.create(temporary)
        do {
            defer { _ = Glibc.close(descriptor) }
            try Files.write(bytes, to: descriptor, path: path)
        } catch {
            Files.remove(temporary)
            throw error
        }
        try Files.rename(temporary, to: path)
        return path
    }

    /// Removes all files of jobs.
    func removeFolders(of jobIDs: [Int]) async {
        await onOwnThread { for id in jobIDs { Files.remove(folder(of: id)) } }
    }

    /// Runs what may wait for the disk on a thread that may wait.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        let result = await onOwnThread { Result(catching: body) }
        return try result.get()
    }

    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}
