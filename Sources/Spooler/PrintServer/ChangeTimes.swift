// Records the times at which printers changed.

import PrintModel
import Synchronization

/// The times of the last observed changes of printers (IPP `printer-state-change-time`, `printer-config-change-time`).
///
/// The times of changes before the start of `printd` are unknown.
final class ChangeTimes<Value: Equatable & Sendable>: Sendable {
    private struct Seen: Sendable {
        var value: Value
        var since: UnixTime
    }

    private let seen = Mutex<[String: Seen]>([:])

    /// Returns the time of the last observed change of a printer's status or configuration.
    ///
    /// If `value` differs from the stored value, the function stores `value` and returns `now`.
    func time(of printer: String, _ value: Value, now: UnixTime) -> UnixTime {
        seen.withLock { seen in
            // A time in the future means that the clock was set back. Replace such a time.
            if let known = seen[printer], known.value == value, known.since <= now { return known.since }
            seen[printer] = Seen(value: value, since: now)
            return now
        }
    }

    /// Removes the times of all printers except the given printers.
    func keepOnly(_ names: Set<String>) {
        seen.withLock { seen in
            for name in seen.keys where !names.contains(name) { seen[name] = nil }
        }
    }
}

extension PrinterStatus {
    /// The status without supplies and trays.
    ///
    /// A changed level of ink or paper is not a change of the printer's state.
    var withoutSupplies: PrinterStatus {
        var status = self
        status.supplies = []
        (status.inputTrays, status.outputTrays) = ([], [])
        return status
    }
}
