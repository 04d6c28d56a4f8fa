// The body of a request, between the connection it comes over and whoever reads it.

import NIOCore
import PrintIPP
import Synchronization

/// The bytes of a body that have come and have not been read; a body that stops early is an error, not an end.
///
/// The connection puts pieces in, on its event loop; one reader takes them out, wherever it runs. A body that
/// ``isFull`` asks the connection to read no more until there is room again.
final class ArrivingBody: Sendable {
    /// So many bytes may wait for the reader; then the client has to.
    fileprivate static let most = 64 << 10

    fileprivate struct State {
        var pieces = CircularBuffer<ArraySlice<UInt8>>(initialCapacity: 1)
        /// The bytes in the pieces.
        var count = 0
        /// How the body ended; nil while more is to come.
        var end: Result<Void, DocumentStreamError>?
        var reader: CheckedContinuation<Void, Never>?
        /// Whether the connection waits for room.
        var isHeld = false
    }

    private let state = Mutex(State())
    private let onRoom: @Sendable () -> Void

    /// A body of which nothing has come; `onRoom` is called when there is room again after it was full.
    init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

    /// Takes a piece that has come.
    func put(_ piece: ArraySlice<UInt8>) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.end == nil, !piece.isEmpty else { return nil }
            state.pieces.append(piece)
            state.count += piece.count
            return state.reader.take()
        }?.resume()
    }

    /// Notes that the body is complete, or why it never will be; after that nothing changes any more.
    func end(_ end: Result<Void, DocumentStreamError>) {
        state.withLock { state in
            if state.end == nil { state.end = end }
            return state.reader.take()
        }?.resume()
    }

    /// Whether no more is to be read from the client for now; `onRoom` is called then, when that changes.
    func holdIfFull() -> Bool {
        state.withLock { state in
            state.isHeld = state.count >= Self.most && state.end == nil
            return state.isHeld
        }
    }

    /// The next piece, or nil when the body is complete.
    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        while true {
            switch state.withLock({ $0.take() }) {
            case .piece(let piece, let isRoomy):
                if isRoomy { onRoom() }
                return piece
            case .end(let end):
                try end.get()
                return nil
            // Two readers at once would each get a part.
            case .taken: throw DocumentStreamError(.alreadyRead, "the document has two readers")
            case .nothing: try await arrival()
            }
        }
    }

    /// Waits until there is something to take.
    private func arrival() async throws(DocumentStreamError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.pieces.isEmpty, state.end == nil, !Task.isCancelled else { return true }
                    state.reader = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
        if Task.isCancelled { throw .interrupted }
    }
}

extension ArrivingBody.State {
    fileprivate enum Taken {
        case piece(ArraySlice<UInt8>, isRoomy: Bool)
        case end(Result<Void, DocumentStreamError>)
        case nothing, taken
    }

    fileprivate mutating func take() -> Taken {
        guard reader == nil else { return .taken }
        guard let piece = pieces.popFirst() else { return end.map { .end($0) } ?? .nothing }
        count -= piece.count
        guard isHeld, count < ArrivingBody.most else { return .piece(piece, isRoomy: false) }
        isHeld = false
        return .piece(piece, isRoomy: true)
    }
}

extension DocumentStreamError {
    /// The connection broke.
    static var interrupted: DocumentStreamError {
        DocumentStreamError(.interrupted, "the connection broke before the document was complete")
    }

    /// What a failure of the connection means to whoever reads a document from it.
    static func reading(_ error: any Error) -> DocumentStreamError {
        switch error {
        case let error as IPPServerError where error.code == .timedOut:
            DocumentStreamError(.timedOut, "the client stopped sending the document", cause: error)
        default:
            DocumentStreamError(.interrupted, "the connection broke before the document was complete", cause: error)
        }
    }
}
