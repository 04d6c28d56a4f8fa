// The connection to simulated printers.

package import IPP

/// A connection that sends control requests to the simulated printers of a server.
///
/// A simulated printer handles these requests even if the printer does not respond to clients.
package struct SimulatorPort: Sendable {
    /// A function that sends a request to the simulated printers.
    package typealias Send = @Sendable (Message) async throws -> Message

    /// The function that sends a request to the simulated printers.
    let send: Send
    /// The function that is called after a printer has executed a command.
    ///
    /// The argument is the name of the printer on this server.
    let noteChange: @Sendable (_ printer: String) async -> Void

    /// Creates a connection to the simulated printers.
    package init(send: @escaping Send, noteChange: @escaping @Sendable (_ printer: String) async -> Void = { _ in }) {
        (self.send, self.noteChange) = (send, noteChange)
    }

    /// The IPP operation of `printsim` that controls a simulated printer.
    static let controlPrinter = Operation(rawValue: 0x5053)
}
