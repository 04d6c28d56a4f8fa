// The change notifications of a simulated printer.

/// A change of a simulated printer.
///
/// The receiver of the event must read the state again.
package enum SimulatorEvent: Hashable, Sendable {
    /// An event for a job that was created, has changed its state, or has ended.
    ///
    /// The value is the number of the job.
    case jobChanged(Int)
    /// An event for a change of the printer's state, trays or supplies.
    case printerChanged
}
