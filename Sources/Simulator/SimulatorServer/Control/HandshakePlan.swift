// Selects the faults of TLS handshakes.

package import PrinterSimulator

package struct HandshakePlan: Sendable {
    package let fault: HandshakeFault
    private let met: TriggeredFault

    /// Returns the plan for the next handshake on a port; nil for a handshake without a fault.
    ///
    /// During the handshake, the server does not have the name of the requested printer yet. Therefore a fault of one
    /// printer affects all printers on the port.
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

    /// Waits until a command clears the fault, the duration of the fault has passed, or the task is canceled.
    package func untilOver(by clock: any Clock<Duration> = ContinuousClock()) async {
        await met.untilOver(by: clock)
    }
}
