// Document data in the order it arrives, read once, at the reader's pace.

import Synchronization

/// The data of a document, in pieces, while it arrives.
///
/// The reader sets the pace: nothing is fetched before it asks, so memory stays the same for a page and for a
/// gigabyte. A second iteration fails with `alreadyRead`. An incomplete upload never looks like a short document:
/// it ends with an error.
///
///     for try await piece in request.document { digest.update(piece) }
public struct DocumentStream: AsyncSequence, Sendable {
    /// A piece of the data, never empty.
    public typealias Element = ArraySlice<UInt8>
    /// The only error that reading throws.
    public typealias Failure = DocumentStreamError
    /// Fetches the next piece; `nil` at the end, and only when the document is complete.
    public typealias Next = @Sendable () async throws(DocumentStreamError) -> ArraySlice<UInt8>?

    private let next: Next
    private let taken = Flag()

    /// A stream that asks `next` for each piece, one call at a time, until it returns `nil` or throws.
    public init(next: @escaping Next) {
        self.next = next
    }

    /// A stream over bytes in memory, in pieces of at most 64 KiB.
    public init(bytes: [UInt8]) {
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

    /// A stream without data.
    public static var empty: DocumentStream { DocumentStream(bytes: []) }

    /// The pieces, once; a second iterator throws `alreadyRead`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(next: taken.raise() ? next : { () throws(DocumentStreamError) in throw .alreadyRead })
    }

    /// Gives one piece after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var next: Next?

        /// The next piece, or `nil` at the end of the document.
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

    /// All of the data, when it is at most `limit` bytes; `tooLarge` otherwise.
    public func collect(upTo limit: Int) async throws(DocumentStreamError) -> [UInt8] {
        var all: [UInt8] = []
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - all.count else { throw .tooLarge(limit: limit) }
            all += piece
        }
        return all
    }
}

/// A flag that can be raised once.
private final class Flag: Sendable {
    private let raised = Mutex(false)

    /// Whether this call was the one that raised it.
    func raise() -> Bool {
        raised.withLock { raised in
            defer { raised = true }
            return !raised
        }
    }
}
