// The simulated printers as IPP printer objects.

import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatorService {
    package func printers() async throws -> [ServedPrinter] {
        var printers: [ServedPrinter] = []
        for device in devices { printers.append(await served(device)) }
        return printers
    }

    package func printer(named name: String?) async throws -> ServedPrinter {
        await served(try device(named: name))
    }

    /// A paused printer stops before the next side.
    package func setPaused(_ isPaused: Bool, message: String, printer: String) async throws {
        let device = try device(named: printer)
        if isPaused { await device.pause() } else { await device.resume() }
    }

    /// Throws an error, because the first printer is always the default printer.
    package func setDefault(printer: String) async throws { throw Self.unsupported }

    /// Identifies a printer to people: shows a message with `say`, and writes a line to `printer.log`.
    package func identify(printer: String, actions: [String], message: String?) async throws {
        guard actions.isEmpty || actions.contains("display") else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "\(printer) supports only the identify action 'display', not \(actions.joined(separator: ", "))",
                unsupported: [Attribute("identify-actions", actions.map { .keyword($0) })])
        }
        let device = try device(named: printer)
        // The message is reduced to one line without control characters, so that it cannot control a terminal.
        let line = message.map(Self.line) ?? ""
        try await device.identify(message: line)
        say("\(printer): identification requested\(line.isEmpty ? "" : ": \(line)")")
    }

    private static func line(_ message: String) -> String {
        let scalars = message.map { $0.isNewline ? " " : $0 }.flatMap(\.unicodeScalars).map { scalar in
            [.control, .format].contains(scalar.properties.generalCategory) ? "·" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    func device(named name: String?) throws(IPPFailure) -> SimulatedPrinter {
        guard let name else { return devices[0] }
        guard let device = devices.first(where: { $0.description.name == name }) else {
            let names = devices.map(\.description.name).joined(separator: ", ")
            throw .notFound("unknown printer '\(name)'; known printers: \(names)")
        }
        return device
    }

    private func served(_ device: SimulatedPrinter) async -> ServedPrinter {
        let description = device.description
        let status = await device.status
        var served = ServedPrinter(
            name: description.name, info: description.info,
            uuid: status.uuid,
            isDefault: device === devices[0], status: status.printer,
            stateChangedAt: stateChange(of: description.name, to: status.printer.state),
            capabilities: description.capabilities(with: status.trays), formats: description.formats + [.octetStream],
            queuedJobs: { status.queuedJobs },
            extra: description.attributes + description.everywhereAttributes + status.attributes
                + description.readyMedia(in: status.trays)
                + status.administratedAttributes(of: description, since: startedAt)
                + publishedName(of: description.name),
            hasWebPages: true)
        served.attributes = description.attributes(for:)
        return served
    }

    // MARK: - DNS-SD

    /// Stores the DNS-SD name under which a printer is published.
    ///
    /// The name is nil if the printer is not published.
    package func note(publishedName: String?, of printer: String) {
        publishedNames.withLock { $0[printer] = publishedName }
    }

    /// Returns `printer-dns-sd-name` (PWG 5100.13 §5.6): the published name, which differs from the printer's name
    /// after a name conflict.
    private func publishedName(of printer: String) -> [Attribute] {
        publishedNames.withLock { $0[printer] }.map { [Attribute("printer-dns-sd-name", .name($0))] } ?? []
    }

    // MARK: - Times of state changes

    /// Records the times of a printer's state changes until the task is canceled.
    func followState(of device: SimulatedPrinter) async {
        let events = await device.events()
        _ = stateChange(of: device.description.name, to: await device.status.printer.state)
        for await event in events where event == .printerChanged {
            _ = stateChange(of: device.description.name, to: await device.status.printer.state)
        }
    }

    /// Returns the time at which the printer entered the given state.
    ///
    /// If the state differs from the last recorded state, the function records the current time.
    private func stateChange(of name: String, to state: PrinterState) -> Double {
        let now = environment.now()
        return stateChanges.withLock { changes in
            if let last = changes[name], last.state == state { return last.since }
            changes[name] = (state, now)
            return now
        }
    }
}
