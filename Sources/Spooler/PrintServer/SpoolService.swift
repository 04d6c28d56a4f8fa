// Serves the spool's printers over IPP.

public import IPP
public import PrintIPP
public import PrintModel
package import PrintScheduler
import PrintSpool

/// The service that implements the IPP printers of printd with a spool and a scheduler.
public struct SpoolService: PrinterService {
    let spool: Spool
    let scheduler: Scheduler
    let directory: PrinterDirectory
    let clock: @Sendable () -> UnixTime
    let keepsDocuments: @Sendable () -> Bool
    let passwordLifetime: @Sendable () -> Double
    /// The function that returns the types of documents that are accepted now.
    let types: @Sendable () async -> PrintableTypes
    /// The function that reads the directory of an archive, and returns the type of the document; nil for no check.
    let identify: (@Sendable (InputDocument) async throws(WorkError) -> DocumentType?)?
    let output: @Sendable (Job, ConfiguredPrinter?) async -> JobOutput?
    let serverState: @Sendable () async -> [Attribute]
    let configuration: ServerConfiguration
    let checkUp: CachedHealthCheck
    let sources: [any DeviceSource]
    let sharing: SharingState
    let auditLog: AuditLog?
    let access: DeviceAccess
    let recent: RecentEvents
    let states = ChangeTimes<PrinterStatus>()
    let configured = ChangeTimes<PrinterConfiguration>()
    let described = DescribedPrinters()
    let lists = SharedComputation<[ServedPrinter]>()
    let refused = RefusedDocuments()
    let counts = RecentCounts()
    let hosts = RecentHosts()
    let logins: PasswordLogins
    let openID: @Sendable (_ token: String) async throws -> NetworkUser?

    /// Creates the service of the spool that has these events.
    ///
    /// - Parameters:
    ///   - keepsDocuments: A closure that returns whether documents are kept after a job has ended, for jobs that do
    ///     not set this option. The closure is called for each job.
    ///   - passwordLifetime: A closure that returns the time in seconds for which a job waits for its password.
    ///   - types: A closure that returns the types of documents that are accepted. The closure is called for each
    ///     request, on the event loop that serves the clients, and must therefore return quickly or suspend.
    ///   - identify: A closure that determines the type of a document from its whole content, in another process. The
    ///     result is nil if the type is unknown. Without the closure, the preparation of a job determines the type.
    ///   - sources: The sources in which the service searches for new devices.
    ///   - access: The store for printer credentials and trusted certificates.
    ///   - sharing: The state of the publication of shared printers.
    ///   - auditLog: The audit log; nil for no log.
    ///   - output: A closure that returns the output files of a job. The printer argument is nil if the printer was
    ///     removed.
    ///   - serverState: A closure that returns the address and state of the server, for `printq status`.
    ///   - configuration: The settings of the server, for `printq config`.
    ///   - logins: The check of the passwords of users on the network.
    ///   - openID: A closure that returns the user who bears a token of OpenID Connect; nil if no provider is set. The
    ///     closure throws the reason why the token is refused.
    ///   - checkUp: A closure that returns the results of `printq doctor`. Concurrent requests share one health check.
    package init(
        _ events: RecentEvents, scheduler: Scheduler, directory: PrinterDirectory,
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime,
        keepsDocuments: @autoclosure @escaping @Sendable () -> Bool = true,
        passwordLifetime: @autoclosure @escaping @Sendable () -> Double = 86400,
        types: @escaping @Sendable () async -> PrintableTypes = { .pages },
        identify: (@Sendable (InputDocument) async throws(WorkError) -> DocumentType?)? = nil,
        sources: [any DeviceSource] = [],
        access: DeviceAccess = .none, sharing: SharingState = SharingState(),
        auditLog: AuditLog? = nil,
        output: @escaping @Sendable (Job, ConfiguredPrinter?) async -> JobOutput?,
        serverState: @escaping @Sendable () async -> [Attribute] = { [] }, configuration: ServerConfiguration = .none,
        logins: PasswordLogins = PasswordLogins(),
        openID: @escaping @Sendable (_ token: String) async throws -> NetworkUser? = { _ in nil },
        checkUp: @escaping @Sendable () async -> [HealthFinding]
    ) {
        (recent, spool) = (events, events.spool)
        self.scheduler = scheduler
        self.directory = directory
        self.clock = clock
        self.keepsDocuments = keepsDocuments
        self.passwordLifetime = passwordLifetime
        self.types = types
        self.identify = identify
        self.configuration = configuration
        self.sources = sources
        (self.sharing, self.auditLog) = (sharing, auditLog)
        self.access = access
        self.output = output
        self.serverState = serverState
        (self.logins, self.openID) = (logins, openID)
        self.checkUp = CachedHealthCheck(latestEvent: { try? await events.spool.latestEventSequence() }, checkUp)
    }

    /// The supported IPP operations.
    public var operations: [Operation] {
        [
            .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
            .holdJob, .releaseJob, .resumeJob, .restartJob, .resubmitJob, .cupsMoveJob, .setJobAttributes,
            .getJobAttributes, .getJobs, .getPrinterAttributes,
            .pausePrinter, .resumePrinter, .cupsGetDefault, .cupsSetDefault, .cupsGetPrinters, .cupsGetClasses,
            .cupsGetPPD,
            .cupsAddModifyPrinter, .cupsDeletePrinter, .cupsGetDevices, .cupsAcceptJobs, .cupsRejectJobs,
            .setPrinterAttributes, .getPrinterSupportedValues, .enablePrinter, .disablePrinter, .purgeJobs,
            .identifyPrinter, .printqGetAccounting,
            .printqReloadConfiguration, .printqGetHosts, .printqChangeHosts, .printqGetTokens, .printqChangeTokens,
            .printqGetUsers, .printqChangeUsers, .printqGetAudit, .printqGetQuotas, .printqChangeQuotas,
        ]
    }

    /// The supported job options.
    ///
    /// If a printer does not support an option, `printd` applies the option during the preparation of the job.
    public var options: Set<String> { Self.allOptions }

    private static let allOptions = Set(PrintOption.all.map(\.name))

    /// The maximum length of a document's password.
    public var longestDocumentPassword: Int { InputDocument.longestPassword }

    /// The maximum number of digits of a job's password.
    public var longestJobPassword: Int { JobPassword.lengths.upperBound }

    // MARK: - Jobs

    /// Accepts a job with a single document.
    ///
    /// The job is on the disk when the function returns.
    public func printJob(_ request: JobRequest, document: DocumentRequest) async throws -> Job {
        try request.refuseLoop(at: spool.identity)
        let incoming = spool.makeIncoming()
        let format = try await receive(document, into: incoming)
        var submission = try await submission(request)
        submission.documentPassword = document.password
        return try await spool.submit(
            submission, documents: [(incoming, name: document.name, format: format)], groups: request.groups)
    }

    /// Accepts a job without documents.
    ///
    /// The function `sendDocument` adds the documents later.
    public func createJob(_ request: JobRequest) async throws -> Job {
        try request.refuseLoop(at: spool.identity)
        return try await spool.createJob(try await submission(request), groups: request.groups)
    }

    /// Converts a job request to a submission for the spool.
    private func submission(_ request: JobRequest) async throws -> Submission {
        var submission = Submission(
            printer: request.printer.name, owner: request.requester.name, name: request.name, ticket: request.ticket,
            submissionID: request.submissionID)
        if !keepsDocuments() { submission.ticket.keepsDocuments = false }
        if request.insistsOnAll { submission.ticket.requiresFidelity = true }
        if let password = request.password {
            submission.releasePassword = try await PasswordHash(password)
            submission.passwordLifetime = passwordLifetime()
        }
        submission.resumeFrom = request.resumeFrom
        submission.isColor = request.isColor
        submission.warnings = request.substitutions.filter(\.dependsOnPrinter).map(\.problem)
        let unapplied = request.unapplied
        submission.ticket.unapplied = unapplied.isEmpty ? nil : unapplied
        return submission
    }

    /// Adds a document to a job.
    ///
    /// Some clients send a last document without data. Such an empty document only closes the job.
    ///
    /// A job that is closed without a document is aborted. If the request failed instead, the IPP backend of CUPS would
    /// send a new job immediately, in an endless loop.
    public func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws -> Job {
        guard let document else { return try await close(job) }
        let incoming = spool.makeIncoming(for: job.id)
        var iterator = document.stream.makeAsyncIterator()
        let first = try await next(&iterator)
        guard let first else {
            incoming.discard()
            guard isLast else { throw IPPFailure.badRequest("the document of job \(job.id) is empty") }
            return try await close(job)
        }
        let format = try await receive(document, from: &iterator, first: first, into: incoming)
        return try await spool.addDocument(
            incoming, name: document.name, format: format, password: document.password, to: job.id,
            number: document.number, isLast: isLast)
    }

    private func close(_ job: Job) async throws -> Job {
        try await spool.closeJob(job.id)
    }

    /// Returns the job with the given job number.
    ///
    /// If `printer` is not nil, the job must belong to that printer.
    public func job(_ id: Int, printer: String?) async throws -> Job {
        let job = try await spool.job(id)
        guard let job, printer == nil || job.printer == printer else {
            throw IPPFailure.notFound(
                "job \(id) does not exist\(printer.map { " on \($0)" } ?? ""), or was removed from the history")
        }
        return job
    }

    /// Creates a new job with the documents of an ended job.
    public func resubmit(_ job: Job, as request: JobRequest) async throws -> Job {
        var submission = try await submission(request)
        submission.resumeFrom = request.resumeFrom.map(job.side(ofImpression:))
        submission.documentPassword = request.documentPassword
        if submission.documentPassword == nil, job.ticket.hasDocumentPassword == true, !job.needsPasswordAgain {
            submission.documentPassword = try await spool.documents(of: job.id).lazy.compactMap(\.password).first
        }
        return try await spool.resubmit(job.id, as: submission, groups: request.groups)
    }

    /// Moves a waiting job to another printer.
    ///
    /// The job is prepared again for that printer.
    public func move(_ job: Job, to printer: ServedPrinter) async throws {
        _ = try await spool.update(job.id, printer: printer.name)
    }

    /// Moves several waiting jobs to another printer.
    public func move(_ jobs: [Job], to printer: ServedPrinter) async throws {
        try await spool.move(jobs.map(\.id), to: printer.name)
    }

    /// Applies an event to a job, and stops the delivery of a canceled job.
    public func change(_ job: Job, _ event: JobStateMachine.Event) async throws {
        var event = event
        // Clients count sides that are not blank; the queue also counts blank back sides.
        if case .resumeRequested(let impression?) = event {
            event = .resumeRequested(fromImpression: job.side(ofImpression: impression))
        }
        let (_, action) = try await spool.change(job.id, event)
        if action == .stopSending { await scheduler.stopSending(job.id) }
        await forgetIfRefused(job, event)
    }

    /// Releases a job with its password.
    public func release(_ job: Job, with password: JobPassword) async throws {
        try await spool.release(job.id, with: password)
    }

    /// Releases all jobs of a printer that wait for a password, and returns their number.
    public func releaseJobs(of printer: String, with password: JobPassword) async throws -> Int {
        try await spool.releaseJobs(of: printer, with: password)
    }

    /// Applies an event to each of several jobs, and stops the delivery of canceled jobs.
    public func change(_ changes: [(job: Job, event: JobStateMachine.Event)]) async throws {
        let changed = try await spool.change(changes.map { ($0.job.id, $0.event) })
        for (job, action) in changed where action == .stopSending { await scheduler.stopSending(job.id) }
        for (job, event) in changes { await forgetIfRefused(job, event) }
    }

    /// Removes a canceled job whose only document was refused.
    ///
    /// lp creates a job, gets an error for its document, and cancels the job. Nothing was submitted, so the job is
    /// removed.
    private func forgetIfRefused(_ job: Job, _ event: JobStateMachine.Event) async {
        guard case .cancelRequested = event, job.documents.isEmpty, refused.take(job.id) else { return }
        try? await spool.forgetEmptyJob(job.id)
    }

    /// Records that a document of a job was refused.
    ///
    /// If a client then cancels the job while the job has no document, the job is removed completely.
    public func noteRefusedDocument(of job: Job) { refused.add(job.id) }

    /// Changes the options of a waiting job.
    public func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws {
        _ = try await spool.update(job.id, name: name, ticket: ticket, priority: ticket.priority)
    }

    /// Returns the requested attributes of the server.
    ///
    /// The supported attributes are:
    /// - `printq-event-number`
    /// - the results of `printq doctor`
    /// - the document types
    /// - the settings (`printq-settings`)
    /// - the address and state of the server
    /// - the attributes of `statusAttributes` and `hostAttributes`
    public func serverAttributes(requested: RequestedAttributes) async -> [Attribute] {
        var attributes = await serverState().filter { requested.names($0.name) }
        if requested.names(Self.documentTypesName) { attributes.append(Self.documentTypes(await types())) }
        if requested.names("printq-event-number"), let number = try? await spool.latestEventSequence() {
            attributes.append(Attribute("printq-event-number", .integer(Int32(clamping: number))))
        }
        if requested.names(ServerConfiguration.attributeName) {
            attributes.append(Attribute(ServerConfiguration.attributeName, configuration.settings().map { .text($0) }))
        }
        if requested.names(HealthFinding.linesName) || requested.names(HealthFinding.checksName) {
            attributes += HealthFinding.attributes(await checkUp.findings()).filter { requested.names($0.name) }
        }
        return attributes + (await statusAttributes(requested: requested))
            + (await hostAttributes(requested: requested))
    }
}

extension SpoolError: ServiceError {
    package var status: Status {
        switch code {
        case .noSuchJob, .noSuchPrinter: .clientErrorNotFound
        case .notPossible, .documentMissing, .printerExists: .clientErrorNotPossible
        case .wrongPassword: .clientErrorNotAuthorized
        case .notAccepting: .serverErrorNotAcceptingJobs
        case .overBudget: .serverErrorTooManyJobs
        case .accountLimitReached: .clientErrorAccountLimitReached
        case .noSpace, .unwritable, .locked, .closed, .unavailable: .serverErrorTemporaryError
        default: .serverErrorInternalError
        }
    }
}
