// Selects the faults of TLS handshakes.

package import PrinterSimulator

/// A TLS handshake that must fail.
package struct HandshakePlan: Sendable {
    /// The fault of the handshake.
    package let fault: HandshakeFault
    private let met: TriggeredFault

    /// Returns the fault of the next handshake on a port; nil when the handshake must succeed.
    ///
    /// A handshake takes place before the client names a printer. A fault of one printer therefore affects all printers
    /// on the port.
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

    /// Waits until the fault is cleared, its duration has passed, or the task is canceled.
    package func untilOver(by clock: any Clock<Duration> = ContinuousClock()) async {
        await met.untilOver(by: clock)
    }
}
