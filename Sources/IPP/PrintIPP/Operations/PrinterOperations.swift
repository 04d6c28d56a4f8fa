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
    /// Whether private values of jobs are shown to everyone.
    let showsPrivateValues: Bool
    /// Where users are looked up.
    let accounts: UserAccounts
    /// The subscriptions to the log of events; nil where there is no log.
    let subscriptionService: SubscriptionService?
    /// How documents are fetched that a request only names; nil where that is not done.
    let references: DocumentReferences?
    /// How long a client may wait for events in one request.
    let notifyWait: Duration
    /// How connections of TCP may be secured, the usual way first.
    let security: [URISecurity]
    /// When the operations were made: before that, nobody saw a printer change.
    let startedAt: UnixTime

    /// Operations over the given service.
    ///
    /// - Parameters:
    ///   - events: the log of events that clients may subscribe to; nil when there is none.
    ///   - references: how documents are fetched that a request only names; nil leaves Print-URI and Send-URI out.
    ///   - numbersJobsGlobally: whether jobs are numbered over all printers.
    ///   - isOpen: whether a claimed name is enough for everything, as at a printer on a desk.
    ///   - showsPrivateValues: whether everyone sees the names, owners and options of all jobs; else only their owners
    ///     and administrators do.
    ///   - accounts: where users are looked up.
    ///   - notifyWait: how long a client may wait for events in one request (`notify-wait`).
    ///   - security: how connections of TCP may be secured, at least one way; those of a Unix socket are not.
    ///   - clock: the time in seconds since 1970.
    public init(
        _ service: any PrinterService, events: (any EventSource)? = nil, references: DocumentReferences? = nil,
        numbersJobsGlobally: Bool, isOpen: Bool, showsPrivateValues: Bool = false, accounts: UserAccounts = .system,
        notifyWait: Duration = .seconds(30), security: [URISecurity] = [.none],
        clock: @escaping @Sendable () -> UnixTime
    ) {
        self.service = service
        self.references = references
        self.numbersJobsGlobally = numbersJobsGlobally
        self.isOpen = isOpen
        self.showsPrivateValues = showsPrivateValues
        self.accounts = accounts
        self.notifyWait = notifyWait
        self.security = security
        self.clock = clock
        startedAt = clock()
        subscriptionService = events.map { SubscriptionService(source: $0, limits: .init(), clock: clock) }
    }

    /// The operations that act here (`operations-supported`).
    var operations: [Operation] {
        service.operations + (subscriptionService == nil ? [] : Self.subscriptionOperations)
            + (references == nil ? [] : [.printURI, .sendURI])
    }

    /// Returns the answer to a request; a list of jobs is read page by page.
    public func answer(to request: IPPRequest) async -> IPPAnswer {
        do throws(IPPFailure) {
            let exchange = try await Exchange(
                request, operations: operations, isOpen: isOpen,
                home: numbersJobsGlobally ? "/printers" : "/ipp/print", security: security, accounts: accounts)
            if exchange.operation == .getJobs { return try await getJobs(exchange) }
            if exchange.operation == .cupsGetPrinters { return try await getPrinters(exchange) }
            return IPPAnswer(try await answer(exchange))
        } catch {
            return IPPAnswer(request.message.reply(error))
        }
    }

    private func answer(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        switch exchange.operation {
        case .printJob, .printURI: return try await printJob(exchange)
        case .validateJob: return try await validateJob(exchange)
        case .createJob: return try await createJob(exchange)
        case .sendDocument, .sendURI: return try await sendDocument(exchange)
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
        case .enablePrinter, .disablePrinter, .cupsAcceptJobs, .cupsRejectJobs:
            return try await enableOrDisable(exchange)
        case .setPrinterAttributes: return try await setPrinterAttributes(exchange)
        case .getPrinterSupportedValues: return try await getSupportedValues(exchange)
        case .identifyPrinter: return try await identifyPrinter(exchange)
        case .cupsGetDefault: return try await getDefault(exchange)
        case .cupsSetDefault: return try await setDefault(exchange)
        case .cupsAddModifyPrinter: return try await addOrModifyPrinter(exchange)
        case .cupsDeletePrinter: return try await deletePrinter(exchange)
        case .cupsGetDevices: return try await getDevices(exchange)
        case .cupsGetClasses: return exchange.reply()  // there are none
        case .printqGetAccounting: return try await getAccounting(exchange)
        default:
            if let subscriptionService { return try await answer(exchange, at: subscriptionService) }
            throw IPPFailure(
                .serverErrorOperationNotSupported, "the operation \(exchange.operation) is not supported here")
        }
    }
}
