// Stores the records and documents of the jobs in a printer's folder.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import SafeFiles

extension FolderFiles {
    /// The maximum size of a record in bytes.
    ///
    /// The job's name and the owner's name each have at most about a thousand bytes.
    private static let mostRecordBytes = 1 << 20

    static func recordName(_ uuid: some StringProtocol) -> String { "\(uuid).json" }
    private static func documentName(_ uuid: String) -> String { "\(uuid).open" }
    private static func canceledName(_ uuid: String) -> String { "\(uuid).canceled" }

    /// Returns the name of the record of the job to which a file belongs; nil if the file belongs to no job.
    static func recordName(ofFile name: String) -> String? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["json", "open", "canceled"].contains(parts[1]),
            UUID(uuidString: String(parts[0])) != nil
        else { return nil }
        return recordName(parts[0])
    }

    // MARK: - Records

    /// Creates the record and the empty document of a job, and syncs both names to the disk.
    func add(_ record: FolderRecord, as uuid: String, in inside: FolderInside) throws(BackendError) {
        let document = inside.make(Self.documentName(uuid))
        guard document >= 0 else { throw failure(errno) }
        close(document)
        try write(record, to: inside.make(Self.recordName(uuid)))
        try sync(inside.descriptor)
    }

    /// Returns the record of a job; nil if the contents of the record were lost.
    func record(of uuid: String, in inside: FolderInside) throws(BackendError) -> FolderRecord? {
        let bytes = try inside.contents(of: Self.recordName(uuid), limit: Self.mostRecordBytes)
        return bytes.flatMap { try? JSONDecoder().decode(FolderRecord.self, from: Data($0)) }
    }

    /// Writes a record to an open file, and closes the file.
    private func write(_ record: FolderRecord, to file: Int32) throws(BackendError) {
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        let data: Data
        do { data = try JSONEncoder().encode(record) } catch { throw BackendError(.refused, "\(error)") }
        try put([UInt8](data), to: file)
    }

    // MARK: - Documents

    /// Returns the state of a job's delivery; nil if the job has no record.
    func delivery(of uuid: String, in inside: FolderInside) throws(BackendError) -> FolderDelivery? {
        guard try inside.look(at: Self.recordName(uuid)) != nil else { return nil }
        // A cancellation renames the document, so the old name is read first.
        if try isInside(Self.documentName(uuid), in: inside) { return .incoming }
        return try isInside(Self.canceledName(uuid), in: inside) ? .canceled : .delivered
    }

    /// Returns whether `.printq` contains a document that was not delivered.
    ///
    /// Some file systems cannot rename a file without the risk of replacing another file. On these file systems, a
    /// delivered document has two names for a short time. A document with two names counts as delivered, and its name
    /// in `.printq` is deleted.
    private func isInside(_ name: String, in inside: FolderInside) throws(BackendError) -> Bool {
        guard let seen = try inside.look(at: name) else { return false }
        guard seen.st_nlink > 1 else { return true }
        unlinkat(inside.descriptor, name, 0)
        return false
    }

    /// Copies a document into `.printq`, and moves the document to the first free file name in the folder.
    ///
    /// - Parameter stop: A signal that ends the copying.
    /// - Returns: False if the job was canceled meanwhile, so that the document was not delivered.
    func take(
        _ path: String, as uuid: String, in inside: FolderInside, until stop: Signal
    ) throws(BackendError) -> Bool {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            throw BackendError(.documentMissing, "cannot read '\(path)': \(SystemFailure(errno))")
        }
        defer { close(source) }
        guard let document = try inside.openForWriting(Self.documentName(uuid)) else { return false }
        defer { close(document) }
        var isDelivered = false
        defer { if !isDelivered { ftruncate(document, 0) } }
        try copy(source, named: path, to: document, until: stop)
        try share(document)
        guard fsync(document) == 0 else { throw failure(errno) }
        if stop.isGiven { throw Self.canceled }
        isDelivered = try bringOut(uuid, in: inside)
        guard isDelivered else { return false }
        // The move is one step on the disk, so `.printq` need not be synced.
        do throws(BackendError) { try sync(folder: folder) } catch {
            throw BackendError(error.code, error.message, mayHaveBeenReceived: true)
        }
        return true
    }

    /// Moves a complete document to the first free file name in the folder.
    ///
    /// - Returns: False if the job was canceled meanwhile.
    func bringOut(_ uuid: String, in inside: FolderInside) throws(BackendError) -> Bool {
        var record = try record(of: uuid, in: inside)
        let title = record?.name ?? ""
        for name in (1...1_000_000).lazy.map(FolderFileName(title: title).name) where !exists(name) {
            record?.file = name
            if let record, let file = try inside.openForWriting(Self.recordName(uuid)) { try write(record, to: file) }
            switch moveWithoutReplacing(Self.documentName(uuid), of: inside, to: "\(folder)/\(name)") {
            case 0: return true
            case EEXIST: continue  // another spooler has just used the name
            case let problem:
                if problem == ENOENT, try inside.look(at: Self.documentName(uuid)) == nil { return false }
                throw failure(problem)
            }
        }
        throw BackendError(
            .unreachable,
            "'\(folder)' contains a million files with the name '\(title)' and a number; remove some of these files")
    }

    /// Cancels a job, unless its document was delivered or the job was canceled before.
    ///
    /// If several calls of this function and `bringOut` run at the same time, even on different hosts, exactly one call
    /// renames the document.
    func cancel(_ uuid: String, in inside: FolderInside) throws(BackendError) {
        let (old, new) = (Self.documentName(uuid), Self.canceledName(uuid))
        guard renameat(inside.descriptor, old, inside.descriptor, new) == 0 else {
            guard errno == ENOENT else { throw failure(errno) }
            return
        }
        // A document with two names was delivered.
        guard try isInside(new, in: inside) else { return }
        if let document = try inside.openForWriting(new) {
            ftruncate(document, 0)
            close(document)
        }
        try sync(inside.descriptor)
    }
}
