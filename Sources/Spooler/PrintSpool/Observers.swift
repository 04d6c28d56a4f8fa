// Notifies observers of commits.

import Synchronization

/// What schedulers must check after a commit.
package enum News: Hashable, Sendable {
    /// A commit after which no other job can start.
    case none
    /// A commit after which another job of these printers may be able to start. The printers have not changed.
    case jobs(of: Set<String>)
    /// Any other commit.
    case all

    /// Returns what must be checked after two commits.
    func union(_ other: News) -> News {
        switch (self, other) {
        case (.none, let news), (let news, .none): news
        case (.jobs(let printers), .jobs(let others)): .jobs(of: printers.union(others))
        case (.all, _), (_, .all): .all
        }
    }
}

/// The observers that are notified after commits.
final class Observers: Sendable {
    private struct State {
        var nextKey = 0
        var all: [Int: Observer] = [:]
        var isFinished = false
        var wakeUps = 0
    }

    private struct Observer {
        /// Whether the observer is woken only by changes that require the scheduler to check the queue.
        var wantsNewsOnly = false
        var wake: @Sendable () -> Void
        var finish: @Sendable () -> Void
    }

    private let state = Mutex(State())

    /// Returns a stream of changes.
    ///
    /// All changes since the last element was read are combined into one element.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key = add(Observer(wake: { continuation.yield() }, finish: { continuation.finish() }))
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(key) }
        return stream
    }

    /// Runs `body`, and calls `wake` after each change that requires the scheduler to check the queue.
    ///
    /// The calls of `wake` end when `body` returns.
    nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        let key = add(Observer(wantsNewsOnly: true, wake: wake, finish: {}))
        defer { if let key { remove(key) } }
        return try await body()
    }

    /// The number of calls of `wake(isNews:)` since the spool was opened.
    var wakeUps: Int { state.withLock { $0.wakeUps } }

    /// Wakes the observers after a change.
    ///
    /// If `isNews` is false, wakes only the observers of all changes. Observers for the scheduler are not woken.
    func wake(isNews: Bool) {
        let observers = state.withLock { state in
            state.wakeUps += 1
            return Array(state.all.values)
        }
        for observer in observers where isNews || !observer.wantsNewsOnly { observer.wake() }
    }

    /// Ends the streams of all observers.
    func finish() {
        let observers = state.withLock { state in
            state.isFinished = true
            return Array(state.all.values)
        }
        for observer in observers { observer.finish() }
    }

    private func add(_ observer: Observer) -> Int? {
        state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextKey += 1
            state.all[state.nextKey] = observer
            return state.nextKey
        }
    }

    private func remove(_ key: Int) { _ = state.withLock { $0.all.removeValue(forKey: key) } }
}
