// Those who want to know that something changed.

import Synchronization

/// Those who want to know that something changed.
final class Observers: Sendable {
    private struct State {
        var nextKey = 0
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
        var isFinished = false
        var wakeUps = 0
    }

    private let state = Mutex(State())

    /// A stream with one wake-up for any number of changes since the last.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextKey += 1
            state.continuations[state.nextKey] = continuation
            return state.nextKey
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: key) }
        }
        return stream
    }

    /// How often they were woken.
    var wakeUps: Int { state.withLock { $0.wakeUps } }

    /// Wakes all of them.
    func wake() {
        let continuations = state.withLock { state in
            state.wakeUps += 1
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.yield() }
    }

    /// Ends all streams.
    func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }
}
