// The size limit of a document.

import PrintIPP
import Synchronization

/// A filter that passes on the pieces of a document, and throws an error if their total size exceeds a limit.
final class ByteLimit: Sendable {
    private let limit: Int
    private let left: Mutex<Int>
    private let source: DocumentStream.Next

    init(_ limit: Int, _ source: @escaping DocumentStream.Next) {
        self.limit = limit
        left = Mutex(limit)
        self.source = source
    }

    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        guard let piece = try await source() else { return nil }
        let fits = left.withLock { left in
            left -= piece.count
            return left >= 0
        }
        guard fits else {
            throw DocumentStreamError(.tooLarge, "the document is larger than the limit of \(limit) bytes")
        }
        return piece
    }
}
