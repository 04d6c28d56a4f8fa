// IPP's operations over a printer service: checks every request, asks the service, words the answer.

public import IPP
public import PrintModel

/// Speaks IPP for a `PrinterService`.
///
/// The checks that every request must pass (RFC 8011 §4.1), the operations, the answers' attributes; no sockets, no
/// storage.
public struct PrinterOperations: IPPResponder {
    let service: any PrinterService
    let clock: @Sendable () -> UnixTime
    /// Whether jobs are numbered over all printers (`/jobs/ID`), or by each printer.
    let numbersJobsGlobally: Bool
    /// Whether anyone who reaches the printer may do everything, as with a printer that has no users.
    let isOpen: Bool
    /// The subscriptions to the log of events; nil where there is no log.
    let desk: SubscriptionDesk?
    /// How documents are fetched that a request only names; nil where that is not done.
    let references: DocumentReferences?
    /// How long a client may wait for events in one request.
    let notifyWait: Duration

    /// Operations over the given service.
    ///
    /// - Parameters:
    ///   - events: the log of events that clients may subscribe to; nil when there is none.
    ///   - references: how documents are fetched that a request only names; nil leaves Print-URI and Send-URI out.
    ///   - numbersJobsGlobally: whether jobs are numbered over all printers.
    ///   - isOpen: whether a claimed name is enough for everything, as at a printer on a desk.
    ///   - notifyWait: how long a client may wait for events in one request (`notify-wait`).
    ///   - clock: the time in seconds since 1970.
    public init(
        _ service: any PrinterService, events: (any EventSource)? = nil, references: DocumentReferences? = nil,
        numbersJobsGlobally: Bool, isOpen: Bool, notifyWait: Duration = .seconds(30),
        clock: @escaping @Sendable () -> UnixTime
    ) {
        self.service = service
        self.references = references
        self.numbersJobsGlobally = numbersJobsGlobally
        self.isOpen = isOpen
        self.notifyWait = notifyWait
        self.clock = clock
        desk = events.map { SubscriptionDesk(source: $0, limits: .init(), clock: clock) }
    }

    /// The operations that act here (`operations-supported`).
    var operations: [Operation] {
        service.operations + (desk == nil ? [] : Self.subscriptionOperations)
            + (references == nil ? [] : [.printURI, .sendURI])
    }

    /// The answer to a request; every failure is one too.
    public func respond(to request: IPPRequest) async -> Message {
        do throws(IPPFailure) {
            return try await answer(to: request).whole()
        } catch {
            return request.message.reply(error)
        }
    }

    /// The same answer; lists of jobs come page by page.
    public func answer(to request: IPPRequest) async -> IPPAnswer {
        do throws(IPPFailure) {
            let exchange = try Exchange(
                request, operations: operations, isOpen: isOpen,
                home: numbersJobsGlobally ? "/printers" : "/ipp/print")
            if exchange.operation == .getJobs { return try await getJobs(exchange) }
            return IPPAnswer(try await answer(exchange))
        } catch {
            return IPPAnswer(request.message.reply(error))
        }
    }

    private func answer(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        switch exchange.operation {
        case .printURI: return try await printURI(exchange)
        case .sendURI: return try await sendURI(exchange)
        case .printJob: return try await printJob(exchange)
        case .validateJob: return try await validateJob(exchange)
        case .createJob: return try await createJob(exchange)
        case .sendDocument: return try await sendDocument(exchange)
        case .closeJob: return try await closeJob(exchange)
        case .cancelJob: return try await cancelJob(exchange)
        case .cancelJobs, .cancelMyJobs: return try await cancelJobs(exchange)
        case .purgeJobs: return try await purgeJobs(exchange)
        case .holdJob, .releaseJob: return try await holdOrRelease(exchange)
        case .setJobAttributes: return try await setJobAttributes(exchange)
        case .resumeJob: return try await resumeJob(exchange)
        case .cupsMoveJob: return try await moveJobs(exchange)
        case .resubmitJob: return try await resubmitJob(exchange)
        case .restartJob: return try await restartJob(exchange)
        case .getJobAttributes: return try await getJobAttributes(exchange)
        case .getPrinterAttributes: return try await getPrinterAttributes(exchange)
        case .pausePrinter, .resumePrinter: return try await pauseOrResume(exchange)
        case .enablePrinter, .disablePrinter: return try await enableOrDisable(exchange)
        case .setPrinterAttributes: return try await setPrinterAttributes(exchange)
        case .getPrinterSupportedValues: return try await getSupportedValues(exchange)
        case .identifyPrinter: return try await identifyPrinter(exchange)
        case .cupsGetDefault: return try await getDefault(exchange)
        case .cupsSetDefault: return try await setDefault(exchange)
        case .cupsGetPrinters: return try await getPrinters(exchange)
        case .cupsAddModifyPrinter: return try await modifyPrinter(exchange)
        case .cupsGetClasses: return exchange.reply()  // there are none
        default:
            if let desk { return try await answer(exchange, at: desk) }
            throw IPPFailure(
                .serverErrorOperationNotSupported, "the operation \(exchange.operation) is not supported here")
        }
    }
}

/// One request that has passed the checks all requests must pass.
struct Exchange: Sendable {
    let request: IPPRequest
    let operation: Operation
    let attributes: AttributeGroup
    let target: RequestTarget
    let requester: Requester

    /// Checks a request (RFC 8011 §4.1): version, operation, request id, charset and language first, target, user.
    ///
    /// - Parameters:
    ///   - operations: the operations that act here.
    ///   - home: the path of printers in URIs that are given back, unless the client uses another.
    init(_ request: IPPRequest, operations: [Operation], isOpen: Bool, home: String) throws(IPPFailure) {
        let message = request.message
        guard message.version.major == 1 || message.version.major == 2 else {
            throw IPPFailure(
                .serverErrorVersionNotSupported, "IPP \(message.version) is not supported; use 1.1 or 2.0")
        }
        guard operations.contains(message.operation) else {
            throw IPPFailure(
                .serverErrorOperationNotSupported, "the operation \(message.operation) is not supported here")
        }
        guard message.requestID > 0 else { throw .badRequest("request-id \(message.requestID) is not above 0") }
        guard let group = message.groups.first, group.tag == .operation else {
            throw .badRequest("the operation attributes group must come first")
        }
        try Self.checkCharsetAndLanguage(group)
        try Self.checkGroups(message)
        self.request = request
        self.operation = message.operation
        self.attributes = group
        self.target = try RequestTarget(operationAttributes: group, home: home)
        let claimedName = group.string("requesting-user-name")
        guard (claimedName?.utf8.count ?? 0) <= 255 else {
            throw IPPFailure(.clientErrorRequestValueTooLong, "requesting-user-name is longer than 255 bytes")
        }
        var requester = Requester(peer: request.peer, claimedName: claimedName)
        if isOpen { requester.isAdministrator = true }
        self.requester = requester
        if Self.needsTarget(operation), group.string("printer-uri") == nil, group.string("job-uri") == nil {
            throw .badRequest("the request names no printer-uri")
        }
    }

    private static func checkCharsetAndLanguage(_ group: AttributeGroup) throws(IPPFailure) {
        guard group.attributes.count >= 2, group.attributes[0].name == "attributes-charset",
            group.attributes[1].name == "attributes-natural-language",
            case .charset(let charset)? = group.attributes[0].first,
            case .naturalLanguage? = group.attributes[1].first
        else {
            throw .badRequest("attributes-charset and attributes-natural-language must come first, in this order")
        }
        guard ["utf-8", "us-ascii"].contains(charset.lowercased()) else {
            throw IPPFailure(
                .clientErrorCharsetNotSupported, "the charset '\(charset)' is not supported; use utf-8",
                unsupported: [group.attributes[0]])
        }
    }

    /// Groups ascend, but for subscriptions and events, and no name comes twice in one (RFC 8011 §4.1.3).
    private static func checkGroups(_ message: Message) throws(IPPFailure) {
        for (first, second) in zip(message.groups, message.groups.dropFirst())
        where second.tag == .operation || second.tag.rawValue < first.tag.rawValue {
            throw .badRequest("the attribute groups are out of order")
        }
        for group in message.groups {
            var names: Set<String> = []
            for attribute in group.attributes where !names.insert(attribute.name).inserted {
                throw .badRequest("the attribute '\(attribute.name)' comes twice")
            }
        }
    }

    private static func needsTarget(_ operation: Operation) -> Bool {
        ![.cupsGetDefault, .cupsGetPrinters, .cupsGetClasses].contains(operation)
    }

    /// The attributes the client asks for; `fallback` when it does not say.
    func requestedAttributes(or fallback: RequestedAttributes = .all) -> RequestedAttributes {
        guard let attribute = attributes["requested-attributes"] else { return fallback }
        return RequestedAttributes(attribute.values.compactMap(\.stringValue))
    }

    /// The answer that all is well.
    func reply(_ groups: [AttributeGroup] = [], unsupported: [Attribute] = []) -> Message {
        let status: Status = unsupported.isEmpty ? .successfulOk : .successfulOkIgnoredOrSubstitutedAttributes
        return request.message.reply(status, groups: groups, unsupported: unsupported)
    }
}

extension Message {
    /// An answer to this request: its version and id, charset and language first (RFC 8011 §4.1.4).
    func reply(
        _ status: Status, _ message: String = "", groups: [AttributeGroup] = [], unsupported: [Attribute] = []
    ) -> Message {
        var operation = AttributeGroup(
            .operation,
            [
                Attribute("attributes-charset", .charset("utf-8")),
                Attribute("attributes-natural-language", .naturalLanguage("en")),
            ])
        if !message.isEmpty {
            // status-message is a text(255), RFC 8011 §4.1.6.2.
            operation.append(Attribute("status-message", .text(message.prefixOfUTF8(255))))
            if message.utf8.count > 255 {
                operation.append(Attribute("detailed-status-message", .text(message.prefixOfUTF8(1023))))
            }
        }
        let unsupported = unsupported.isEmpty ? [] : [AttributeGroup(.unsupported, unsupported)]
        // A version we do not speak is answered in one that we do.
        let version = self.version.major == 1 || self.version.major == 2 ? self.version : .v2_0
        return Message(
            version: version, status: status, requestID: requestID, groups: [operation] + unsupported + groups)
    }

    /// The answer that a failure makes.
    func reply(_ failure: IPPFailure) -> Message {
        var reply = reply(failure.status, failure.message, unsupported: failure.unsupported)
        reply[.operation]?.append(contentsOf: failure.told)
        return reply
    }
}

extension String {
    /// As much of the text as fits into a number of UTF-8 bytes, cut between characters.
    ///
    /// A first character that is too long by itself, a letter under a heap of accents, is cut as well.
    func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var used = 0
        let whole = prefix {
            used += $0.utf8.count
            return used <= limit
        }
        if !whole.isEmpty { return String(whole) }
        used = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix {
                    used += UTF8.width($0)
                    return used <= limit
                }))
    }
}
