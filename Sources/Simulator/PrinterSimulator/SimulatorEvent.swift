// News of a simulated printer, for whoever shows it to clients.

/// Something changed at a simulated printer: look again.
package enum SimulatorEvent: Hashable, Sendable {
    /// A job was made, moved on or ended.
    case jobChanged(Int)
    /// The printer's state, its trays or its supplies changed.
    case printerChanged
}
