// The change notifications of a simulated printer.

/// A change of a simulated printer.
///
/// The receiver of the event must read the state again.
package enum SimulatorEvent: Hashable, Sendable {
    case jobChanged(Int)
    /// An event for a change of the printer's state, trays or supplies.
    case printerChanged
}
