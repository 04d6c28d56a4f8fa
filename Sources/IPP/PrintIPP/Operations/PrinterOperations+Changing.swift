// Adds, changes and removes printers, and prints jobs again.

package import IPP
public import PrintModel

extension PrinterOperations {
    /// Handles CUPS-Add-Modify-Printer, the operation of the command `lpadmin`.
    ///
    /// The operation applies all changes or no change. If the printer does not exist and the request has a
    /// `device-uri`, the operation creates the printer.
    ///
    /// Three operation attributes are specific to printq. With `printq-must-be-new`, the request fails if the printer
    /// exists; with `printq-must-exist`, if the printer does not exist. With `printq-check`, the service queries the
    /// device first, and the response contains the description of the device.
    func addOrModifyPrinter(_ exchange: Exchange) async throws -> Message {
        let name = try changedPrinter(exchange)
        let attributes = exchange.request.message.groups(.printer).flatMap(\.attributes)
        var change = try PrinterChange(attributes: attributes, operation: exchange.attributes)
        // The service checks this again in the transaction that adds the printer.
        change.mustBeNew = exchange.attributes.boolean("printq-must-be-new") == true
        change.mustExist = exchange.attributes.boolean("printq-must-exist") == true
        if change.mustBeNew, try await service.hasPrinter(named: name) {
            throw IPPFailure.notPossible(
                "the printer '\(name)' already exists; choose another name, or remove the printer with "
                    + "'printq printers remove \(name)'")
        }
        let seen =
            exchange.attributes.boolean("printq-check") == true ? try await look(at: name, change, exchange) : []
        try await service.addOrModify(printer: name, change: change)
        return exchange.reply(seen)
    }

    /// Queries the device, and returns its description.
    private func look(
        at name: String, _ change: PrinterChange, _ exchange: Exchange
    ) async throws -> [AttributeGroup] {
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
            let exists = try await service.hasPrinter(named: name)
            throw Self.failure(
                error, of: name, isNew: !exists, isFolder: change.deviceURI?.hasPrefix("folder:") == true)
        }
    }

    /// Returns the error for a printer that was not added or changed, with the kind of failure for programs
    /// (`printq-check-failure`).
    private static func failure(
        _ error: any Error, of name: String, isNew: Bool, isFolder: Bool
    ) -> IPPFailure {
        let verb = isNew ? "add" : "change"
        let code = (error as? BackendError)?.code ?? .refused
        let reply: (status: Status, kind: String, end: String) =
            switch code {
            case .unreachable, .busy, .documentMissing:
                (
                    .serverErrorServiceUnavailable, "unreachable",
                    "\(verb) the printer when \(isFolder ? "the error is fixed" : "it is on"), or now with --no-check"
                )
            case .badAnswer:
                (
                    .clientErrorNotPossible, "no-printer",
                    "the device is not an IPP printer; check its URI"
                )
            case .refused: (.clientErrorNotPossible, "refused", "check its URI")
            case .authenticationRequired:
                (.clientErrorNotPossible, "access", "first \(verb) the printer with --no-check")
            case .untrusted:
                (.clientErrorNotPossible, "access", "or \(verb) the printer with --no-check and fix the problem later")
            }
        var failure = IPPFailure(reply.status, "\(name) is not \(isNew ? "added" : "changed"): \(error); \(reply.end)")
        failure.attributes = [Attribute("printq-check-failure", .keyword(reply.kind))]
        return failure
    }

    /// Handles CUPS-Delete-Printer.
    ///
    /// The printer's unfinished jobs are canceled, as in CUPS. If `printq-left-jobs` is `keep-printer`, a printer with
    /// unfinished jobs is not removed. If the attribute is `move`, the jobs move to the printer in `job-printer-uri`.
    func deletePrinter(_ exchange: Exchange) async throws -> Message {
        let name = try changedPrinter(exchange)
        let jobs: RemovedPrinterJobs
        switch exchange.attributes.string("printq-left-jobs") {
        case nil, "cancel": jobs = .cancel
        case "keep-printer": jobs = .keepPrinter
        case "move":
            guard let uri = exchange.attributes.string("job-printer-uri") else {
                throw IPPFailure.badRequest("job-printer-uri is missing; send the URI of the destination printer")
            }
            jobs = .move(to: try RequestTarget.printer(in: uri, attribute: "job-printer-uri"))
        case let other?:
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "printq-left-jobs must be keep-printer, cancel or move, not '\(other)'",
                unsupported: exchange.received("printq-left-jobs"))
        }
        try await service.remove(printer: name, jobs: jobs)
        return exchange.reply()
    }

    /// Handles CUPS-Get-Devices: returns the devices that can be added, one group of printer attributes per device.
    func getDevices(_ exchange: Exchange) async throws -> Message {
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

    private func changedPrinter(_ exchange: Exchange) throws(IPPFailure) -> String {
        guard let name = exchange.target.printer else { throw .badRequest("the request has no printer-uri") }
        return name
    }
}

extension PrinterService {
    /// Throws an error, because this service cannot change printers.
    public func addOrModify(printer: String, change: PrinterChange) async throws {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server cannot add or change printers")
    }

    /// Throws an error, because this service has no devices.
    public func look(at printer: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus) {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server cannot add or change printers")
    }

    /// Throws an error, because this service cannot remove printers.
    public func remove(printer: String, jobs: RemovedPrinterJobs) async throws {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server cannot remove printers")
    }

    /// Returns an empty search result.
    public func devices(within time: Duration) async throws -> DeviceSearch { DeviceSearch() }
}

extension FoundDevice {
    package var attributes: [Attribute] {
        [
            Attribute("device-class", .keyword(deviceClass)), Attribute("device-id", .text(deviceID)),
            Attribute("device-info", .text(info)), Attribute("device-location", .text(location)),
            Attribute("device-make-and-model", .text(makeAndModel.isEmpty ? "Unknown" : makeAndModel)),
            Attribute("device-uri", .uri(uri)),
        ]
    }

    /// Returns `nil` if the group has no URI.
    package init?(attributes: AttributeGroup) {
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
    /// Handles Resume-Job (RFC 3998 §4.3.2): continues a suspended job from the side in `printq-resume-from`.
    ///
    /// Without this attribute, the job continues from the first side that was not confirmed as printed.
    func resumeJob(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        try await service.change(job, .resumeRequested(fromImpression: Self.impression(exchange)))
        return exchange.reply()
    }

    /// Handles CUPS-Move-Job: moves one job or all jobs of a printer to the printer in `job-printer-uri`.
    func moveJobs(_ exchange: Exchange) async throws -> Message {
        guard let name = try Self.otherPrinter(exchange) else {
            throw IPPFailure.badRequest("CUPS-Move-Job requires job-printer-uri, the URI of the destination printer")
        }
        guard exchange.target.jobID == nil else {
            let job = try await ownJob(exchange)
            let destination = try await service.destination(named: name)
            try await admit(exchange, owner: job.owner, to: destination)
            try await service.move(job, to: destination)
            return exchange.reply()
        }
        guard let source = exchange.target.printer else {
            throw IPPFailure.badRequest("CUPS-Move-Job requires job-id or printer-uri to select the jobs")
        }
        try exchange.permit(.others, at: source)
        let destination = try await service.destination(named: name)
        var refusal: IPPFailure?
        let left = JobFilter(printer: try await service.destination(named: source).name)
        let pages = try await service.listing(left, in: .all)
        while let jobs = try await pages.next() {
            var admitted: Set<String> = []
            for owner in Set(jobs.map(\.owner)).sorted() {
                do {
                    try await admit(exchange, owner: owner, to: destination)
                    admitted.insert(owner)
                } catch let error as IPPFailure where error.status == .clientErrorNotAuthorized {
                    refusal = refusal ?? error  // other jobs may still be moved
                }
            }
            // A job that is in progress or has ended remains unchanged.
            try await service.move(jobs.filter { admitted.contains($0.owner) }, to: destination)
        }
        if let refusal { throw refusal }
        return exchange.reply()
    }

    /// Handles Resubmit-Job (PWG 5100.7-2023 §5.3): prints the documents of an ended job again.
    ///
    /// The new job has the same options except for the options in the request. The new job is printed on the printer in
    /// `job-printer-uri` or, without this attribute, on the printer of the ended job. The new job starts at the side in
    /// `printq-resume-from` or, without this attribute, at the first side.
    func resubmitJob(_ exchange: Exchange) async throws -> Message {
        try await resubmit(try await ownJob(exchange), exchange)
    }

    /// Handles Restart-Job (RFC 8011 §4.3.7), the operation of `lp -H restart`: restarts a suspended job from its
    /// beginning.
    ///
    /// If the job has ended, the operation creates a new job with the documents of the ended job. The response
    /// describes the new job. The ended job keeps its state, so that the history remains correct.
    func restartJob(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        guard !job.state.isTerminal else { return try await resubmit(job, exchange) }
        guard job.reasons.contains(.jobSuspended) else {
            throw IPPFailure.notPossible("job \(job.id) is \(job.state) and cannot be restarted before the job ends")
        }
        try await service.change(job, .releaseRequested)
        return exchange.reply()
    }

    private func resubmit(_ job: Job, _ exchange: Exchange) async throws -> Message {
        let printer = try await acceptingPrinter(
            named: try Self.otherPrinter(exchange) ?? job.printer, for: exchange)
        var ticket = job.ticket
        ticket.holdUntil = nil
        ticket.unapplied?.removeAll { $0.option == "job-password" }
        if job.hasReleasePassword, job.state.isTerminal {
            throw IPPFailure.notPossible(
                "job \(job.id) had a PIN, so its documents were deleted when the job ended; submit the documents again")
        }
        ticket.passwordExpiresAt = nil
        let asked = try await jobRequest(exchange, at: printer, name: givenName(exchange) ?? job.name, onto: ticket)
        var request = asked.request
        request.resumeFrom = Self.impression(exchange)
        request.documentPassword = try documentPassword(exchange)
        guard !job.needsPasswordAgain || request.documentPassword != nil else {
            throw IPPFailure(
                .clientErrorDocumentPasswordError,
                "the password of the document was deleted when job \(job.id) ended; enter the password again: "
                    + "'printq reprint \(job.id) --password'")
        }
        let again = try await service.resubmit(job, as: request)
        return exchange.reply([jobGroup(again, exchange)], unsupported: asked.unsupported)
    }

    /// Returns the side at which to continue the job, or `nil` if the request contains no side.
    private static func impression(_ exchange: Exchange) -> Int? {
        exchange.attributes.integer("printq-resume-from").map(Int.init)
    }

    /// Returns the name of the printer in `job-printer-uri`, or `nil` if the request does not have this attribute.
    ///
    /// Clients send the attribute in the operation group or the job group.
    private static func otherPrinter(_ exchange: Exchange) throws(IPPFailure) -> String? {
        let name = "job-printer-uri"
        let given = exchange.attributes.string(name) ?? exchange.request.message[.job]?.string(name)
        return try given.map { uri throws(IPPFailure) in try RequestTarget.printer(in: uri, attribute: name) }
    }
}
