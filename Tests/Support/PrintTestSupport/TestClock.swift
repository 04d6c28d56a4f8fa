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
        var watchers: [(isAwaited: @Sendable ([Instant]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
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
    public func sleepers(_ count: Int) async { await untilSleepers { $0.count >= count } }

    /// Waits until someone sleeps who wakes when the clock is moved by just that much.
    ///
    /// Where several sleep, this tells one from the other.
    public func sleeper(for duration: Duration) async {
        let deadline = now.advanced(by: duration)
        await untilSleepers { $0.contains(deadline) }
    }

    /// Waits until nobody sleeps.
    public func noSleepers() async { await untilSleepers(\.isEmpty) }

    /// Waits until those who sleep are as wanted; told are the moments at which they wake.
    private func untilSleepers(_ isAwaited: @escaping @Sendable ([Instant]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.watchers.append((isAwaited, continuation)) }
            tellWatchers()
        }
    }

    private func tellWatchers() {
        let satisfied = state.withLock { state in
            let deadlines = state.sleepers.values.map(\.deadline)
            let satisfied = state.watchers.filter { $0.isAwaited(deadlines) }
            state.watchers.removeAll { $0.isAwaited(deadlines) }
            return satisfied.map(\.continuation)
        }
        for continuation in satisfied { continuation.resume() }
    }
}
