// The change notifications of a simulated printer.

/// A change of a simulated printer.
///
/// The receiver must read the state again.
package enum SimulatorEvent: Hashable, Sendable {
    /// A job was created, changed its state, or ended.
    case jobChanged(Int)
    /// The printer's state, its trays or its supplies changed.
    case printerChanged
}
