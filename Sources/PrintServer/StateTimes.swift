// Since when printers are as they are.

import PrintModel
import Synchronization

/// Remembers since when each printer is seen to be as it is (IPP `printer-state-change-time`,
/// `printer-config-change-time`).
///
/// It is known for as long as printd runs: before that, nobody looked.
final class StateTimes<State: Equatable & Sendable>: Sendable {
    private struct Seen {
        var status: State
        var since: UnixTime
    }

    private let seen = Mutex<[String: Seen]>([:])

    /// Since when the printer is as it is now.
    func time(of printer: String, _ status: State, now: UnixTime) -> UnixTime {
        seen.withLock { seen in
            // A clock that was set back must not have it begin in the future.
            if let known = seen[printer], known.status == status, known.since <= now { return known.since }
            seen[printer] = Seen(status: status, since: now)
            return now
        }
    }
}
