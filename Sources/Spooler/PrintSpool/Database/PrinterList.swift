// The printers as they were last read.

import PrintModel
import Synchronization

/// Remembers the printers from one change to the next: each submission asks for them, and each look of the scheduler.
final class PrinterList: Sendable {
    private struct State {
        var printers: [ConfiguredPrinter]?
        /// Changes that are under way; whoever asks meanwhile must look for himself.
        var underway = 0
        var ended = 0
    }

    private let state = Mutex(State())

    /// The printers, if they were read since they last changed; and how often they have changed.
    var known: (printers: [ConfiguredPrinter]?, changes: Int) { state.withLock { ($0.printers, $0.ended) } }

    /// Remembers what was read after so many changes, unless there is or was another one meanwhile.
    func remember(_ printers: [ConfiguredPrinter], after changes: Int) {
        state.withLock { if $0.underway == 0, $0.ended == changes { $0.printers = printers } }
    }

    /// The printers are about to change: forgotten before the change can be seen, so that nobody whom it wakes is told
    /// the old ones.
    func beginChange() {
        state.withLock { state in
            state.printers = nil
            state.underway += 1
        }
    }

    /// The printers have changed, or stay as they are.
    func endChange() {
        state.withLock { state in
            state.underway -= 1
            state.ended += 1
        }
    }
}
