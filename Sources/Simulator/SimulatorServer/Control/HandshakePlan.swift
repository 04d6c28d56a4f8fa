// How the printers have handshakes of TLS go wrong.

package import PrinterSimulator

/// A handshake that is to go wrong.
package struct HandshakePlan: Sendable {
    /// How.
    package let fault: HandshakeFault
    private let met: TriggeredFault

    /// What the printers of a port have planned for the next handshake; nil when it is to go well.
    ///
    /// A handshake comes before it is said which printer is meant: a fault of one is a fault of all that share the port.
    package static func next(of printers: [SimulatedPrinter]) async -> HandshakePlan? {
        for printer in printers {
            guard let met = await printer.handshakeFault(), case .answer(.handshake(let fault)) = met.fault.kind
            else {
                continue
            }
            return HandshakePlan(fault: fault, met: met)
        }
        return nil
    }

    /// Waits until the fault is cleared, or for as long as it says, or until the task is cancelled.
    package func untilOver(by clock: any Clock<Duration> = ContinuousClock()) async {
        await met.untilOver(by: clock)
    }
}
