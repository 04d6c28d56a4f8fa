// The body of an HTTP request, piece by piece, never shorter than it was announced.

import HummingbirdCore
import NIOCore
import PrintIPP

/// Reads a request's body in order; a body that stops early is an error, not an end.
actor RequestBodyReader {
    private var iterator: RequestBody.AsyncIterator
    private var missing: Int?
    private var isReading = false

    /// A reader of a body that was announced with the given `Content-Length`, if any.
    init(_ body: RequestBody, contentLength: Int?) {
        iterator = body.makeAsyncIterator()
        missing = contentLength
    }

    /// The next piece, or `nil` when the body is complete.
    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        // Two fetches at once would be a fault of the reader; the HTTP stream below traps on it.
        guard !isReading else { throw DocumentStreamError(.alreadyRead, "the document has two readers") }
        isReading = true
        defer { isReading = false }
        // Only this call touches the iterator until it returns: `isReading` keeps others out.
        nonisolated(unsafe) var current = iterator
        let piece: ByteBuffer?
        do {
            piece = try await current.next()
        } catch {
            throw Self.translate(error)
        }
        iterator = current
        guard let piece else {
            // Cancellation ends the iteration too, as a close does when the length was announced.
            if Task.isCancelled || (missing ?? 0) > 0 { throw Self.translate(IPPServerError.bodyInterrupted) }
            return nil
        }
        if let announced = missing { missing = announced - piece.readableBytes }
        return ArraySlice(piece.readableBytesView)
    }

    private static func translate(_ error: any Error) -> DocumentStreamError {
        switch error {
        case let error as DocumentStreamError: error
        case let error as IPPServerError where error.code == .timedOut:
            DocumentStreamError(.timedOut, "the client stopped sending the document", cause: error)
        default:
            DocumentStreamError(.interrupted, "the connection broke before the document was complete", cause: error)
        }
    }
}
