// The printers as they were last read.

import PrintModel
import Synchronization

/// Remembers the printers from one change to the next: each submission asks for them, and each look of the scheduler.
final class PrinterList: Sendable {
    private struct State {
        var printers: [Printer]?
        var changes = 0
    }

    private let state = Mutex(State())

    /// The printers, if they were read since they last changed; and how often they have changed.
    var known: (printers: [Printer]?, changes: Int) { state.withLock { ($0.printers, $0.changes) } }

    /// Remembers what was read after so many changes, unless there was another one meanwhile.
    func remember(_ printers: [Printer], after changes: Int) {
        state.withLock { if $0.changes == changes { $0.printers = printers } }
    }

    /// The printers have changed, or can no longer be read.
    func forget() {
        state.withLock { state in
            state.printers = nil
            state.changes += 1
        }
    }
}
