// The document data that follows the attributes of a request.

import PrintIPP

/// What the attributes' last piece left over, and then the rest of the body.
actor DocumentTail {
    private var first: ArraySlice<UInt8>
    private let body: RequestBodyReader

    init(first: ArraySlice<UInt8>, then body: RequestBodyReader) {
        self.first = first
        self.body = body
    }

    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        guard first.isEmpty else {
            defer { first = [] }
            return first
        }
        return try await body.next()
    }
}

/// Passes pieces on until they are more than a number of bytes together.
actor ByteLimit {
    private let limit: Int
    private var left: Int
    private let source: DocumentStream.Next

    init(_ limit: Int, _ source: @escaping DocumentStream.Next) {
        self.limit = limit
        left = limit
        self.source = source
    }

    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        guard let piece = try await source() else { return nil }
        guard piece.count <= left else {
            throw DocumentStreamError(.tooLarge, "the document is larger than the limit of \(limit) bytes")
        }
        left -= piece.count
        return piece
    }
}
