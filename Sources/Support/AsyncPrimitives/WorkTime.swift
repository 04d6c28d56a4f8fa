// Measures the working time of several attempts at the same work.

import Synchronization

/// The working time that all attempts at the same work have used together.
///
/// The current task and its child tasks measure their work with the same clock:
///
///     try await WorkTime.$current.withValue(time) { try await worker.prepare(request) { _ in } }
///
/// The time between the attempts, such as the wait for a free worker, does not count. The time of attempts that run at
/// the same time counts once.
public final class WorkTime: Sendable {
    /// The working time of the current task; nil if each attempt has the whole time limit.
    @TaskLocal public static var current: WorkTime?

    private struct State {
        var used: Duration
        /// The number of attempts in progress, and the start of the first of them.
        var running = 0
        var start = ContinuousClock.now
        /// The additional time for each kind of work, in seconds.
        var additional: [String: Double] = [:]

        /// The time in seconds that counts against the limit, less than 0 if only additional time was used.
        var counted: Double {
            (used + (running > 0 ? ContinuousClock.now - start : .zero)) / .seconds(1)
                - additional.values.reduce(0, +)
        }
    }

    private let state: Mutex<State>

    /// Continues with the seconds that earlier attempts have used.
    public init(used seconds: Double = 0) { state = Mutex(State(used: .seconds(seconds))) }

    /// The time in seconds that counts against the time limit.
    public var seconds: Double { state.withLock { max(0, $0.counted) } }

    /// Returns the seconds that remain of a time limit, or 0 if the limit is exceeded.
    public func remaining(of limit: Double) -> Double {
        state.withLock { max(0, limit - $0.counted) }
    }

    /// Raises the time limit of all attempts by a number of seconds, once for each kind of work.
    public func extend(by seconds: Double, for work: String) {
        state.withLock { $0.additional[work] = max($0.additional[work] ?? 0, seconds) }
    }

    /// Calls a function whose attempts have one time limit together: that of the current task, or a new one.
    public static func shared<Result, Failure>(
        by work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard current == nil else { return try await work() }
        let result = await $current.withValue(WorkTime()) {
            do throws(Failure) { return Swift.Result<Result, Failure>.success(try await work()) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Starts to measure an attempt, which must end with `end()`.
    public func begin() {
        state.withLock { state in
            if state.running == 0 { state.start = .now }
            state.running += 1
        }
    }

    /// Ends an attempt.
    public func end() {
        state.withLock { state in
            if state.running == 1 { state.used += ContinuousClock.now - state.start }
            state.running -= 1
        }
    }

    /// Forgets the attempts that have ended, after the work has succeeded.
    public func reset() { state.withLock { ($0.used, $0.additional) = (.zero, [:]) } }
}
