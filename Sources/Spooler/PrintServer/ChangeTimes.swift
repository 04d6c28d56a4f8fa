// Since when printers are as they are.

import PrintModel
import Synchronization

/// Remembers since when each printer is seen to be as it is (IPP `printer-state-change-time`,
/// `printer-config-change-time`).
///
/// It is known for as long as printd runs: before that, nobody looked.
final class ChangeTimes<Value: Equatable & Sendable>: Sendable {
    private struct Seen: Sendable {
        var value: Value
        var since: UnixTime
    }

    private let seen = Mutex<[String: Seen]>([:])

    /// Since when the printer is as it is now.
    func time(of printer: String, _ value: Value, now: UnixTime) -> UnixTime {
        seen.withLock { seen in
            // A clock that was set back must not have it begin in the future.
            if let known = seen[printer], known.value == value, known.since <= now { return known.since }
            seen[printer] = Seen(value: value, since: now)
            return now
        }
    }
}

extension PrinterStatus {
    /// The status without its supplies: ink that is used up changes no state.
    var withoutSupplies: PrinterStatus {
        var status = self
        status.supplies = []
        return status
    }
}
