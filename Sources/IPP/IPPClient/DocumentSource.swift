// The sources of document data.

/// The document that follows a request.
///
/// The client reads the document piece by piece during the transmission.
public enum DocumentSource: Sendable {
    case bytes([UInt8])
    /// A file, sent from its beginning.
    case file(path: String)
    /// An open file, pipe or terminal, sent from its current position to its end.
    ///
    /// The caller closes the descriptor.
    case fileDescriptor(Int32)
    /// An open file, pipe or terminal from which the caller has already read some bytes.
    ///
    /// The client sends these bytes, and then the remaining data of the file, pipe or terminal.
    ///
    /// The caller closes the descriptor.
    case continued([UInt8], fileDescriptor: Int32)
    /// A document that the closure `next` returns piece by piece.
    ///
    /// The closure returns `nil` at the end of the document. `length` is the total size of the document in bytes, or
    /// `nil` if unknown.
    case stream(length: Int?, next: @Sendable () async throws -> ArraySlice<UInt8>?)
}

package protocol DocumentReading: Sendable {
    /// The number of bytes that have not been read, or `nil` if unknown.
    var length: Int? { get }
    /// Whether `next` never waits for another program.
    var neverWaits: Bool { get }
    /// Returns the next piece, or `nil` at the end.
    func next() async throws(IPPClientError) -> ArraySlice<UInt8>?
    /// Causes a waiting call of `next` to return `nil` soon.
    ///
    /// Call this method when the client needs no more data.
    func stop()
}

extension DocumentSource {
    package func reader() throws(IPPClientError) -> any DocumentReading {
        switch self {
        case .bytes(let bytes):
            let rest = PieceCutter(bytes)
            return StreamReader(length: bytes.count, neverWaits: true) { rest.next() }
        case .file(let path): return try FileReader(path: path)
        case .fileDescriptor(let descriptor): return try FileReader(descriptor: descriptor)
        case .continued(let head, let descriptor):
            return ContinuedReader(
                head: PieceCutter(head), size: head.count, rest: try FileReader(descriptor: descriptor))
        case .stream(let length, let next): return StreamReader(length: length, neverWaits: false, pieces: next)
        }
    }
}

private struct StreamReader: DocumentReading {
    let length: Int?
    let neverWaits: Bool
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

/// A reader for `DocumentSource.continued`.
///
/// The reader returns the given bytes, and then the remaining data of the file.
private struct ContinuedReader: DocumentReading {
    let head: PieceCutter
    let size: Int
    let rest: FileReader

    var length: Int? { rest.length.map { $0 + size } }
    var neverWaits: Bool { rest.neverWaits }

    func next() async throws(IPPClientError) -> ArraySlice<UInt8>? {
        if let piece = head.next() { return piece }
        return try await rest.next()
    }

    func stop() { rest.stop() }
}
