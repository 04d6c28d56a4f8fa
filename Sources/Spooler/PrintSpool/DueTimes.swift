// The cached time at which the next job becomes due.

import PrintModel
import Synchronization

/// A cache of the next due time.
///
/// The scheduler asks for the due time after every commit, and nearly no commit changes it.
final class DueTimes: Sendable {
    /// A period in which nothing becomes due.
    struct QuietPeriod: Sendable {
        /// The start of the period.
        ///
        /// If the clock is set back to an earlier time, the period says nothing about that time.
        var from: UnixTime
        /// The end of the period; nil when nothing waits for the clock.
        var until: UnixTime?

        func holds(at now: UnixTime) -> Bool { now >= from && until.map { now < $0 } ?? true }
    }

    private struct State {
        var calm: QuietPeriod?
        /// Whether a transaction is in progress that makes a job wait for the clock.
        ///
        /// Until it ends, the cache is not used.
        var isChanging = false
        var changes = 0
    }

    private let state = Mutex(State())

    /// Returns the quiet period that contains a time, if it is known, and the number of changes so far.
    func calm(at now: UnixTime) -> (calm: QuietPeriod?, changes: Int) {
        state.withLock { state in (state.calm.flatMap { $0.holds(at: now) ? $0 : nil }, state.changes) }
    }

    /// Stores a period that was read after the given number of changes, unless another change has started since.
    func remember(_ calm: QuietPeriod, after changes: Int) {
        state.withLock { if !$0.isChanging, $0.changes == changes { $0.calm = calm } }
    }

    /// Marks the start of a transaction that may make a job wait for the clock.
    func beginChange() {
        state.withLock { state in
            state.calm = nil
            state.isChanging = true
        }
    }

    /// Marks the end of a change: the transaction is committed and visible to readers.
    func endChange() {
        state.withLock { state in
            guard state.isChanging else { return }
            state.isChanging = false
            state.changes += 1
        }
    }
}
