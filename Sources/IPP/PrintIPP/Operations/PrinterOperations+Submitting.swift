// Handles Print-Job, Print-URI, Validate-Job, Create-Job, Send-Document, Send-URI and Close-Job.

import IPP
import PrintModel

extension PrinterOperations {
    func printJob(_ exchange: Exchange) async throws -> Message {
        let asked = try await jobRequest(exchange)
        let document = try await document(exchange, printer: asked.request.printer)
        let event = try await eventBefore(exchange)
        let job = try await service.printJob(asked.request, document: document)
        return await made(job, exchange, after: event, unsupported: asked.unsupported)
    }

    /// For Print-URI and Send-URI, this method fetches the document.
    private func document(
        _ exchange: Exchange, printer: ServedPrinter
    ) async throws -> DocumentRequest {
        var document = try documentRequest(exchange, printer: printer)
        if [.printURI, .sendURI].contains(exchange.operation) { document.stream = try await fetched(exchange) }
        return document
    }

    private func fetched(_ exchange: Exchange) async throws -> DocumentStream {
        guard let references else {
            throw IPPFailure(
                .serverErrorOperationNotSupported,
                "this server cannot fetch documents by URI; send the document's data")
        }
        if let compression = exchange.attributes["compression"], compression.first?.stringValue != "none" {
            throw IPPFailure(
                .clientErrorCompressionNotSupported,
                "compression is not supported for documents that are fetched by URI; omit the 'compression' attribute",
                unsupported: [compression])
        }
        return try await references.document(namedBy: exchange.attributes)
    }

    func validateJob(_ exchange: Exchange) async throws -> Message {
        let asked = try await jobRequest(exchange)
        _ = try documentRequest(exchange, printer: asked.request.printer)
        return exchange.reply(unsupported: asked.unsupported)
    }

    func createJob(_ exchange: Exchange) async throws -> Message {
        guard exchange.attributes["document-password"] == nil else {
            throw IPPFailure.badRequest(
                "document-password belongs to the document; send the attribute with Send-Document")
        }
        let asked = try await jobRequest(exchange)
        let event = try await eventBefore(exchange)
        let job = try await service.createJob(asked.request)
        return await made(job, exchange, after: event, unsupported: asked.unsupported)
    }

    func sendDocument(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        guard let isLast = exchange.attributes.boolean("last-document") else {
            throw IPPFailure.badRequest("\(exchange.operation) requires last-document")
        }
        let printer = try await service.destination(named: job.printer, waits: false)
        do {
            let document = try await document(exchange, printer: printer)
            let unused =
                Self.documentOptions(in: exchange) + (exchange.attributes["document-charset"].map { [$0] } ?? [])
            try await warn(about: unused, of: job)
            let sent = try await service.sendDocument(document, to: job, isLast: isLast)
            return exchange.reply(
                [jobGroup(sent, exchange)],
                unsupported: unused.map { Attribute($0.name, .outOfBand(.unsupported)) })
        } catch {
            if IPPFailure(error).status == .clientErrorDocumentFormatNotSupported {
                service.noteRefusedDocument(of: job)
            }
            throw error
        }
    }

    /// Adds a warning about the options of a single document to the job.
    private func warn(about options: [Attribute], of job: Job) async throws {
        guard !options.isEmpty, service.operations.contains(.setJobAttributes) else { return }
        var ticket = job.ticket
        ticket.unapplied =
            (ticket.unapplied ?? [])
            + options.map {
                UnappliedOption(
                    option: $0.name, reason: "the attribute '\($0.name)' of a single document is not supported")
            }
        try await service.setTicket(ticket, name: nil, of: job)
    }

    func closeJob(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        _ = try await service.sendDocument(nil, to: job, isLast: true)
        return exchange.reply()
    }

    /// Returns the reply for a new job.
    ///
    /// The method also creates the subscriptions that the request contains. The reply contains a result for each
    /// subscription.
    private func made(
        _ job: Job, _ exchange: Exchange, after event: Int?, unsupported: [Attribute]
    ) async -> Message {
        let subscriptions = await subscribe(to: job, exchange, after: event)
        var reply = exchange.reply([jobGroup(job, exchange)] + subscriptions, unsupported: unsupported)
        if subscriptions.contains(where: { $0["notify-subscription-id"] == nil }) {
            reply.code = Status.successfulOkIgnoredSubscriptions.rawValue
        }
        return reply
    }

    func jobGroup(_ job: Job, _ exchange: Exchange) -> AttributeGroup {
        let visible = VisibleJob(
            job, to: exchange.requester, as: exchange.kind(at: job.printer), by: exchange.operation)
        return AttributeGroup(.job, attributes(of: visible, job, exchange, Self.attributesOfNewJobs))
    }

    /// The required attributes, and the attributes with which `printq submit` needs no second request.
    private static let attributesOfNewJobs = RequestedAttributes([
        "job-uri", "job-id", "job-uuid", "job-printer-uri", "job-name", "job-state", "job-state-reasons",
        "job-state-message",
    ])

    /// Returns the printer with the given name, or the default printer for `nil`.
    ///
    /// - Parameter waits: Whether the method may wait a short time for a printer whose capabilities are unknown.
    /// - Throws: `IPPFailure` if the printer does not accept jobs, or the user is not allowed to print on the printer.
    func acceptingPrinter(
        named name: String?, for exchange: Exchange, waits: Bool = true
    ) async throws -> ServedPrinter {
        let printer = try await service.destination(named: name, waits: waits)
        try await admit(exchange, to: printer)
        guard printer.status.isAccepting else {
            throw IPPFailure(.serverErrorNotAcceptingJobs, "\(printer.name) does not accept jobs now; try again later")
        }
        return printer
    }

    private func jobRequest(
        _ exchange: Exchange
    ) async throws -> (request: JobRequest, unsupported: [Attribute]) {
        // Without options, nothing is compared with the capabilities of the printer.
        let printer = try await acceptingPrinter(
            named: exchange.target.printer, for: exchange,
            waits: !Self.options(in: exchange).isEmpty)
        return try await jobRequest(
            exchange, at: printer, name: jobName(exchange), onto: printer.defaultTicket)
    }

    /// Returns the attributes of the job group, without the destination, which is not an option.
    private static func options(in exchange: Exchange) -> [Attribute] {
        let options = exchange.request.message.groups(.job).flatMap(\.attributes).filter {
            $0.name != "job-printer-uri" && !releaseAttributes.contains($0.name) && !$0.describesPrinter
        }
        // PWG 5100.5 defines the attribute as an operation attribute.
        guard let charset = exchange.attributes["document-charset"],
            !options.contains(where: { $0.name == charset.name })
        else { return options }
        return options + [charset]
    }

    /// Reads the requested job for a printer.
    ///
    /// - Parameter ticket: The existing options, which the options in the request replace.
    func jobRequest(
        _ exchange: Exchange, at printer: ServedPrinter, name: String, onto ticket: JobTicket = JobTicket()
    ) async throws -> (request: JobRequest, unsupported: [Attribute]) {
        let attributes = Self.options(in: exchange)
        var reading = read(
            attributes.filter { !printer.finishes($0) }, printer: printer.name, onto: ticket,
            mediaNames: printer.mediaNames)
        let plan = reading.ticket.plan(for: printer.capabilities, named: printer.name)
        let conflicts = plan.conflicts
        for conflict in conflicts where !reading.unsupported.contains(where: { $0.name == conflict.option }) {
            let given = attributes.first {
                $0.name == conflict.option || ($0.name == "media-col" && conflict.option == "media")
            }
            reading.unsupported.append(given ?? Attribute(conflict.option, .keyword(conflict.requested)))
            reading.problems.append(conflict.description)
        }
        let known = reading.problems.count
        refuseMargins(otherThan: plan.imposition.paper, at: printer, attributes, in: &reading)
        refuseMembers(notOfferedBy: printer, attributes, in: &reading)
        let refusedMargins = reading.problems.dropFirst(known)
        refuseCopies(beyond: printer, attributes, in: &reading)
        refuse(whatIsNotOfferedBy: printer, attributes, in: &reading)
        let password = try hold(forReleaseIn: exchange, &reading)
        if service.longestDocumentPassword == 0, exchange.attributes["document-password"] != nil {
            reading.unsupported.append(Attribute("document-password", .outOfBand(.unsupported)))
            reading.problems.append("\(printer.name) does not support document-password")
        }
        refuseDocumentOptions(in: exchange, &reading)
        refuseOperationAttributes(in: exchange, &reading)
        let conflicting = Set(conflicts.map(\.description)).union(refusedMargins)
        let insistsOnAll = exchange.attributes.boolean("ipp-attribute-fidelity") == true
        let mandatory = exchange.attributes.strings("job-mandatory-attributes")
        for (attribute, problem) in zip(reading.unsupported, reading.problems)
        where insistsOnAll || Self.isMandatory(attribute.name, among: mandatory) {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, problem, unsupported: reading.unsupported)
        }
        var request = JobRequest(
            printer: printer, requester: exchange.requester, name: name, ticket: reading.ticket,
            received: attributes, submissionID: exchange.attributes.string("printq-submission-id"))
        request.substitutions = zip(reading.unsupported, reading.problems).compactMap { attribute, problem in
            if attribute.first?.outOfBandValue == .unsupported,
                attributes.contains(where: { $0.name == attribute.name && $0.asksForNothing })
            {
                return nil
            }
            return Substitution(
                attribute: attribute.name, problem: problem, dependsOnPrinter: conflicting.contains(problem))
        }
        request.message = exchange.request.message
        request.queueNumber = exchange.attributes.integer("printq-job-id").flatMap { $0 > 0 ? Int($0) : nil }
        request.insistsOnAll = insistsOnAll
        request.groups = groups(of: exchange.requester)
        request.password = password
        if let spools = exchange.attributes["printq-forwarded-by"]?.values.compactMap(\.stringValue), !spools.isEmpty {
            request.ticket.forwardedBy = spools.suffix(JobRequest.mostForwarders + 1).map { $0.prefixOfUTF8(64) }
        }
        return (request, reading.unsupported)
    }

    /// If the request has no job name, the method returns the document's name.
    ///
    /// Without a document name, the method returns `Untitled`.
    private func jobName(_ exchange: Exchange) -> String {
        let name = givenName(exchange) ?? exchange.attributes.string("document-name")?.prefixOfUTF8(255) ?? ""
        return name.isEmpty ? "Untitled" : name
    }

    /// Returns the job name in the request, or `nil` if the request has no job name.
    func givenName(_ exchange: Exchange) -> String? {
        let given = exchange.attributes.string("job-name") ?? exchange.request.message[.job]?.string("job-name")
        return given.flatMap { $0.isEmpty ? nil : $0.prefixOfUTF8(255) }
    }

    /// Reads the properties of the document.
    ///
    /// - Throws: `IPPFailure` if the printer does not accept the document's format.
    private func documentRequest(_ exchange: Exchange, printer: ServedPrinter) throws(IPPFailure) -> DocumentRequest {
        let format = exchange.attributes.string("document-format").map(DocumentFormat.init(rawValue:)) ?? .octetStream
        guard format == .octetStream || printer.formats.contains(format) else {
            let accepted = printer.formats.filter { $0 != .octetStream }.map(\.rawValue)
            let list = accepted.prefix(8).joined(separator: ", ") + (accepted.count > 8 ? ", …" : "")
            throw IPPFailure(
                .clientErrorDocumentFormatNotSupported,
                printer.unavailability(format)
                    ?? UnprintableType.type(for: format)?.error(for: exchange.attributes.string("document-name"))
                    .message
                    ?? "\(printer.name) does not accept \(format); convert the document first (accepted: \(list))",
                unsupported: exchange.received("document-format"))
        }
        if let compression = exchange.attributes.string("compression"), !Self.compressions.contains(compression) {
            throw IPPFailure(
                .clientErrorCompressionNotSupported,
                "the compression '\(compression)' is not supported; use \(Self.compressions.joined(separator: ", "))",
                unsupported: exchange.received("compression"))
        }
        return DocumentRequest(
            stream: exchange.request.document, message: exchange.request.message, format: format,
            name: exchange.attributes.string("document-name")?.prefixOfUTF8(255),
            password: try documentPassword(exchange),
            number: exchange.attributes.integer("printq-document-number").flatMap { $0 > 0 ? Int($0) : nil })
    }

    /// The supported compressions of document data.
    ///
    /// The server has already decompressed the data of the request.
    static let compressions = ["none", "gzip", "deflate"]
}

extension Attribute {
    /// Whether the attribute describes the printer, and not the job.
    ///
    /// Chromium sends the printer's attributes with every job.
    fileprivate var describesPrinter: Bool {
        name.hasPrefix("marker-") || name.hasPrefix("printer-") && name != "printer-resolution"
            || ["auth-info-required", "device-uri", "queued-job-count"].contains(name)
    }
}
