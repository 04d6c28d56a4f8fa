// Controls simulated printers with a vendor-specific IPP operation.

import Glibc
package import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension IPP.Operation {
    /// The operation that controls a simulated printer.
    ///
    /// The code of the operation is from the range for vendors (RFC 8011 §5.4.15).
    ///
    /// The operation attribute `printq-control` contains the words of a `SimulatorControlCommand`. The printer
    /// attributes of the response describe the resulting state: `printer-state`, `printer-state-reasons` and
    /// `printer-state-message`. The attributes `printq-faults`, `printq-trays` and `printq-supplies` (only low
    /// supplies) are texts for people. `SimulatedPrinter.controlAttributes` adds the same information as collections
    /// for programs.
    ///
    /// The commands `log`, `log LIMIT` and `log LIMIT BEFORE` return entries of the printer's log in `printq-log-col`.
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
    private let log: PrinterLog?
    private let invitation: (@Sendable () async -> String?)?

    /// - Parameters:
    ///   - access: The access rule for changes. Every client can read the state.
    ///   - isReachedOtherwise: Whether clients can also connect without TCP, such as through a Unix socket. If false,
    ///     the responder rejects a fault that refuses all connections until the fault is cleared.
    ///   - log: The log of the printers; nil if the printers have no log.
    ///   - invitation: A function that returns a one-time address of the Print Center, for the command `center`.
    package init(
        _ responder: any IPPResponder, service: SimulatorService, access: ControlAccess = ControlAccess(),
        isReachedOtherwise: Bool = true, log: PrinterLog? = nil, invitation: (@Sendable () async -> String?)? = nil
    ) {
        (self.responder, self.service, self.access) = (responder, service, access)
        self.isReachedOtherwise = isReachedOtherwise
        self.log = log
        self.invitation = invitation
    }

    package func answer(to request: IPPRequest) async -> IPPAnswer {
        guard request.message.operation == .controlPrinter else { return await responder.answer(to: request) }
        return IPPAnswer(await control(request))
    }

    private func control(_ request: IPPRequest) async -> Message {
        let message = request.message
        do throws(IPPFailure) {
            if ControlAccess.isControl(message) { try access.require(for: request) }
            let words = try message.checked(for: [.controlPrinter]).strings("printq-control")
            if words == ["center"] { return message.reply(.successfulOk, groups: [try await invite(request.peer)]) }
            return message.reply(.successfulOk, groups: [try await obey(words, message)])
        } catch {
            return message.reply(error)
        }
    }

    /// Returns a one-time address of the Print Center for the user who runs printsim.
    ///
    /// The kernel reports the user of the client. Therefore the request requires no password. A web page cannot send
    /// this request, because browsers let a page send only form data to other servers.
    private func invite(_ peer: Peer) async throws(IPPFailure) -> AttributeGroup {
        guard let uid = peer.uid, uid == geteuid() || uid == 0 else {
            throw .notAuthorized("only the user who runs printsim can open its Print Center")
        }
        guard let address = await invitation?() else {
            throw .notPossible("printsim has no TCP port for browsers; start printsim without --no-tcp")
        }
        return AttributeGroup(.printer, [Attribute("printq-center-uri", .uri(address))])
    }

    private func obey(_ words: [String], _ message: Message) async throws(IPPFailure) -> AttributeGroup {
        do throws(SimulatorError) {
            guard let printer = service.device(meantBy: message) else {
                let names = service.devices.map(\.description.name).joined(separator: ", ")
                throw SimulatorError(.noSuchPart, "unknown printer; known printers: \(names)")
            }
            if words.first == "log" { return try await read(LogQuery(Array(words.dropFirst())), of: printer) }
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

    private func read(_ query: LogQuery, of printer: SimulatedPrinter) async -> AttributeGroup {
        var group = AttributeGroup(.printer, [Attribute("printer-name", .name(printer.description.name))])
        guard let page = log?.page(of: printer.description.name, query) else { return group }
        var entries: [Value] = []
        for entry in page.entries { entries.append(.collection(await entry.collection(at: printer))) }
        if !entries.isEmpty { group.append(Attribute("printq-log-col", entries)) }
        if let next = page.next { group.append("printq-log-next", .integer(Int32(clamping: next))) }
        return group
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
                + (await printer.controlAttributes))
    }

    private static func texts(_ name: String, _ lines: [String]) -> [Attribute] {
        lines.isEmpty ? [] : [Attribute(name, lines.map { .text($0) })]
    }
}

extension SimulatorService {
    /// Returns the printer that the request's URI identifies.
    ///
    /// A URI without a name selects the default printer. For an unknown name, the result is nil.
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
