// A document that is being uploaded.

import Synchronization

/// A document that is written in chunks and then passed to `Spool.submit` or `Spool.addDocument`.
///
/// Up to 64 KiB remain in memory. A larger document is written to a file in `incoming/`. A document that is never
/// submitted is removed when it is deallocated.
public final class IncomingDocument: Sendable {
    /// The maximum size of a document in the database, in bytes.
    static let inlineLimit = 64 * 1024
    /// The number of first bytes that are kept to detect the format.
    private static let headLimit = 1024

    private struct State {
        var bytes = 0
        var head: [UInt8] = []
        var memory: [UInt8] = []
        var descriptor: Int32?
        /// The path of the file: in `incoming/`, later in the job's folder; nil when there is no file.
        var path: String?
        var isFinished = false
        var ended: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let spillPath: String
    private let files: Files

    /// Creates a document that is written to `path` when it becomes large.
    ///
    /// `ended` is called when a job owns the document, or when it is discarded.
    init(spillingTo path: String, in files: Files, ended: @escaping @Sendable () -> Void) {
        spillPath = path
        self.files = files
        state = Mutex(State(ended: ended))
    }

    deinit { discard() }

    /// The number of bytes written so far.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// Whether the document is too large for the database and is written to a file.
    public var isLarge: Bool { bytes > Self.inlineLimit }

    /// The first 1,024 bytes, or fewer if the document is smaller.
    ///
    /// `DocumentFormat.sniff` requires no more.
    public var head: [UInt8] { state.withLock { $0.head } }

    /// Appends bytes.
    ///
    /// - Throws: `noSpace` when the disk is full, `unwritable` when the file cannot be written. The document is then
    ///   discarded.
    public func write(_ chunk: some Swift.Collection<UInt8>) throws(SpoolError) {
        let result = state.withLock { state in
            Result { () throws(SpoolError) in
                precondition(!state.isFinished, "a document that was submitted or discarded takes no more bytes")
                try append(Array(chunk), to: &state)
            }
        }
        guard case .failure(let error) = result else { return }
        discard()
        throw error
    }

    /// Discards the document.
    ///
    /// This has no effect after the document was submitted.
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
            let descriptor = try files.create(spillPath)
            state.descriptor = descriptor
            state.path = spillPath
            try files.write(state.memory, to: descriptor, path: spillPath)
            try files.write(chunk, to: descriptor, path: spillPath)
            state.memory = []
        }
    }
}

// MARK: - Into a job

extension IncomingDocument {
    /// The contents of the document's row.
    enum Content {
        /// The bytes.
        case inline([UInt8])
        /// The bytes are in a file.
        case file
    }

    /// Completes the document, and flushes its file to disk.
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

    /// Moves the completed file from its current path to `path`.
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

    /// Moves a file from the job's folder back to `incoming/`, because the transaction failed.
    ///
    /// The next job may get the same id, and so the same file name.
    func takeBack() {
        state.withLock { state in
            guard let current = state.path, current != spillPath else { return }
            let isBack = (try? files.rename(current, to: spillPath)) != nil
            state.path = isBack ? spillPath : nil
        }
    }

    /// Transfers the document to the job.
    ///
    /// Discarding it has no effect after that.
    func handOver() {
        let ended = state.withLock { state in
            state.path = nil
            state.memory = []
            return state.ended.take()
        }
        ended?()
    }
}
