// Hands on a simulated printer, over IPP: an operation of our own, beside those of the standard.

package import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension IPP.Operation {
    /// Does something to a simulated printer by hand; of the range that the standard leaves to vendors (RFC 8011 §5.4.15).
    ///
    /// The operation attribute `printq-care` has the words of a `SimulatorControlCommand`. The answer's printer attributes tell how the
    /// printer is then: `printer-state`, `printer-state-reasons`, `printer-state-message`, `printq-faults`, `printq-trays`, and
    /// `printq-supplies` of those that are low.
    package static let controlPrinter = IPP.Operation(rawValue: 0x5053)
}

/// Answers `controlPrinter`, and passes everything else on; it answers also when the printer does not.
package struct SimulatorControl: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let access: ControlAccess
    private let isReachedOtherwise: Bool

    /// A desk before what answers everything else.
    ///
    /// - Parameters:
    ///   - access: who may change a printer; how it is, everybody is told.
    ///   - isReachedOtherwise: whether it can be asked while no connection of TCP is accepted.
    package init(
        _ responder: any IPPResponder, service: SimulatorService, access: ControlAccess = ControlAccess(),
        isReachedOtherwise: Bool = true
    ) {
        (self.responder, self.service, self.access) = (responder, service, access)
        self.isReachedOtherwise = isReachedOtherwise
    }

    /// Returns the answer to a control request, or the responder's answer.
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
                throw SimulatorError(.noSuchPart, "there is no such printer; there are \(names)")
            }
            let command = try SimulatorControlCommand(words)
            try check(command)
            try await command.apply(to: printer)
            // What was asked for is done when it is said so.
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
            "nobody could clear it, for no connection would be accepted: say for how long, as in 'refuse for 10 seconds', "
                + "or start printsim with a --socket too")
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
    /// The printer that a request's URI names; the default one when it names none, nil when there is none of that name.
    func device(meantBy message: Message) -> SimulatedPrinter? {
        let uri = message[.operation]?.string("printer-uri") ?? message[.operation]?.string("job-uri") ?? ""
        // Over bytes: it is done for each request, and none of the words that matter has a letter beyond ASCII.
        var path = uri.utf8.split(separator: UInt8(ascii: "/")).dropFirst(2)
        while let word = path.popFirst() {
            guard word.elementsEqual("print".utf8) || word.elementsEqual("printers".utf8) else { continue }
            guard let name = path.first else { break }
            return devices.first { $0.description.name.utf8.elementsEqual(name) }
        }
        return devices.first
    }
}
