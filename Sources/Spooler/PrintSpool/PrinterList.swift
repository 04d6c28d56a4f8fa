// Caches the printers.

import PrintModel
import Synchronization

/// A cache of the configured printers.
///
/// Every submission and every run of the scheduler reads this cache.
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

    /// The cached printers, and the number of changes that have ended.
    ///
    /// The printers are nil if no caller has read the printers since the last change of a printer.
    var known: (printers: [ConfiguredPrinter]?, changes: Int) { state.withLock { ($0.printers, $0.ended) } }

    /// Stores the printers that the caller has read from the database.
    ///
    /// The argument `changes` is the number of changes that had ended when the read operation started.
    ///
    /// Does nothing if a change is in progress, or if a change has ended since the read operation started.
    func remember(_ printers: [ConfiguredPrinter], after changes: Int) {
        state.withLock { if $0.underway == 0, $0.ended == changes { $0.printers = printers } }
    }

    /// Invalidates the cache before a change becomes visible.
    ///
    /// Therefore observers of the change do not receive the old printers.
    func beginChange() {
        state.withLock { state in
            state.printers = nil
            state.underway += 1
        }
    }

    /// Ends a change after the commit or the rollback.
    func endChange() {
        state.withLock { state in
            state.underway -= 1
            state.ended += 1
        }
    }
}
