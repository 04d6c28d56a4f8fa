// Caches the next time at which a job becomes due.

import PrintModel
import Synchronization

/// A cache of the next time at which a job becomes due.
///
/// The scheduler runs after every commit, but most commits do not change a due time. The cache avoids a query after
/// these commits.
final class DueTimes: Sendable {
    /// A period of time in which no job becomes due.
    struct QuietPeriod: Sendable {
        /// The time of the database query, which is the start of the period.
        ///
        /// The period is not valid for earlier times, for example after the clock was set back.
        var from: UnixTime
        /// The time at which the next job becomes due; nil when no job has a due time.
        var until: UnixTime?

        func holds(at now: UnixTime) -> Bool { now >= from && until.map { now < $0 } ?? true }
    }

    private struct State {
        var quietPeriod: QuietPeriod?
        /// Whether a transaction in progress may add a due time.
        ///
        /// Until that transaction ends, callers must query the database.
        var isChanging = false
        var changes = 0
    }

    private let state = Mutex(State())

    /// Returns the cached period without due jobs, or nil if this period does not contain `now`.
    ///
    /// Also returns the number of changes that have ended, which the caller passes to `remember`.
    func quietPeriod(at now: UnixTime) -> (quietPeriod: QuietPeriod?, changes: Int) {
        state.withLock { state in (state.quietPeriod.flatMap { $0.holds(at: now) ? $0 : nil }, state.changes) }
    }

    /// Stores a period without due jobs that the caller has read from the database.
    ///
    /// The argument `changes` is the number of changes that had ended when the read operation started.
    ///
    /// Does nothing if a change is in progress, or if a change has ended since the read operation started.
    func remember(_ quietPeriod: QuietPeriod, after changes: Int) {
        state.withLock { if !$0.isChanging, $0.changes == changes { $0.quietPeriod = quietPeriod } }
    }

    /// Invalidates the cache before a transaction that may add a due time.
    func beginChange() {
        state.withLock { state in
            state.quietPeriod = nil
            state.isChanging = true
        }
    }

    /// Ends the change after the commit, when callers can read the new due times.
    func endChange() {
        state.withLock { state in
            guard state.isChanging else { return }
            state.isChanging = false
            state.changes += 1
        }
    }
}
