// Provides a clock that only advances when a test advances it.

import Synchronization

/// A clock that a test advances manually.
///
///     let clock = TestClock()
///     async let slept: Void = clock.sleep(for: .seconds(2))
///     await clock.sleepers(1)          // one task sleeps now
///     clock.advance(by: .seconds(2))   // the task wakes
public final class TestClock: Clock, Sendable {
    /// An instant of the clock.
    public struct Instant: InstantProtocol {
        /// The duration since the creation of the clock.
        public var offset: Duration

        /// Returns a later instant.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this instant to another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether the first instant is earlier.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(isAwaited: @Sendable ([Instant]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock at offset 0.
    public init() {}

    /// The current instant.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution, which is exact.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the clock reaches the deadline, or until the task is canceled.
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

    /// Advances the clock, and wakes all tasks whose deadlines have passed, the earliest first.
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

    /// Waits until at least `count` tasks sleep at the same time.
    public func sleepers(_ count: Int) async { await untilSleepers { $0.count >= count } }

    /// Waits until a task sleeps that wakes after exactly this duration.
    ///
    /// Use this function to distinguish several sleeping tasks.
    public func sleeper(for duration: Duration) async {
        let deadline = now.advanced(by: duration)
        await untilSleepers { $0.contains(deadline) }
    }

    /// Waits until no task sleeps.
    public func noSleepers() async { await untilSleepers(\.isEmpty) }

    /// Waits until the deadlines of the sleeping tasks meet a condition.
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
