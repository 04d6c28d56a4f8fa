// Handles Get-Printer-Attributes, Pause-Printer, Resume-Printer, Identify-Printer, and the default printer of CUPS.

public import IPP
public import PrintModel

extension PrinterOperations {
    func getPrinterAttributes(_ request: Exchange) async throws -> Message {
        var exchange = request
        let wanted = exchange.requestedAttributes()
        // The attributes of the server contain paths and are slow to compute, so only proven users of this
        // machine receive them.
        let isLocal = exchange.requester.isProven && !exchange.isFromNetwork
        let own = isLocal ? await service.serverAttributes(requested: wanted) : []
        // The health of the server does not wait for a database that does not respond.
        if exchange.target.printer == nil, !own.isEmpty, wanted.areAll(in: Set(own.map(\.name))) {
            return exchange.reply([AttributeGroup(.printer, own)])
        }
        if exchange.isAboutServer {
            exchange.reach = await reach(of: exchange.requester, at: exchange.address)
        }
        var printer: ServedPrinter
        do {
            printer = try await service.printer(named: exchange.target.printer)
            try exchange.checkLook(printer.name)
        } catch {
            // Return the server's attributes even if the requester may see no default printer.
            guard exchange.target.printer == nil, !own.isEmpty else { throw error }
            return exchange.reply([AttributeGroup(.printer, own)])
        }
        if let format = exchange.attributes.string("document-format") {
            let asked = DocumentFormat(rawValue: format)
            guard printer.formats.contains(asked) || asked == .octetStream else {
                throw IPPFailure(
                    .clientErrorDocumentFormatNotSupported, "\(printer.name) does not accept \(asked)",
                    unsupported: exchange.received("document-format"))
            }
            printer = printer.shown(for: asked)
        }
        var group = await shownPrinter(printer, exchange, wanted)
        group.append(contentsOf: own)
        return exchange.reply([group])
    }

    func pauseOrResume(_ exchange: Exchange) async throws -> Message {
        let printer = try await service.printer(named: exchange.target.printer)
        // cupsdisable -r sends the reason. Some clients send it in the operation group, other clients in the printer
        // group.
        let message =
            exchange.attributes.string("printer-state-message")
            ?? exchange.request.message[.printer]?.string("printer-state-message") ?? ""
        try await service.setPaused(
            exchange.operation == .pausePrinter, message: message.prefixOfUTF8(1023), printer: printer.name)
        return exchange.reply()
    }

    func identifyPrinter(_ exchange: Exchange) async throws -> Message {
        let printer = try await service.destination(named: exchange.target.printer)
        // Users who may print on a printer may also see the printer.
        try await admit(exchange, to: printer)
        let asked = exchange.attributes.keywords("identify-actions")
        var actions = asked
        if asked.count > 1 {
            // Each action is supported or ignored by itself. The service refuses a request without a supported action.
            let extra = try await service.printer(named: printer.name).extra
            let known = extra.first { $0.name == "identify-actions-supported" }?.values.compactMap(\.stringValue) ?? []
            if !known.filter(asked.contains).isEmpty { actions = asked.filter(known.contains) }
        }
        try await service.identify(
            printer: printer.name, actions: actions, message: exchange.attributes.string("message"))
        let ignored = asked.filter { !actions.contains($0) }
        return exchange.reply(
            unsupported: ignored.isEmpty ? [] : [Attribute("identify-actions", ignored.map { .keyword($0) })])
    }

    func getDefault(_ exchange: Exchange) async throws -> Message {
        let printer = try await service.printer(named: nil)
        try exchange.checkLook(printer.name)
        return exchange.reply([await shownPrinter(printer, exchange, exchange.requestedAttributes())])
    }

    /// Handles CUPS-Get-PPD: returns a printer's description as a PPD file, which follows the attributes.
    ///
    /// `ppd-name` contains the name of a printer, with or without `.ppd`.
    func getPPD(_ exchange: Exchange) async throws -> IPPAnswer {
        let given = exchange.attributes.string("ppd-name").map { $0.hasSuffix(".ppd") ? String($0.dropLast(4)) : $0 }
        guard let name = given ?? exchange.target.printer else {
            throw IPPFailure.badRequest("CUPS-Get-PPD requires printer-uri or ppd-name")
        }
        // Programs keep the file, so a printer that has not responded yet gets a short time.
        try exchange.checkLook(try await service.destination(named: name).name)
        let file = PPDFile(of: try await service.printer(named: name))
        let reply = exchange.reply()
        return IPPAnswer(reply, encoded: try reply.encoded() + file.text.utf8)
    }

    func setDefault(_ exchange: Exchange) async throws -> Message {
        let printer = try await service.printer(named: exchange.target.printer)
        try await service.setDefault(printer: printer.name)
        return exchange.reply()
    }
}

// MARK: - Administration

extension PrinterOperations {
    /// Handles Enable-Printer, Disable-Printer (RFC 3998 §3.1) and the CUPS equivalents: accepts or rejects new jobs.
    ///
    /// Existing jobs continue.
    func enableOrDisable(_ exchange: Exchange) async throws -> Message {
        let printer = try await administeredPrinter(exchange)
        try await service.setAccepting(
            [.enablePrinter, .cupsAcceptJobs].contains(exchange.operation), printer: printer.name)
        return exchange.reply()
    }

    /// Handles Set-Printer-Attributes (RFC 3380 §4.1): sets all given attributes, or no attribute.
    func setPrinterAttributes(_ exchange: Exchange) async throws -> Message {
        let printer = try await administeredPrinter(exchange)
        let given = exchange.request.message.groups(.printer).flatMap(\.attributes)
        guard !given.isEmpty else { throw IPPFailure.badRequest("the request has no printer attributes") }
        let settable = Set(service.settableAttributes.map(\.name))
        let others = given.filter { !settable.contains($0.name) }
        guard others.isEmpty else {
            throw IPPFailure(
                .clientErrorAttributesNotSettable,
                "cannot set these attributes of \(printer.name): \(others.map(\.name).joined(separator: ", "))",
                unsupported: others.map { Attribute($0.name, .outOfBand(.notSettable)) })
        }
        try await service.setAttributes(given, printer: printer.name)
        return exchange.reply()
    }

    /// Handles Get-Printer-Supported-Values (RFC 3380 §4.3): returns the supported values of the settable attributes.
    func getSupportedValues(_ exchange: Exchange) async throws -> Message {
        try exchange.checkLook(try await service.printer(named: exchange.target.printer).name)
        let wanted = exchange.requestedAttributes()
        let values = wanted.filter(service.settableAttributes, in: ["printer-description", "job-template"])
        return exchange.reply([AttributeGroup(.printer, values)])
    }

    /// Handles Purge-Jobs (RFC 8011 §4.2.9): ends and deletes all jobs.
    ///
    /// With `my-jobs`, the operation ends and deletes only the requester's jobs.
    func purgeJobs(_ exchange: Exchange) async throws -> Message {
        try exchange.checkNamesPrinter(exchange.target.printer)
        let reply = try await cancelJobs(exchange)
        try await service.forgetEndedJobs(
            printer: try await queriedPrinter(exchange),
            owner: exchange.attributes.boolean("my-jobs") == true ? exchange.requester.name : nil)
        return reply
    }

    private func administeredPrinter(_ exchange: Exchange) async throws -> ServedPrinter {
        try await service.printer(named: exchange.target.printer)
    }
}

extension PrinterService {
    /// An empty array, because this service has no settable attributes.
    public var settableAttributes: [Attribute] { [] }

    /// Throws an error, because this service always accepts jobs.
    public func setAccepting(_ isAccepting: Bool, printer: String) async throws {
        throw IPPFailure(.serverErrorOperationNotSupported, "cannot change \(printer): this server always accepts jobs")
    }

    /// Throws an error, because this service has no settable attributes.
    public func setAttributes(_ attributes: [Attribute], printer: String) async throws {
        throw IPPFailure(.serverErrorOperationNotSupported, "\(printer) has no settable attributes")
    }

    /// False, because this service does not distinguish clients on the network.
    public func admitsAnonymous(from address: String) -> Bool { false }

    /// Does nothing.
    ///
    /// This default is for services that manage the job history independently.
    public func forgetEndedJobs(printer: String?, owner: String?) async throws {}
}

// MARK: - Accounting

extension PrinterOperations {
    /// Handles Get-Accounting.
    ///
    /// Administrators receive the entries of all ended jobs. Other users receive only the entries of their jobs.
    func getAccounting(_ exchange: Exchange) async throws -> Message {
        let asked = exchange.attributes
        let printer = exchange.target.printer
        try exchange.checkNamesPrinter(printer)
        try exchange.permit(.own, at: printer)
        let mayAskAll = exchange.permission(.others, at: printer) == .allowed
        var query = AccountingQuery(
            printer: printer, user: asked.string("printq-user"),
            since: asked["printq-since"]?.timeValue,
            until: asked["printq-until"]?.timeValue,
            limit: asked.integer("limit").map(Int.init) ?? AccountingQuery.mostAtOnce)
        if asked.boolean("my-jobs") == true { query.user = exchange.requester.name }
        if let user = query.user, user != exchange.requester.name, !mayAskAll {
            throw exchange.refusal("only an administrator may see the accounting entries of \(user)")
        }
        if !mayAskAll { query.user = exchange.requester.name }
        if let place = asked.string("printq-after") {
            guard let after = AccountingEntry.Place(place) else {
                throw IPPFailure.badRequest(
                    "printq-after '\(place)' is invalid; use the value of printq-place of an accounting entry")
            }
            query.after = after
        }
        let entries = try await service.accounting(query)
        return exchange.reply(entries.map { AttributeGroup(.job, $0.attributes) })
    }
}

extension PrinterService {
    /// Throws an error, because this service has no accounting.
    public func accounting(_ query: AccountingQuery) async throws -> [AccountingEntry] {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server does not keep accounting entries")
    }
}
