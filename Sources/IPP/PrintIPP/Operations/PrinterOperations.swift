// The IPP operations of a printer service: checks requests, calls the service and builds the responses.

import IPP
package import PrintModel

/// The implementation of IPP for a `PrinterService`.
///
/// This type implements the checks of all requests (RFC 8011 §4.1), the operations and the attributes of the responses.
/// The type uses no sockets and no storage.
public struct PrinterOperations: IPPResponder {
    let service: any PrinterService
    let clock: @Sendable () -> UnixTime
    /// Whether the server is a spooler, whose job URIs are `/jobs/ID` and whose printers are at `/printers/NAME`.
    ///
    /// Otherwise a job URI contains the printer, as at a device.
    let numbersJobsGlobally: Bool
    /// Whether all clients are allowed to use all operations.
    ///
    /// The value is true for a printer without user accounts, such as a simulated printer.
    let isOpen: Bool
    let jobPrivacy: @Sendable () -> JobPrivacy
    let accounts: UserAccounts
    /// The subscriptions to the event log, or `nil` if there is no event log.
    let subscriptionService: SubscriptionService?
    /// The service that fetches documents by URI, or `nil` if the printers do not fetch documents.
    let references: DocumentReferences?
    /// The maximum time for which a client can wait for events in one request.
    let notifyWait: Duration
    /// The security protocols of TCP connections (`uri-security-supported`), the default first.
    let security: [URISecurity]
    /// The server where clients on the network get tokens (`oauth-authorization-server-uri`); nil for none.
    let authorizationServer: @Sendable () -> String?
    /// If the time of a printer's last change is unknown, the printer reports this time instead.
    let startedAt: UnixTime

    /// Creates the operations of a service.
    ///
    /// - Parameters:
    ///   - events: The event log for subscriptions, or `nil` if there is no event log.
    ///   - references: The service that fetches documents by URI. `nil` disables Print-URI and Send-URI.
    ///   - jobPrivacy: The values of jobs that other users do not see. The closure is called for each request.
    ///   - notifyWait: The maximum time for which a client can wait for events in one request (`notify-wait`).
    ///   - security: The supported security protocols of TCP connections, at least one element. Unix sockets do not use
    ///     TLS.
    ///   - authorizationServer: The server where clients on the network get tokens. The closure is called for each
    ///     request.
    package init(
        _ service: any PrinterService, events: (any EventSource)? = nil, references: DocumentReferences? = nil,
        numbersJobsGlobally: Bool, isOpen: Bool,
        jobPrivacy: @autoclosure @escaping @Sendable () -> JobPrivacy = JobPrivacy(), accounts: UserAccounts = .system,
        notifyWait: Duration = .seconds(30), security: [URISecurity] = [.none],
        authorizationServer: @autoclosure @escaping @Sendable () -> String? = nil,
        clock: @escaping @Sendable () -> UnixTime
    ) {
        (self.service, self.references, self.numbersJobsGlobally) = (service, references, numbersJobsGlobally)
        (self.isOpen, self.jobPrivacy, self.accounts) = (isOpen, jobPrivacy, accounts)
        (self.notifyWait, self.security, self.clock) = (notifyWait, security, clock)
        self.authorizationServer = authorizationServer
        startedAt = clock()
        subscriptionService = events.map { SubscriptionService(source: $0, limits: .init(), clock: clock) }
    }

    var operations: [Operation] {
        service.operations + (subscriptionService == nil ? [] : Self.subscriptionOperations)
            + (references == nil ? [] : [.printURI, .sendURI])
    }

    /// Returns the response to a request.
    ///
    /// A response with a list of jobs or printers is built in parts, while the client reads the response.
    public func answer(to request: IPPRequest) async -> IPPAnswer {
        var exchange: Exchange?
        var answer: IPPAnswer
        do {
            var checked = try await Exchange(
                request, operations: operations, isOpen: isOpen,
                home: numbersJobsGlobally ? "/printers" : "/ipp/print", security: security, accounts: accounts
            ) {
                try await service.authenticate($0, from: $1)
            } admitsGuests: {
                await admitsGuests($0, from: $1)
            }
            exchange = checked
            // The health of the server does not wait for the policies, which the database contains.
            if !checked.isAboutServer { checked.reach = await reach(of: checked.requester, at: checked.address) }
            try checked.checkAccess()
            answer = try await respond(checked)
        } catch {
            answer = IPPAnswer(request.message.reply(error))
            answer.retryAfter = (error as? TooManyLogins)?.retryAfter
        }
        record(request, from: exchange?.requester, exchange?.target, answer.message)
        return answer
    }

    private func respond(_ exchange: Exchange) async throws -> IPPAnswer {
        switch exchange.operation {
        case .getJobs: try await getJobs(exchange)
        case .cupsGetPrinters: try await getPrinters(exchange)
        case .cupsGetPPD: try await getPPD(exchange)
        default: IPPAnswer(try await answer(exchange))
        }
    }

    /// Returns whether a client on the network can use the printer of a request, or of its job, without credentials.
    private func admitsGuests(_ target: RequestTarget, from address: String) async -> Bool {
        var printer = target.printer
        if let id = target.jobID, id > 0 {
            guard let job = try? await service.job(id, printer: printer) else { return false }
            printer = job.printer
        }
        guard let found = try? await service.printer(named: printer) else { return false }
        return found.admitsAnonymous && service.admitsAnonymous(from: address)
    }

    private func answer(_ exchange: Exchange) async throws -> Message {
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
        case .cupsGetClasses: return exchange.reply()  // printer classes are not supported
        case .printqGetAccounting: return try await getAccounting(exchange)
        case .printqReloadConfiguration: return try await reloadConfiguration(exchange)
        case .printqGetHosts: return try await getHosts(exchange)
        case .printqChangeHosts: return try await changeHosts(exchange)
        case .printqGetTokens: return try await getTokens(exchange)
        case .printqChangeTokens: return try await changeTokens(exchange)
        case .printqGetUsers: return try await getUsers(exchange)
        case .printqGetAudit: return try await getAudit(exchange)
        case .printqGetQuotas: return try await getQuotas(exchange)
        case .printqChangeQuotas: return try await changeQuotas(exchange)
        case .printqChangeUsers: return try await changeUsers(exchange)
        default:
            if let subscriptionService { return try await answer(exchange, at: subscriptionService) }
            throw IPPFailure(
                .serverErrorOperationNotSupported, "the operation \(exchange.operation) is not supported")
        }
    }
}
