// Passes the pieces of an event stream from their producers to the connection.

import Synchronization

/// A queue that passes the data of a stream from the producers to the connection, one piece at a time.
///
/// A producer waits until the connection has read the previous piece. Therefore a slow client delays the producer, and
/// a stream uses the memory of at most two pieces.
final class PieceQueue: Sendable {
    private struct State {
        var piece: [UInt8]?
        var isFinished = false
        var producer: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Waits until the queue is empty, and then adds a piece of data.
    ///
    /// Only one task at a time is allowed to call this method.
    ///
    /// - Returns: `true` if the piece was added; `false` if the stream has ended.
    func put(_ piece: [UInt8]) async -> Bool {
        while true {
            let (isDone, isAdded, consumer) = state.withLock {
                state -> (Bool, Bool, CheckedContinuation<Void, Never>?) in
                if state.isFinished { return (true, false, nil) }
                guard state.piece == nil else { return (false, false, nil) }
                state.piece = piece
                return (true, true, state.consumer.take())
            }
            consumer?.resume()
            if isDone { return isAdded }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.piece != nil, !state.isFinished else { return true }
                    state.producer = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Adds a piece of data if the queue is empty.
    ///
    /// Otherwise the function discards the piece.
    func offer(_ piece: [UInt8]) {
        let consumer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.piece == nil, !state.isFinished else { return nil }
            state.piece = piece
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Ends the stream.
    ///
    /// The connection still receives a piece that is in the queue.
    func finish() {
        let (producer, consumer) = state.withLock { state in
            state.isFinished = true
            return (state.producer.take(), state.consumer.take())
        }
        producer?.resume()
        consumer?.resume()
    }

    /// Returns the next piece of data, or nil at the end of the stream.
    func next() async -> [UInt8]? {
        while true {
            let (piece, isOver, producer) = state.withLock { state in
                let piece = state.piece.take()
                return (piece, piece == nil && state.isFinished, state.producer.take())
            }
            producer?.resume()
            if piece != nil || isOver { return piece }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.piece == nil, !state.isFinished else { return true }
                    state.consumer = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
