// The body of a request, passed from its connection to its reader.

import NIOCore
import PrintIPP
import Synchronization

/// The received but unread bytes of a request body.
///
/// If the connection is lost before the body is complete, the reader receives an error.
///
/// The connection adds pieces on its event loop. One reader removes the pieces on any thread. If ``holdIfFull()``
/// returns true, the connection stops reading until the body has free space again.
final class RequestBody: Sendable {
    /// The number of unread bytes at which the body is full.
    ///
    /// The client then has to wait, because the connection stops reading.
    fileprivate static let most = 64 << 10

    fileprivate struct State {
        var pieces = CircularBuffer<ArraySlice<UInt8>>(initialCapacity: 1)
        var count = 0
        /// The result at the end of the body, or `nil` while more data is expected.
        var end: Result<Void, DocumentStreamError>?
        var reader: CheckedContinuation<Void, Never>?
        /// Whether the connection has stopped reading and waits for free space in the body.
        var isHeld = false
    }

    private let state = Mutex(State())
    private let onRoom: @Sendable () -> Void

    /// `onRoom` is called when a full body has free space again.
    init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

    func put(_ piece: ArraySlice<UInt8>) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.end == nil, !piece.isEmpty else { return nil }
            state.pieces.append(piece)
            state.count += piece.count
            return state.reader.take()
        }?.resume()
    }

    /// Marks the body as complete or failed.
    ///
    /// Later calls have no effect.
    func end(_ end: Result<Void, DocumentStreamError>) {
        state.withLock { state in
            if state.end == nil { state.end = end }
            return state.reader.take()
        }?.resume()
    }

    /// Returns whether the connection must stop reading because the body is full.
    ///
    /// In that case, `onRoom` is called when the body has free space again.
    func holdIfFull() -> Bool {
        state.withLock { state in
            state.isHeld = state.count >= Self.most && state.end == nil
            return state.isHeld
        }
    }

    /// Returns the next piece, or `nil` at the end of the body.
    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        while true {
            switch state.withLock({ $0.take() }) {
            case .piece(let piece, let isRoomy):
                if isRoomy { onRoom() }
                return piece
            case .end(let end):
                try end.get()
                return nil
            // If two tasks read concurrently, each task would get only a part.
            case .busy:
                throw DocumentStreamError(
                    .alreadyRead,
                    "another task is already waiting for the document's data; read the document in one task only")
            case .nothing: try await arrival()
            }
        }
    }

    /// Waits until a piece arrives or the body ends.
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

extension RequestBody.State {
    fileprivate enum NextPiece {
        case piece(ArraySlice<UInt8>, isRoomy: Bool)
        case end(Result<Void, DocumentStreamError>)
        case nothing, busy
    }

    fileprivate mutating func take() -> NextPiece {
        guard reader == nil else { return .busy }
        guard let piece = pieces.popFirst() else { return end.map { .end($0) } ?? .nothing }
        count -= piece.count
        guard isHeld, count < RequestBody.most else { return .piece(piece, isRoomy: false) }
        isHeld = false
        return .piece(piece, isRoomy: true)
    }
}

extension DocumentStreamError {
    static var interrupted: DocumentStreamError {
        DocumentStreamError(.interrupted, "the connection was lost before the document was complete")
    }

    /// Returns the error that the reader of a document receives after a failure of the connection.
    static func reading(_ error: any Error) -> DocumentStreamError {
        switch error {
        case let error as IPPServerError where error.code == .timedOut:
            DocumentStreamError(
                .timedOut, "timed out waiting for the client to send the rest of the document", cause: error)
        default:
            DocumentStreamError(.interrupted, "the connection was lost before the document was complete", cause: error)
        }
    }
}
