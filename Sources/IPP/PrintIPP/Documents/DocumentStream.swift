// Document data in order of arrival. The data can be read once, at the reader's pace.

import Synchronization

/// The data of a document, in pieces, in the order of arrival.
///
/// The stream fetches a piece only when the reader requests the piece. Therefore memory use does not depend on the
/// document's size.
///
/// A second iteration fails with `alreadyRead`. An incomplete upload ends with an error, so that the reader cannot
/// mistake the data for a short document.
///
///     for try await piece in request.document { digest.update(piece) }
public struct DocumentStream: AsyncSequence, Sendable {
    /// A piece of the data.
    ///
    /// A piece is never empty.
    public typealias Element = ArraySlice<UInt8>
    /// The only error type that reading throws.
    public typealias Failure = DocumentStreamError
    /// A function that fetches the next piece, and returns `nil` at the end of a complete document.
    public typealias Next = @Sendable () async throws(DocumentStreamError) -> ArraySlice<UInt8>?

    private let next: Next
    private let isRead = Flag()

    /// Creates a stream that calls `next` for each piece, one call at a time.
    ///
    /// The stream ends when `next` returns `nil` or throws.
    package init(next: @escaping Next) {
        self.next = next
    }

    /// Creates a stream of bytes in memory, in pieces of at most 64 KiB.
    package init(bytes: [UInt8]) {
        let rest = Mutex(bytes[...])
        self.init {
            rest.withLock { rest in
                guard !rest.isEmpty else { return nil }
                let piece = rest.prefix(64 << 10)
                rest = rest.dropFirst(piece.count)
                return piece
            }
        }
    }

    package static var empty: DocumentStream { DocumentStream(bytes: []) }

    /// Returns an iterator over the pieces.
    ///
    /// A second iterator throws `alreadyRead`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(next: isRead.raise() ? next : { () throws(DocumentStreamError) in throw .alreadyRead })
    }

    /// An iterator over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var next: Next?

        /// Returns the next piece, or `nil` at the end of the document.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
            while let fetch = next {
                do {
                    guard let piece = try await fetch() else { break }
                    if !piece.isEmpty { return piece }
                } catch {
                    next = nil
                    throw error
                }
            }
            next = nil
            return nil
        }
    }

    /// Throws `tooLarge` if the data has more than `limit` bytes.
    package func collect(upTo limit: Int) async throws(DocumentStreamError) -> [UInt8] {
        var all: [UInt8] = []
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - all.count else { throw .tooLarge(limit: limit) }
            all += piece
        }
        return all
    }
}

/// A flag that can be set once.
private final class Flag: Sendable {
    private let raised = Mutex(false)

    /// Returns true for the first call of the method, and false for all later calls.
    func raise() -> Bool {
        raised.withLock { raised in
            defer { raised = true }
            return !raised
        }
    }
}
