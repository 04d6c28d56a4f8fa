// A cache of the printers.

import PrintModel
import Synchronization

/// A cache of the printers, which every submission and every pass of the scheduler reads.
final class PrinterList: Sendable {
    private struct State {
        var printers: [ConfiguredPrinter]?
        /// The number of changes in progress.
        ///
        /// Until they end, the cache is not used.
        var underway = 0
        var ended = 0
    }

    private let state = Mutex(State())

    /// The printers, if they were read since the last change, and the number of changes so far.
    var known: (printers: [ConfiguredPrinter]?, changes: Int) { state.withLock { ($0.printers, $0.ended) } }

    /// Stores printers that were read after the given number of changes, unless another change has started since.
    func remember(_ printers: [ConfiguredPrinter], after changes: Int) {
        state.withLock { if $0.underway == 0, $0.ended == changes { $0.printers = printers } }
    }

    /// Marks the start of a change.
    ///
    /// The cache is emptied before the change is visible, so that an observer of the change cannot read the old
    /// printers.
    func beginChange() {
        state.withLock { state in
            state.printers = nil
            state.underway += 1
        }
    }

    /// Marks the end of a change, whether it succeeded or not.
    func endChange() {
        state.withLock { state in
            state.underway -= 1
            state.ended += 1
        }
    }
}
