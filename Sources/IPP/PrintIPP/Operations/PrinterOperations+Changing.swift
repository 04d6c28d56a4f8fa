// CUPS-Add-Modify-Printer, CUPS-Delete-Printer, CUPS-Get-Devices: printers come, change and go.

public import IPP
public import PrintModel

extension PrinterOperations {
    /// CUPS-Add-Modify-Printer, as `lpadmin` sends it: changes a printer, all or nothing; one that does not exist is made
    /// when a `device-uri` is given.
    ///
    /// Two operation attributes are our own: `printq-must-be-new` refuses to change a printer that exists, `printq-check` has the
    /// device asked first; the answer then says what it is.
    func addOrModifyPrinter(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let name = try changedPrinter(exchange)
        let attributes = exchange.request.message.groups(.printer).flatMap(\.attributes)
        let change = try PrinterChange(attributes: attributes, operation: exchange.attributes)
        if exchange.attributes.boolean("printq-must-be-new") == true,
            try await service.printers().contains(where: { $0.name == name })
        {
            throw .notPossible(
                "there is a printer '\(name)' already; choose another name, or remove it first with "
                    + "'printq printers remove \(name)'")
        }
        let seen =
            exchange.attributes.boolean("printq-check") == true ? try await look(at: name, change, exchange) : []
        try await service.addOrModify(printer: name, change: change)
        return exchange.reply(seen)
    }

    /// What the device says of itself.
    private func look(
        at name: String, _ change: PrinterChange, _ exchange: Exchange
    ) async throws(IPPFailure) -> [AttributeGroup] {
        do {
            let (capabilities, status) = try await service.look(at: name, change: change)
            let template = capabilities.templateAttributes(options: ["media", "sides", "print-color-mode"])
            let group = AttributeGroup(
                .printer,
                [
                    Attribute("printer-name", .name(name)),
                    Attribute("printer-make-and-model", .text(capabilities.makeAndModel)),
                    Attribute("printer-state", .enumeration(Int32(status.state.rawValue))),
                    Attribute("printer-state-message", .text(status.message)),
                    Attribute(
                        "document-format-supported", capabilities.formats.map { .mimeMediaType($0.rawValue) }),
                ].filter { !$0.values.isEmpty } + exchange.requestedAttributes().filter(template, in: ["job-template"]))
            return [group]
        } catch let failure as IPPFailure {
            throw failure
        } catch {
            let exists = try await service.printers().contains { $0.name == name }
            throw Self.failure(
                error, of: name, isNew: !exists, isFolder: change.deviceURI?.hasPrefix("folder:") == true)
        }
    }

    /// Why a printer was not added or changed, with its kind for programs (`printq-check-failure`).
    private static func failure(
        _ error: any Error, of name: String, isNew: Bool, isFolder: Bool
    ) -> IPPFailure {
        let verb = isNew ? "add" : "change"
        let code = (error as? BackendError)?.code ?? .refused
        let words: (status: Status, kind: String, end: String) =
            switch code {
            case .unreachable, .busy, .documentMissing:
                (
                    .serverErrorServiceUnavailable, "unreachable",
                    "\(verb) it when \(isFolder ? "that is mended" : "it is on"), or now with --no-check"
                )
            case .badAnswer:
                (
                    .clientErrorNotPossible, "no-printer",
                    "it does not answer as a printer that speaks IPP; look at its URI"
                )
            case .refused: (.clientErrorNotPossible, "refused", "look at its URI")
            case .authenticationRequired:
                (.clientErrorNotPossible, "access", "\(verb) it with --no-check, and then do that")
            case .untrusted: (.clientErrorNotPossible, "access", "or \(verb) it with --no-check, and see to that later")
            }
        var failure = IPPFailure(words.status, "\(name) is not \(isNew ? "added" : "changed"): \(error); \(words.end)")
        failure.told = [Attribute("printq-check-failure", .keyword(words.kind))]
        return failure
    }

    /// CUPS-Delete-Printer: its jobs that have not ended are canceled, as CUPS does, unless `printq-left-jobs` says `keep-printer`,
    /// or `move` with a `job-printer-uri`.
    func deletePrinter(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let name = try changedPrinter(exchange)
        let jobs: RemovedPrinterJobs
        switch exchange.attributes.string("printq-left-jobs") {
        case nil, "cancel": jobs = .cancel
        case "keep-printer": jobs = .keepPrinter
        case "move":
            guard let uri = exchange.attributes.string("job-printer-uri") else {
                throw .badRequest("the request does not say with job-printer-uri where the jobs are to go")
            }
            jobs = .move(to: try RequestTarget.printer(in: uri, attribute: "job-printer-uri"))
        case let other?:
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "printq-left-jobs takes keep-printer, cancel and move, not '\(other)'",
                unsupported: exchange.given("printq-left-jobs"))
        }
        try await service.remove(printer: name, jobs: jobs)
        return exchange.reply()
    }

    /// CUPS-Get-Devices: what could be added, a group of printer attributes each.
    func getDevices(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let attributes = exchange.attributes
        let seconds = attributes.integer("timeout").map { min(max($0, 1), 60) } ?? 10
        let search = try await service.devices(within: .seconds(Int(seconds)))
        let included = attributes.strings("include-schemes")
        let excluded = attributes.strings("exclude-schemes")
        var devices = search.devices.filter {
            (included.isEmpty || included.contains($0.scheme)) && !excluded.contains($0.scheme)
        }
        if let limit = attributes.integer("limit"), limit > 0 { devices = Array(devices.prefix(Int(limit))) }
        let wanted = exchange.requestedAttributes()
        var reply = exchange.reply(
            devices.map { AttributeGroup(.printer, wanted.filter($0.attributes, in: ["printer-description"])) })
        if wanted.names("printq-device-notes"), !search.notes.isEmpty {
            reply[.operation]?.append(Attribute("printq-device-notes", search.notes.map { .text($0) }))
        }
        return reply
    }

    /// The printer that an administrator changes.
    private func changedPrinter(_ exchange: Exchange) throws(IPPFailure) -> String {
        guard let name = exchange.target.printer else { throw .badRequest("the request names no printer") }
        return name
    }
}

extension PrinterService {
    /// Printers cannot be changed here.
    public func addOrModify(printer: String, change: PrinterChange) async throws(IPPFailure) {
        throw IPPFailure(.serverErrorOperationNotSupported, "printers cannot be added or changed here")
    }

    /// There is nothing to ask here.
    public func look(at printer: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus) {
        throw IPPFailure(.serverErrorOperationNotSupported, "printers cannot be added or changed here")
    }

    /// Printers cannot be removed here.
    public func remove(printer: String, jobs: RemovedPrinterJobs) async throws(IPPFailure) {
        throw IPPFailure(.serverErrorOperationNotSupported, "printers cannot be removed here")
    }

    /// There is nothing to add here.
    public func devices(within time: Duration) async throws(IPPFailure) -> DeviceSearch { DeviceSearch() }
}

extension FoundDevice {
    /// The device as CUPS-Get-Devices tells of it.
    public var attributes: [Attribute] {
        [
            Attribute("device-class", .keyword(deviceClass)), Attribute("device-id", .text(deviceID)),
            Attribute("device-info", .text(info)), Attribute("device-location", .text(location)),
            Attribute("device-make-and-model", .text(makeAndModel.isEmpty ? "Unknown" : makeAndModel)),
            Attribute("device-uri", .uri(uri)),
        ]
    }

    /// The device that a group of CUPS-Get-Devices tells of; nil when it has no URI.
    public init?(attributes: AttributeGroup) {
        guard let uri = attributes.string("device-uri") else { return nil }
        let model = attributes.string("device-make-and-model") ?? ""
        self.init(
            uri: uri, deviceClass: attributes.string("device-class") ?? "network",
            info: attributes.string("device-info") ?? "", makeAndModel: model == "Unknown" ? "" : model,
            deviceID: attributes.string("device-id") ?? "", location: attributes.string("device-location") ?? "")
    }
}

// MARK: - Printing a job again

extension PrinterOperations {
    /// Resume-Job (RFC 3998 §4.3.2): a suspended job goes on, from the side that `printq-resume-from` says, else from the
    /// first one that was not seen printed.
    func resumeJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        try await service.change(job, .resumeRequested(fromImpression: Self.impression(exchange)))
        return exchange.reply()
    }

    /// CUPS-Move-Job: one job, or all jobs of a printer, to the printer that `job-printer-uri` says.
    func moveJobs(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        guard let name = try Self.otherPrinter(exchange) else {
            throw .badRequest("CUPS-Move-Job must say job-printer-uri, where the job goes")
        }
        guard exchange.target.jobID == nil else {
            let job = try await ownJob(exchange)
            let destination = try await service.destination(named: name)
            try await destination.admit(job.owner, accounts)
            try await service.move(job, to: destination)
            return exchange.reply()
        }
        guard let source = exchange.target.printer else {
            throw .badRequest("CUPS-Move-Job must name a job, or the printer whose jobs are moved")
        }
        try exchange.permit(.others)
        let destination = try await service.destination(named: name)
        var refusal: IPPFailure?
        let left = JobFilter(printer: try await service.destination(named: source).name)
        for job in try await service.jobs(left, in: .all) {
            do throws(IPPFailure) {
                try await destination.admit(job.owner, accounts)
                try await service.move(job, to: destination)
            } catch  where error.status == .clientErrorNotPossible {
                continue  // it is in hand there, or has ended meanwhile
            } catch  where error.status == .clientErrorNotAuthorized {
                refusal = refusal ?? error  // the others can go
            }
        }
        if let refusal { throw refusal }
        return exchange.reply()
    }

    /// Resubmit-Job (PWG 5100.7-2023 §5.3): the documents of a job that has ended once more, with the same options but for
    /// those that are given; to the printer that `job-printer-uri` says, else to the same; from the side that
    /// `printq-resume-from` says, else all of it.
    func resubmitJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        try await resubmit(try await ownJob(exchange), exchange)
    }

    /// Restart-Job (RFC 8011 §4.3.7), which `lp -H restart` sends: a suspended job from its beginning.
    ///
    /// One that has ended stays ended, for its history is true; a new job prints it once more, and the answer names that
    /// one.
    func restartJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        guard !job.state.isTerminal else { return try await resubmit(job, exchange) }
        guard job.reasons.contains(.jobSuspended) else {
            throw .notPossible("job \(job.id) is \(job.state) and cannot be restarted: it is still to be printed")
        }
        try await service.change(job, .releaseRequested)
        return exchange.reply()
    }

    private func resubmit(_ job: Job, _ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await acceptingPrinter(
            named: try Self.otherPrinter(exchange) ?? job.printer, for: exchange.requester.name)
        var ticket = job.ticket
        ticket.holdUntil = nil
        let asked = try await jobRequest(exchange, at: printer, name: givenName(exchange) ?? job.name, onto: ticket)
        var request = asked.request
        request.resumeFrom = Self.impression(exchange)
        let again = try await service.resubmit(job, as: request)
        return exchange.reply([jobGroup(again, exchange)], unsupported: asked.unsupported)
    }

    /// The side to go on from, when one is said.
    private static func impression(_ exchange: Exchange) -> Int? {
        exchange.attributes.integer("printq-resume-from").map(Int.init)
    }

    /// The printer that `job-printer-uri` names, which clients write into either group; nil when it is not said.
    private static func otherPrinter(_ exchange: Exchange) throws(IPPFailure) -> String? {
        let name = "job-printer-uri"
        let given = exchange.attributes.string(name) ?? exchange.request.message[.job]?.string(name)
        return try given.map { uri throws(IPPFailure) in try RequestTarget.printer(in: uri, attribute: name) }
    }
}
