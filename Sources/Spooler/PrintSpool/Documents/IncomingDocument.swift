// A document on its way into the spool.

import Synchronization

/// A document on its way into the spool, written chunk by chunk and then given to `Spool.submit` or
/// `Spool.addDocument`.
///
/// Up to 64 KiB stay in memory; what is larger goes to a file in `incoming/`. A document that is let go without having
/// been submitted leaves nothing behind.
public final class IncomingDocument: Sendable {
    /// The largest document that is kept in the database, in bytes.
    static let inlineLimit = 64 * 1024
    /// How many of the first bytes are kept for finding out the format.
    private static let headLimit = 1024

    private struct State {
        var bytes = 0
        var head: [UInt8] = []
        var memory: [UInt8] = []
        var descriptor: Int32?
        /// Where the file is: in `incoming/`, later in its job's folder; nil when there is none.
        var path: String?
        var isFinished = false
        var ended: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let spillPath: String
    private let files: Files

    /// A document that spills to `path` when it becomes large; `ended` is called once it is a job's, or discarded.
    init(spillingTo path: String, in files: Files, ended: @escaping @Sendable () -> Void) {
        spillPath = path
        self.files = files
        state = Mutex(State(ended: ended))
    }

    deinit { discard() }

    /// The bytes written so far.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// Whether it is too large for the database, so that its bytes are written to a file as they come.
    public var isLarge: Bool { bytes > Self.inlineLimit }

    /// The first 1,024 bytes, or as many as there are: enough for `DocumentFormat.sniff`.
    public var head: [UInt8] { state.withLock { $0.head } }

    /// Takes the next bytes.
    ///
    /// - Throws: `noSpace` when the disk is full, `unwritable` when the file cannot be written; the document is then
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

    /// Throws the document away; without effect once it was submitted.
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
    /// What the document's row holds.
    enum Content {
        /// The bytes themselves.
        case inline([UInt8])
        /// They are in a file.
        case file
    }

    /// Ends the document, and forces its file onto the disk.
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

    /// Moves the finished file from wherever it is to `path`.
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

    /// Moves a file that was moved into a job's folder back to where it came in, because the job is not to be: its id
    /// may be the next one's, and so may the file's name.
    func takeBack() {
        state.withLock { state in
            guard let current = state.path, current != spillPath else { return }
            let isBack = (try? files.rename(current, to: spillPath)) != nil
            state.path = isBack ? spillPath : nil
        }
    }

    /// Lets the job have the document: discarding it has no effect any more.
    func handOver() {
        let ended = state.withLock { state in
            state.path = nil
            state.memory = []
            return state.ended.take()
        }
        ended?()
    }
}
