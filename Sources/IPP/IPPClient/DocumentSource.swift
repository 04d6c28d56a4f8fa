// Where the data of a document comes from.

/// The document that follows a request; it is read while it is sent.
public enum DocumentSource: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, sent from its beginning.
    case file(path: String)
    /// An open file, pipe or terminal, read from where it stands to its end; the caller closes it.
    case fileDescriptor(Int32)
    /// Bytes already read from an open file, pipe or terminal, and then its rest; the caller closes it.
    case continued([UInt8], fileDescriptor: Int32)
    /// Pieces fetched one after the other until `nil`; `length` is their sum, when it is known.
    case stream(length: Int?, next: @Sendable () async throws -> ArraySlice<UInt8>?)
}

/// Reads a document piece by piece.
package protocol DocumentReading: Sendable {
    /// Bytes still to come, or `nil` when only the end will tell.
    var length: Int? { get }
    /// The next piece, or `nil` at the end.
    func next() async throws(IPPClientError) -> ArraySlice<UInt8>?
    /// Makes a `next` that waits return `nil` soon; nobody wants more.
    func stop()
}

extension DocumentSource {
    /// What reads the document from its beginning.
    package func reader() throws(IPPClientError) -> any DocumentReading {
        switch self {
        case .bytes(let bytes):
            let rest = PieceCutter(bytes)
            return StreamReader(length: bytes.count) { rest.next() }
        case .file(let path): return try FileReader(path: path)
        case .fileDescriptor(let descriptor): return try FileReader(descriptor: descriptor)
        case .continued(let head, let descriptor):
            return ContinuedReader(
                head: PieceCutter(head), size: head.count, rest: try FileReader(descriptor: descriptor))
        case .stream(let length, let next): return StreamReader(length: length, pieces: next)
        }
    }
}

/// Passes on what a closure fetches.
private struct StreamReader: DocumentReading {
    let length: Int?
    let pieces: @Sendable () async throws -> ArraySlice<UInt8>?

    func next() async throws(IPPClientError) -> ArraySlice<UInt8>? {
        do {
            return try await pieces()
        } catch {
            throw .documentUnreadable("the document", "\(error)", sent: true)
        }
    }

    func stop() {}
}

/// Passes on what was read before, and then the rest.
private struct ContinuedReader: DocumentReading {
    let head: PieceCutter
    let size: Int
    let rest: FileReader

    var length: Int? { rest.length.map { $0 + size } }

    func next() async throws(IPPClientError) -> ArraySlice<UInt8>? {
        if let piece = head.next() { return piece }
        return try await rest.next()
    }

    func stop() { rest.stop() }
}
