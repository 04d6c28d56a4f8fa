// The times of the printers' last changes.

import PrintModel
import Synchronization

/// The times at which the printers' values were last seen to change (IPP `printer-state-change-time`,
/// `printer-config-change-time`).
///
/// The times are known only as long as `printd` runs.
final class ChangeTimes<Value: Equatable & Sendable>: Sendable {
    private struct Seen: Sendable {
        var value: Value
        var since: UnixTime
    }

    private let seen = Mutex<[String: Seen]>([:])

    /// Returns since when the printer has its current value.
    func time(of printer: String, _ value: Value, now: UnixTime) -> UnixTime {
        seen.withLock { seen in
            // If the clock was set back, the time must not be in the future.
            if let known = seen[printer], known.value == value, known.since <= now { return known.since }
            seen[printer] = Seen(value: value, since: now)
            return now
        }
    }
}

extension PrinterStatus {
    /// The status without the supplies, because a lower ink level is not a change of the state.
    var withoutSupplies: PrinterStatus {
        var status = self
        status.supplies = []
        return status
    }
}
