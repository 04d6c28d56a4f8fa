// The simulated printers, as they are shown over IPP.

import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatorService {
    /// Every printer.
    package func printers() async throws(IPPFailure) -> [ServedPrinter] {
        var printers: [ServedPrinter] = []
        for device in devices { printers.append(await served(device)) }
        return printers
    }

    /// The printer of that name, or the default one.
    package func printer(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        await served(try device(named: name))
    }

    /// Pauses or resumes a printer; paused, it stops at the next side.
    package func setPaused(_ isPaused: Bool, message: String, printer: String) async throws(IPPFailure) {
        let device = try device(named: printer)
        if isPaused { await device.pause() } else { await device.resume() }
    }

    /// Not to be done here: the first printer is the default one.
    package func setDefault(printer: String) async throws(IPPFailure) { throw Self.unsupported }

    /// Shows people which printer it is: a line for whoever watches, and one in `printer.log`.
    package func identify(printer: String, actions: [String], message: String?) async throws(IPPFailure) {
        guard actions.isEmpty || actions.contains("display") else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "\(printer) can only identify itself by 'display', not by \(actions.joined(separator: ", "))",
                unsupported: [Attribute("identify-actions", actions.map { .keyword($0) })])
        }
        let device = try device(named: printer)
        // What people see is one line that commands no terminal, whatever the message holds.
        let words = message.map(Self.line) ?? ""
        try await asFailure { () throws(SimulatorError) in try await device.identify(message: words) }
        say("\(printer): here I am\(words.isEmpty ? "" : ": \(words)")")
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
            throw .notFound("there is no printer '\(name)'; there are \(names)")
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

    /// Notes the name under which a printer is published by DNS-SD; nil when it is not.
    package func note(publishedName: String?, of printer: String) {
        publishedNames.withLock { $0[printer] = publishedName }
    }

    /// `printer-dns-sd-name` (PWG 5100.13 §5.6): the name that it really has, after any conflict.
    private func publishedName(of printer: String) -> [Attribute] {
        publishedNames.withLock { $0[printer] }.map { [Attribute("printer-dns-sd-name", .name($0))] } ?? []
    }

    // MARK: - Since when

    /// Notes a printer's changes of state until the task is cancelled, so that their moments are known when asked for.
    func followState(of device: SimulatedPrinter) async {
        let events = await device.events()
        _ = stateChange(of: device.description.name, to: await device.status.printer.state)
        for await event in events where event == .printerChanged {
            _ = stateChange(of: device.description.name, to: await device.status.printer.state)
        }
    }

    /// Since when the printer is in that state.
    private func stateChange(of name: String, to state: PrinterState) -> Double {
        let now = surroundings.now()
        return stateChanges.withLock { changes in
            if let last = changes[name], last.state == state { return last.since }
            changes[name] = (state, now)
            return now
        }
    }
}
