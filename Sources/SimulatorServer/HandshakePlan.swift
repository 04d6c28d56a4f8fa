// How the printers have handshakes of TLS go wrong.

package import PrinterSimulator

/// A handshake that is to go wrong.
package struct HandshakePlan: Sendable {
    /// How.
    package let fault: HandshakeFault
    private let planned: Fault
    private let printer: SimulatedPrinter

    /// What the printers of a port have planned for the next handshake; nil when it is to go well.
    ///
    /// A handshake comes before it is said which printer is meant: a fault of one is a fault of all that share the port.
    package static func next(of printers: [SimulatedPrinter]) async -> HandshakePlan? {
        for printer in printers {
            guard let planned = await printer.handshakeFault(), case .answer(.handshake(let fault)) = planned.kind
            else {
                continue
            }
            return HandshakePlan(fault: fault, planned: planned, printer: printer)
        }
        return nil
    }

    /// Waits until the fault has ended, or the task is cancelled.
    package func untilOver(by clock: any Clock<Duration> = ContinuousClock()) async {
        await printer.untilOver(planned, by: clock)
    }
}

extension SimulatedPrinter {
    /// Waits for as long as a fault says, or until it is cleared, or the task is cancelled.
    func untilOver(_ fault: Fault, by clock: any Clock<Duration>) async {
        guard case .seconds(let seconds) = fault.end else {
            let events = events()
            if fault.end == .cleared, !isFaulty(fault.name) { return }
            for await _ in events where !isFaulty(fault.name) { return }
            return
        }
        try? await clock.sleep(for: .seconds(seconds))
    }
}
