// Describes the spool's printers for IPP.

import IPP
public import PrintIPP
public import PrintModel
import PrintScheduler
import PrintSpool

extension SpoolService {
    /// Returns all printers of the queue.
    ///
    /// Concurrent calls share the result. The result contains each change that was made before the call.
    public func printers() async throws -> [ServedPrinter] { try await listPrinters().value }

    /// Returns the task that makes the next list of all printers.
    package func listPrinters() -> Task<[ServedPrinter], any Error> { lists.join { try await served(rows()) } }

    /// Returns whether the queue has a printer with the given name.
    public func hasPrinter(named name: String) async throws -> Bool {
        try await rows().contains { $0.name == name }
    }

    /// Returns the printer with the given name; without a name, the default printer.
    public func printer(named name: String?) async throws -> ServedPrinter {
        try await served([row(of: name)])[0]
    }

    /// Returns the printer with the given name, or the default printer.
    ///
    /// The function uses cached data, and queries a device only if the device was never queried before.
    public func destination(named name: String?, waits: Bool) async throws -> ServedPrinter {
        let row = try await row(of: name)
        // The default options of the printer are options of each job.
        let capabilities = await directory.knownCapabilities(of: row, waits: waits || !row.options.isEmpty)
        var printer = served(
            row, capabilities: capabilities, status: Self.status(row, device: nil, problem: nil), changedAt: clock())
        (printer.formats, printer.unavailability) = Self.acceptance(await types())
        return printer
    }

    /// Returns the printers of the spool.
    ///
    /// If the spool has only one printer, this printer is the default printer.
    func rows() async throws -> [ConfiguredPrinter] {
        var rows = try await spool.printers()
        if rows.count == 1 { rows[0].isDefault = true }
        return rows
    }

    func row(of name: String?) async throws -> ConfiguredPrinter {
        let rows = try await rows()
        let names = rows.map(\.name).joined(separator: ", ")
        guard let name else {
            if let row = rows.first(where: \.isDefault) { return row }
            throw IPPFailure.notFound(
                rows.isEmpty
                    ? "there is no printer yet; add a printer with 'printq printers add'"
                    : "no default printer; select a printer with -d, or choose a default printer with "
                        + "'printq printers default NAME'; the printers are \(names)")
        }
        guard let row = rows.first(where: { $0.name == name }) else {
            if let nearest = NearestName.of(name, in: rows.map(\.name)) {
                throw IPPFailure.notFound("there is no printer '\(name)'; did you mean '\(nearest)'?")
            }
            throw IPPFailure.notFound("there is no printer '\(name)'; the printers are \(names)")
        }
        return row
    }

    /// Returns the policies of the printers for which something is set.
    public func policies() async throws -> [String: PrinterPolicy] {
        var policies: [String: PrinterPolicy] = [:]
        for row in try await rows() where !row.policy.isStandard { policies[row.name] = row.policy }
        return policies
    }

    /// Pauses or resumes a printer.
    ///
    /// A resumed printer prints its waiting jobs.
    public func setPaused(_ isPaused: Bool, message: String, printer: String) async throws {
        if isPaused {
            try await spool.pausePrinter(named: printer, message: message)
        } else {
            try await spool.resumePrinter(named: printer)
        }
        // The administrator has fixed the printer. Retry the jobs now.
        if !isPaused { await scheduler.tryAgain(printer: printer) }
        scheduler.wake()
    }

    /// Removes ended jobs from the history.
    ///
    /// The accounting entries of the jobs are kept.
    public func forgetEndedJobs(printer: String?, owner: String?) async throws {
        try await spool.forgetEndedJobs(printer: printer, owner: owner)
    }

    /// Returns the accounting entries of ended jobs.
    public func accounting(_ query: AccountingQuery) async throws -> [AccountingEntry] {
        try await spool.accounting(query)
    }

    /// Makes a printer the default printer, which prints jobs without a printer name.
    public func setDefault(printer: String) async throws {
        try await spool.setDefaultPrinter(printer)
    }

    /// Returns printers as clients see them now, in the order of the rows.
    ///
    /// A printer is described again only if a value has changed on which its description depends.
    private func served(_ rows: [ConfiguredPrinter]) async -> [ServedPrinter] {
        let (acceptance, hosts) = (Self.acceptance(await types()), await recentHosts())
        let seen = await quickStatuses(of: rows, hosts: hosts)
        // The number is read first, so that a change during the description makes the description outdated.
        let (sharingChanges, now) = (sharing.changeCount, clock())
        return zip(rows, seen).map { row, seen in
            let source = DescribedPrinters.Source(
                row: row, capabilities: seen.capabilities, device: seen.status,
                status: Self.status(row, seen: seen, hosts: hosts), host: hosts?.driver(of: row.name).hostName,
                sharingChanges: sharingChanges)
            var printer = described.printer(from: source, at: now) ?? describe(source)
            (printer.formats, printer.unavailability) = acceptance
            return printer
        }
    }

    private func describe(_ source: DescribedPrinters.Source) -> ServedPrinter {
        let row = source.row
        var printer = served(
            row, capabilities: source.capabilities, status: source.status,
            changedAt: states.time(of: row.name, source.status.withoutSupplies, now: clock()))
        if let host = source.host { printer.extra.append(Attribute("printq-host", .name(host))) }
        describe(&printer, row, capabilities: source.capabilities ?? Self.unknown, device: source.device)
        printer.listed = ListedGroups()
        described.keep(printer, from: source)
        return printer
    }

    /// The formats that the queue accepts, and the reasons why it does not accept others; both can change at any time.
    private typealias Acceptance = (formats: [DocumentFormat], unavailability: @Sendable (DocumentFormat) -> String?)

    private static func acceptance(_ types: PrintableTypes) -> Acceptance {
        (
            types.formats + [.octetStream],
            { format in types.registry.type(for: format).flatMap(types.unavailability)?.message }
        )
    }

    private func served(
        _ row: ConfiguredPrinter, capabilities seen: PrinterCapabilities?, status: PrinterStatus, changedAt: UnixTime
    ) -> ServedPrinter {
        var capabilities = seen ?? Self.unknown
        let defaults = row.defaultTicket(for: seen)
        capabilities.defaultMedia = defaults.media ?? capabilities.defaultMedia
        // Imposition provides copies and collation if the printer does not.
        capabilities.maxCopies = JobTicket.mostCopies
        capabilities.collates = true
        var printer = ServedPrinter(
            name: row.name, info: row.info.isEmpty ? row.name : row.info, location: row.location,
            uuid: ServedPrinter.uuid(of: row.name, at: spool.identity),
            deviceURI: row.deviceURI, isDefault: row.isDefault, status: status,
            stateChangedAt: changedAt, capabilities: capabilities, formats: [],
            queuedJobs: { (try? await spool.countQueuedJobs(printer: row.name)) ?? 0 },
            extra: row.errorPolicy.attributes + [row.afterInterruption.attribute]
                + Self.attributes(of: defaults) + Self.storedAttributes(of: row) + sharing.attributes(of: row),
            hasWebPages: true)
        printer.defaultTicket = defaults
        printer.policy = row.policy
        (printer.geoLocation, printer.organization) = (row.geoLocation, row.organization)
        printer.organizationalUnit = row.organizationalUnit
        (printer.isShared, printer.admitsAnonymous) = (row.isShared, row.admitsAnonymous)
        return printer
    }

    /// Returns the default options of a printer as `-default` attributes.
    ///
    /// The result contains no default media, because the printer's attributes contain the default media.
    private static func attributes(of defaults: JobTicket) -> [Attribute] {
        var others = defaults
        others.media = nil
        var attributes = others.attributes.map { Attribute("\($0.name)-default", $0.values) }
        if let sheets = attributes.first(where: { $0.name == "job-sheets-default" }) {
            let member = Attribute("job-sheets", sheets.values)
            attributes.append(Attribute("job-sheets-col-default", .collection(IPP.Collection([member]))))
        }
        return attributes
    }

    /// Returns the stored default options and the reason for the pause, for `printq export`.
    ///
    /// These attributes are necessary because the `-default` attributes omit options that the printer does not support
    /// at the moment.
    private static func storedAttributes(of row: ConfiguredPrinter) -> [Attribute] {
        let options = row.options.sorted { $0.key < $1.key }.map { Value.text("\($0.key)=\($0.value)") }
        var attributes: [Attribute] = []
        if !options.isEmpty { attributes.append(Attribute("printq-default-options", options)) }
        if row.isPaused, !row.pauseMessage.isEmpty {
            attributes.append(Attribute("printq-pause-message", .text(row.pauseMessage)))
        }
        return attributes
    }

    /// Returns the status of a printer.
    ///
    /// If a user has paused the printer in the queue, the status is paused. Otherwise the function returns the status
    /// of the device. If the status of the device is unknown, the result has the reason `offline-report`.
    static func status(_ row: ConfiguredPrinter, device: PrinterStatus?, problem: BackendError?)
        -> PrinterStatus
    {
        if row.isPaused {
            let why = row.pauseMessage.isEmpty ? "" : ": \(row.pauseMessage)"
            return PrinterStatus(
                state: .stopped, reasons: ["paused"],
                message: "Paused\(why); resume the printer with 'printq printers resume \(row.name)'",
                isAccepting: row.isAccepting)
        }
        guard var status = device else {
            return PrinterStatus(
                state: .idle, reasons: ["offline-report"], message: silence(problem),
                isAccepting: row.isAccepting)
        }
        status.isAccepting = row.isAccepting
        return status
    }

    /// Returns the message for users about a printer whose status is unknown.
    private static func silence(_ problem: BackendError?) -> String {
        guard let problem, problem.code == .refused else { return "The printer cannot be reached; jobs are waiting" }
        return problem.message
    }

    /// The assumed capabilities of a printer that has never responded, with the most common papers.
    private static let unknown = PrinterCapabilities(
        makeAndModel: "Printer that has not responded yet",
        papers: [Media.a4, .letter].map { PrintPaper(media: $0, margins: .all(.millimeters(6.35))) },
        defaultMedia: .a4, duplexModes: Duplex.allCases, colorModes: ColorMode.allCases,
        qualities: PrintQuality.allCases, formats: [.pdf])
}
