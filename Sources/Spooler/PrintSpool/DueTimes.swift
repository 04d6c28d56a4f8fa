// When the clock next sets something free, as it was last looked up.

import PrintModel
import Synchronization

/// Remembers from one look of the scheduler to the next when the clock sets something free: every commit makes it look,
/// and nearly none of them has to do with the clock.
final class DueTimes: Sendable {
    /// A time in which nothing falls due.
    struct QuietPeriod: Sendable {
        /// When it was looked up; what a clock that was set back to before that would say is not known.
        var from: UnixTime
        /// When something falls due; nil when nothing waits for the clock.
        var until: UnixTime?

        func holds(at now: UnixTime) -> Bool { now >= from && until.map { now < $0 } ?? true }
    }

    private struct State {
        var calm: QuietPeriod?
        /// Whether a transaction is under way that lets a job wait for the clock; whoever asks meanwhile must look for
        /// himself.
        var isChanging = false
        var changes = 0
    }

    private let state = Mutex(State())

    /// The calm at that moment, if it is known; and how often anything has changed.
    func calm(at now: UnixTime) -> (calm: QuietPeriod?, changes: Int) {
        state.withLock { state in (state.calm.flatMap { $0.holds(at: now) ? $0 : nil }, state.changes) }
    }

    /// Remembers what was read after so many changes, unless there is or was another one meanwhile.
    func remember(_ calm: QuietPeriod, after changes: Int) {
        state.withLock { if !$0.isChanging, $0.changes == changes { $0.calm = calm } }
    }

    /// The transaction under way may let a job wait for the clock.
    func beginChange() {
        state.withLock { state in
            state.calm = nil
            state.isChanging = true
        }
    }

    /// What was written is committed and can be read.
    func endChange() {
        state.withLock { state in
            guard state.isChanging else { return }
            state.isChanging = false
            state.changes += 1
        }
    }
}
