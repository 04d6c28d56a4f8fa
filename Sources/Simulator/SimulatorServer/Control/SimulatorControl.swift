// Controls simulated printers with a vendor-specific IPP operation.

package import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension IPP.Operation {
    /// The operation that controls a simulated printer.
    ///
    /// The code of the operation is from the range for vendors (RFC 8011 §5.4.15).
    ///
    /// The operation attribute `printq-care` holds the words of a `SimulatorControlCommand`. The printer attributes of
    /// the response describe the resulting state: `printer-state`, `printer-state-reasons`, `printer-state-message`,
    /// `printq-faults`, `printq-trays`, and `printq-supplies` with the supplies that are low.
    package static let controlPrinter = IPP.Operation(rawValue: 0x5053)
}

/// A responder that handles `controlPrinter` and forwards all other requests.
///
/// The responder handles control requests even while a fault blocks the printer.
package struct SimulatorControl: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let access: ControlAccess
    private let isReachedOtherwise: Bool

    /// Creates a responder that forwards all other requests to another responder.
    ///
    /// - Parameters:
    ///   - access: The access rule for changes. Every client can read the state.
    ///   - isReachedOtherwise: Whether clients have another connection, such as a Unix socket, while TCP connections
    ///     are refused.
    package init(
        _ responder: any IPPResponder, service: SimulatorService, access: ControlAccess = ControlAccess(),
        isReachedOtherwise: Bool = true
    ) {
        (self.responder, self.service, self.access) = (responder, service, access)
        self.isReachedOtherwise = isReachedOtherwise
    }

    /// Returns the response to a control request, or the response of the other responder.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        guard request.message.operation == .controlPrinter else { return await responder.answer(to: request) }
        return IPPAnswer(await care(request))
    }

    private func care(_ request: IPPRequest) async -> Message {
        let message = request.message
        do throws(IPPFailure) {
            if ControlAccess.isControl(message) { try access.require(for: request) }
            let words = try message.checked(for: [.controlPrinter]).strings("printq-care")
            return message.reply(.successfulOk, groups: [try await obey(words, message)])
        } catch {
            return message.reply(error)
        }
    }

    private func obey(_ words: [String], _ message: Message) async throws(IPPFailure) -> AttributeGroup {
        do throws(SimulatorError) {
            guard let printer = service.device(meantBy: message) else {
                let names = service.devices.map(\.description.name).joined(separator: ", ")
                throw SimulatorError(.noSuchPart, "unknown printer; known printers: \(names)")
            }
            let command = try SimulatorControlCommand(words)
            try check(command)
            try await command.apply(to: printer)
            // Wait until the listener has opened or closed, so that the command has taken effect when the client gets
            // the response.
            await service.untilPortIsCurrent()
            return await Self.state(of: printer)
        } catch {
            throw IPPFailure(error)
        }
    }

    private func check(_ command: SimulatorControlCommand) throws(SimulatorError) {
        guard case .fault(let fault) = command, fault.refusesConnections, fault.end == .cleared, !isReachedOtherwise
        else { return }
        throw SimulatorError(
            .badFault,
            "no client could clear this fault, because all connections are refused; use 'refuse for 10 seconds', "
                + "or start printsim with --socket")
    }

    private static func state(of printer: SimulatedPrinter) async -> AttributeGroup {
        let whole = await printer.status
        let status = whole.printer
        let faults = await printer.plannedFaults
        let lines = faults.active.map { "\($0) (now)" } + faults.armed
        return AttributeGroup(
            .printer,
            [
                Attribute("printer-name", .name(printer.description.name)),
                Attribute("printer-state", .enumeration(Int32(status.state.rawValue))),
                Attribute(
                    "printer-state-reasons",
                    status.reasons.isEmpty ? [.keyword("none")] : status.reasons.map { .keyword($0) }),
                Attribute("printer-state-message", .text(status.message)),
            ] + texts("printq-faults", lines) + texts("printq-trays", whole.trays.map(\.contents))
                + texts(
                    "printq-supplies", whole.supplies.filter { $0.percent <= 10 }.map { "\($0.name): \($0.percent) %" })
        )
    }

    private static func texts(_ name: String, _ lines: [String]) -> [Attribute] {
        lines.isEmpty ? [] : [Attribute(name, lines.map { .text($0) })]
    }
}

extension SimulatorService {
    /// Returns the printer that the request's URI names.
    ///
    /// A URI without a name selects the default printer. The result is nil for an unknown name.
    func device(meantBy message: Message) -> SimulatedPrinter? {
        let uri = message[.operation]?.string("printer-uri") ?? message[.operation]?.string("job-uri") ?? ""
        // This function runs for each request. Comparing bytes is enough, because the keywords of the path are ASCII.
        var path = uri.utf8.split(separator: UInt8(ascii: "/")).dropFirst(2)
        while let word = path.popFirst() {
            guard word.elementsEqual("print".utf8) || word.elementsEqual("printers".utf8) else { continue }
            guard let name = path.first else { break }
            return devices.first { $0.description.name.utf8.elementsEqual(name) }
        }
        return devices.first
    }
}
