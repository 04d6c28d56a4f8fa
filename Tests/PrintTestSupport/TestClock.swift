// A clock that stands still until a test moves it.

import Synchronization

/// A clock that a test moves by hand.
///
///     let clock = TestClock()
///     async let slept: Void = clock.sleep(for: .seconds(2))
///     await clock.sleepers(1)          // someone sleeps now
///     clock.advance(by: .seconds(2))   // and wakes
public final class TestClock: Clock, Sendable {
    /// A moment of the clock, counted from its making.
    public struct Instant: InstantProtocol {
        /// How far the clock had been moved.
        public var offset: Duration

        /// The moment that much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How long it is from this moment to the other.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// The earlier moment first.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var idleWatchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A clock at its beginning.
    public init() {}

    /// The moment to which the clock was moved.
    public var now: Instant { state.withLock { $0.now } }

    /// Times are exact.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the clock is moved to the deadline, or the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Now { case wake, fail, wait }
                let now: Now = state.withLock { state in
                    if Task.isCancelled { return .fail }
                    if deadline <= state.now { return .wake }
                    state.sleepers[id] = (deadline, continuation)
                    return .wait
                }
                switch now {
                case .wake: continuation.resume()
                case .fail: continuation.resume(throwing: CancellationError())
                case .wait: tellWatchers()
                }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation
                .resume(throwing: CancellationError())
            tellWatchers()
        }
    }

    /// Moves the clock on; whoever slept up to then wakes, the earliest first.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
        tellWatchers()
    }

    /// Waits until that many sleep at once.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.watchers.append((count, continuation)) }
            tellWatchers()
        }
    }

    /// Waits until nobody sleeps.
    public func noSleepers() async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.idleWatchers.append(continuation) }
            tellWatchers()
        }
    }

    private func tellWatchers() {
        let satisfied = state.withLock { state in
            let count = state.sleepers.count
            var satisfied = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            if count == 0 {
                satisfied += state.idleWatchers
                state.idleWatchers = []
            }
            return satisfied
        }
        for continuation in satisfied { continuation.resume() }
    }
}
