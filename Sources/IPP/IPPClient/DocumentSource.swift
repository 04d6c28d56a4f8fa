// The sources of document data.

/// The document that follows a request.
///
/// The client reads the document while it sends it.
public enum DocumentSource: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, sent from its beginning.
    case file(path: String)
    /// An open file, pipe or terminal, read from its current position to its end.
    ///
    /// The caller closes the descriptor.
    case fileDescriptor(Int32)
    /// Bytes that the caller has already read from an open file, pipe or terminal, followed by the rest of the data.
    ///
    /// The caller closes the descriptor.
    case continued([UInt8], fileDescriptor: Int32)
    /// Pieces that the closure `next` returns until it returns `nil`.
    ///
    /// `length` is the total number of bytes, or `nil` if unknown.
    case stream(length: Int?, next: @Sendable () async throws -> ArraySlice<UInt8>?)
}

/// A reader of a document, piece by piece.
package protocol DocumentReading: Sendable {
    /// The number of remaining bytes, or `nil` if unknown.
    var length: Int? { get }
    /// Returns the next piece, or `nil` at the end.
    func next() async throws(IPPClientError) -> ArraySlice<UInt8>?
    /// Makes a waiting call of `next` return `nil` soon. Call this method when no more data is needed.
    func stop()
}

extension DocumentSource {
    /// Returns a reader that starts at the beginning of the document.
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

/// A reader of the pieces that a closure returns.
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

/// A reader of the bytes that the caller has already read, then of the rest of the file.
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
