// Caches the printers.

import PrintModel
import Synchronization

/// A cache of the printers, which every submission and every run of the scheduler reads.
final class PrinterList: Sendable {
    private struct State {
        var printers: [ConfiguredPrinter]?
        /// The number of changes in progress.
        ///
        /// While changes are in progress, callers must query the database.
        var underway = 0
        var ended = 0
    }

    private let state = Mutex(State())

    /// The cached printers, and the number of changes so far.
    ///
    /// The printers are nil if a printer has changed since the printers were read.
    var known: (printers: [ConfiguredPrinter]?, changes: Int) { state.withLock { ($0.printers, $0.ended) } }

    /// Stores printers that were read after `changes` changes, unless a change is in progress or has ended since the
    /// printers were read.
    func remember(_ printers: [ConfiguredPrinter], after changes: Int) {
        state.withLock { if $0.underway == 0, $0.ended == changes { $0.printers = printers } }
    }

    /// Invalidates the cache before a change becomes visible, so that observers of the change do not get the old
    /// printers.
    func beginChange() {
        state.withLock { state in
            state.printers = nil
            state.underway += 1
        }
    }

    /// Ends a change that was committed or rolled back.
    func endChange() {
        state.withLock { state in
            state.underway -= 1
            state.ended += 1
        }
    }
}
