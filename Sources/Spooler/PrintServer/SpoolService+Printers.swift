// The spool's printers, as they are shown over IPP.

import IPP
public import PrintIPP
public import PrintModel
import PrintScheduler
import PrintSpool

extension SpoolService {
    /// The formats that the spool takes, the best first: the worker makes pages of a PDF of each.
    static let formats: [DocumentFormat] = [.pdf, .pwgRaster, .urf, .jpeg]

    /// Every printer of the queue.
    public func printers() async throws(IPPFailure) -> [ServedPrinter] {
        let rows = try await rows()
        return await withTaskGroup(of: (Int, ServedPrinter).self) { group in
            for (index, row) in rows.enumerated() {
                group.addTask { (index, await served(row)) }
            }
            var found: [(Int, ServedPrinter)] = []
            for await printer in group { found.append(printer) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// The printer of that name, or the default one.
    public func printer(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        await served(try await row(of: name))
    }

    /// The printer of that name, or the default one, as far as that is known without asking it.
    public func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        let row = try await row(of: name)
        let capabilities = await directory.knownCapabilities(of: row)
        return served(row, capabilities: capabilities, device: nil)
    }

    /// The printers of the spool; the only one is the default one, also when nobody has said so.
    private func rows() async throws(IPPFailure) -> [ConfiguredPrinter] {
        var rows = try await asFailure { () throws(SpoolError) in try await spool.printers() }
        if rows.count == 1 { rows[0].isDefault = true }
        return rows
    }

    func row(of name: String?) async throws(IPPFailure) -> ConfiguredPrinter {
        let rows = try await rows()
        let names = rows.map(\.name).joined(separator: ", ")
        guard let name else {
            if let row = rows.first(where: \.isDefault) { return row }
            throw .notFound(
                rows.isEmpty
                    ? "there is no printer yet; add one with 'printq printers add'"
                    : "no printer is the default one; name one with -d, or choose one with 'printq printers default NAME': "
                        + "there are \(names)")
        }
        guard let row = rows.first(where: { $0.name == name }) else {
            throw .notFound("there is no printer '\(name)'; there are \(names)")
        }
        return row
    }

    /// Pauses or resumes a printer; resumed, it prints what waited.
    public func setPaused(_ isPaused: Bool, message: String, printer: String) async throws(IPPFailure) {
        try await asFailure { () throws(SpoolError) in
            if isPaused {
                try await spool.pausePrinter(named: printer, message: message)
            } else {
                try await spool.resumePrinter(named: printer)
            }
        }
        // Whoever resumes a printer has seen to it: what waits for its next try need not wait.
        if !isPaused { await scheduler.tryAgain(printer: printer) }
        scheduler.wake()
    }

    /// Forgets jobs that have ended; what they have cost stays known.
    public func forgetEndedJobs(printer: String?, owner: String?) async throws(IPPFailure) {
        try await asFailure { () throws(SpoolError) in
            try await spool.forgetEndedJobs(printer: printer, owner: owner)
        }
    }

    /// What jobs have cost that have ended.
    public func accounting(_ query: AccountingQuery) async throws(IPPFailure) -> [AccountingEntry] {
        try await asFailure { () throws(SpoolError) in try await spool.accounting(query) }
    }

    /// Makes a printer the one for jobs that name none.
    public func setDefault(printer: String) async throws(IPPFailure) {
        try await asFailure { () throws(SpoolError) in try await spool.setDefaultPrinter(printer) }
    }

    private func served(_ row: ConfiguredPrinter) async -> ServedPrinter {
        let seen = await directory.quickStatus(of: row)
        var printer = served(row, capabilities: seen.capabilities, device: seen.status, problem: seen.problem)
        describe(&printer, row, capabilities: seen.capabilities ?? Self.unknown, device: seen.status)
        return printer
    }

    private func served(
        _ row: ConfiguredPrinter, capabilities seen: PrinterCapabilities?, device: PrinterStatus?,
        problem: BackendError? = nil
    ) -> ServedPrinter {
        var capabilities = seen ?? Self.unknown
        let defaults = row.defaultTicket(for: seen)
        capabilities.defaultMedia = defaults.media ?? capabilities.defaultMedia
        // What the printer cannot do itself, imposition does.
        capabilities.maxCopies = JobTicket.mostCopies
        capabilities.collates = true
        let status = Self.status(row, device: device, problem: problem)
        var printer = ServedPrinter(
            name: row.name, info: row.info.isEmpty ? row.name : row.info, location: row.location,
            uuid: ServedPrinter.uuid(of: row.name, at: spool.identity),
            deviceURI: row.deviceURI, isDefault: row.isDefault, status: status,
            stateChangedAt: states.time(of: row.name, status.withoutSupplies, now: clock()), capabilities: capabilities,
            formats: Self.formats + [.octetStream],
            queuedJobs: { (try? await spool.countQueuedJobs(printer: row.name)) ?? 0 },
            extra: row.errorPolicy.attributes + [row.afterInterruption.attribute] + row.users.attributes
                + Self.attributes(of: defaults), hasWebPages: true)
        printer.defaultTicket = defaults
        printer.users = row.users
        return printer
    }

    /// What jobs ask for that do not say, as clients look for it; the medium is said with the printer's own.
    private static func attributes(of defaults: JobTicket) -> [Attribute] {
        var others = defaults
        others.media = nil
        return others.attributes.map { Attribute("\($0.name)-default", $0.values) }
    }

    /// How a printer of the queue is: paused by us, else as its device says.
    private static func status(_ row: ConfiguredPrinter, device: PrinterStatus?, problem: BackendError?)
        -> PrinterStatus
    {
        if row.isPaused {
            let why = row.pauseMessage.isEmpty ? "" : ": \(row.pauseMessage)"
            return PrinterStatus(
                state: .stopped, reasons: ["paused"],
                message: "Paused\(why); it goes on with 'printq printers resume \(row.name)'",
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

    /// Why nothing is known of a printer, in words.
    private static func silence(_ problem: BackendError?) -> String {
        guard let problem, problem.code == .refused else { return "The printer cannot be reached; its jobs wait" }
        return problem.message
    }

    /// What is assumed of a printer that has never answered: the commonest papers, as they lie in most printers.
    private static let unknown = PrinterCapabilities(
        makeAndModel: "Printer that has not answered yet",
        papers: [Media.a4, .letter].map { PrintPaper(media: $0, margins: .all(.millimeters(6.35))) },
        defaultMedia: .a4, duplexModes: Duplex.allCases, colorModes: ColorMode.allCases,
        qualities: PrintQuality.allCases, formats: [.pdf])
}
