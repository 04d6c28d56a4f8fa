// Receives a document for the spool.

import Glibc
import Synchronization

/// A document that is uploaded in chunks and then passed to `Spool.submit` or `Spool.addDocument`.
///
/// A document of up to 64 KiB stays in memory. A larger document is written to a file in `incoming/`. If the object is
/// deallocated before the submission, the document is deleted.
public final class IncomingDocument: Sendable {
    /// The maximum size of a document that is stored in the database, in bytes.
    static let inlineLimit = 64 * 1024
    /// The maximum number of bytes in `head`; these bytes are used to detect the document format.
    private static let headLimit = 1024

    private struct State {
        var bytes = 0
        var head: [UInt8] = []
        var memory: [UInt8] = []
        var descriptor: Int32?
        /// The path of the file, at first in `incoming/` and later in the folder of the job; nil if the document has no
        /// file.
        var path: String?
        var isFinished = false
        var ended: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let spillPath: String
    private let files: Files
    private let admits: @Sendable () -> Bool

    /// Creates a document that is written to `path` when its size exceeds `inlineLimit`.
    ///
    /// The closure `admits` returns whether the disk has space for new documents. The closure `ended` is called when the
    /// document has become part of a job, or when the document is discarded.
    init(
        spillingTo path: String, in files: Files, admits: @escaping @Sendable () -> Bool,
        ended: @escaping @Sendable () -> Void
    ) {
        spillPath = path
        (self.files, self.admits) = (files, admits)
        state = Mutex(State(ended: ended))
    }

    deinit { discard() }

    /// The number of bytes that were written so far.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// Whether the document is too large for the database, so that its bytes are written to a file.
    public var isLarge: Bool { !fitsInMemory(adding: 0) }

    /// Returns whether the document stays in memory after more bytes were added.
    ///
    /// Otherwise `write` blocks the calling thread while the disk is busy.
    public func fitsInMemory(adding count: Int) -> Bool { bytes + count <= Self.inlineLimit }

    /// The first 1,024 bytes of the document, or all bytes of a shorter document.
    ///
    /// These bytes are sufficient for `DocumentFormat.sniff`.
    public var head: [UInt8] { state.withLock { $0.head } }

    /// Appends bytes to the document.
    ///
    /// - Throws: `noSpace` if the disk is full, `unwritable` if the file cannot be written. In both cases the document
    ///   is discarded.
    public func write(_ chunk: some Swift.Collection<UInt8>) throws(SpoolError) {
        let result = state.withLock { state in
            Result { () throws(SpoolError) in
                precondition(!state.isFinished, "a submitted or discarded document accepts no more bytes")
                try append(Array(chunk), to: &state)
            }
        }
        guard case .failure(let error) = result else { return }
        discard()
        throw error
    }

    /// Deletes the document.
    ///
    /// Has no effect after the document was submitted.
    public func discard() {
        let ended = state.withLock { state in
            if let descriptor = state.descriptor { files.close(descriptor) }
            if let path = state.path { files.remove(path) }
            state.descriptor = nil
            state.path = nil
            state.memory = []
            state.isFinished = true
            return state.ended.take()
        }
        ended?()
    }

    private func append(_ chunk: [UInt8], to state: inout State) throws(SpoolError) {
        state.bytes += chunk.count
        if state.head.count < Self.headLimit { state.head += chunk.prefix(Self.headLimit - state.head.count) }
        if let descriptor = state.descriptor {
            try files.write(chunk, to: descriptor, path: spillPath)
        } else if state.bytes <= Self.inlineLimit {
            state.memory += chunk
        } else {
            guard admits() else { throw .noSpace(on: spillPath, cause: SystemCallError(call: "open", number: ENOSPC)) }
            let descriptor = try files.create(spillPath)
            state.descriptor = descriptor
            state.path = spillPath
            try files.write(state.memory, to: descriptor, path: spillPath)
            try files.write(chunk, to: descriptor, path: spillPath)
            state.memory = []
        }
    }
}

// MARK: - Reading

extension IncomingDocument {
    /// Calls `body` with the path of a file that contains all received bytes.
    ///
    /// The file of a small document exists only during the call.
    public func withFile<Value: Sendable>(_ body: (String) async throws -> Value) async throws -> Value {
        if let path = filePath { return try await body(path) }
        let bytes = state.withLock(\.memory)
        try await files.perform { [files, spillPath] in
            Result { () throws(SpoolError) in
                let descriptor = try files.create(spillPath)
                defer { files.close(descriptor) }
                try files.write(bytes, to: descriptor, path: spillPath)
            }
        }.get()
        do {
            let value = try await body(spillPath)
            await files.perform { [files, spillPath] in files.remove(spillPath) }
            return value
        } catch {
            await files.perform { [files, spillPath] in files.remove(spillPath) }
            throw error
        }
    }
}

// MARK: - Submitting

extension IncomingDocument {
    /// The content of a document as stored in the document's database row.
    enum Content {
        /// The bytes of the document.
        case inline([UInt8])
        /// A document that is stored in a file, so that the row contains no bytes.
        case file
    }

    /// Finishes the document, and syncs the document's file to disk.
    func finish() throws(SpoolError) -> Content {
        let result = state.withLock { state in
            Result { () throws(SpoolError) -> Content in
                state.isFinished = true
                guard let descriptor = state.descriptor else {
                    return state.path == nil ? .inline(state.memory) : .file
                }
                try files.sync(descriptor, path: spillPath)
                files.close(descriptor)
                state.descriptor = nil
                return .file
            }
        }
        return try result.get()
    }

    /// The path of the finished document's file; nil for a small document.
    var filePath: String? { state.withLock { $0.path } }

    /// Moves the file of the finished document to `path`.
    func move(to path: String) throws(SpoolError) {
        let result = state.withLock { state in
            Result { () throws(SpoolError) in
                guard let current = state.path, current != path else { return }
                try files.rename(current, to: path)
                state.path = path
            }
        }
        try result.get()
    }

    /// Moves the document's file back from the job's folder to `incoming/`, after the transaction was rolled back.
    ///
    /// Otherwise the next job could overwrite the file, because the next job may have the same id and file name.
    func takeBack() {
        state.withLock { state in
            guard let current = state.path, current != spillPath else { return }
            let isBack = (try? files.rename(current, to: spillPath)) != nil
            state.path = isBack ? spillPath : nil
        }
    }

    /// Marks the document as part of a job.
    ///
    /// After this call, `discard` has no effect.
    func handOver() {
        let ended = state.withLock { state in
            state.path = nil
            state.memory = []
            return state.ended.take()
        }
        ended?()
    }
}
