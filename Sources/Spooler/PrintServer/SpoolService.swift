// The spool seen as IPP printers.

public import IPP
public import PrintIPP
public import PrintModel
public import PrintScheduler
public import PrintSpool

/// What stands behind printd's IPP printers: the spool and its scheduler.
public struct SpoolService: PrinterService {
    let spool: Spool
    let scheduler: Scheduler
    let directory: PrinterDirectory
    let clock: @Sendable () -> UnixTime
    let keepsDocuments: Bool
    let output: @Sendable (Job, ConfiguredPrinter?) async -> JobOutput?
    let serverState: @Sendable () -> [Attribute]
    let checkUp: CachedHealthCheck
    let sources: [any DeviceSource]
    let access: DeviceAccess
    let recent: RecentEvents
    let states = ChangeTimes<PrinterStatus>()
    let configured = ChangeTimes<Configuration>()
    let refused = RefusedDocuments()

    /// The service of a spool.
    ///
    /// - Parameters:
    ///   - keepsDocuments: whether documents are kept when a job that does not say so has ended.
    ///   - sources: where devices are looked for that could be added.
    ///   - access: keeps logins at printers.
    ///   - output: what a job has become, at its printer (nil when that has been removed), where that is files.
    ///   - serverState: where the server runs and how it is reached, for `printq status`.
    ///   - checkUp: the lines of `printq doctor`, each beginning with `ok:`, `warning:` or `error:`; one check-up is done at a
    ///     time, whoever asks.
    public init(
        spool: Spool, scheduler: Scheduler, directory: PrinterDirectory,
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime, keepsDocuments: Bool = true,
        sources: [any DeviceSource] = [], access: DeviceAccess = .none,
        output: @escaping @Sendable (Job, ConfiguredPrinter?) async -> JobOutput?,
        serverState: @escaping @Sendable () -> [Attribute] = { [] },
        checkUp: @escaping @Sendable () async -> [String]
    ) {
        self.spool = spool
        self.scheduler = scheduler
        self.directory = directory
        self.clock = clock
        self.keepsDocuments = keepsDocuments
        self.sources = sources
        self.access = access
        self.output = output
        self.serverState = serverState
        self.checkUp = CachedHealthCheck(latestEvent: { try? await spool.latestEventSequence() }, checkUp)
        recent = RecentEvents(spool: spool)
    }

    /// The operations that act on the spool.
    public var operations: [Operation] {
        [
            .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
            .holdJob, .releaseJob, .resumeJob, .restartJob, .resubmitJob, .cupsMoveJob, .setJobAttributes,
            .getJobAttributes, .getJobs, .getPrinterAttributes,
            .pausePrinter, .resumePrinter, .cupsGetDefault, .cupsSetDefault, .cupsGetPrinters, .cupsGetClasses,
            .cupsAddModifyPrinter, .cupsDeletePrinter, .cupsGetDevices, .cupsAcceptJobs, .cupsRejectJobs,
            .enablePrinter, .disablePrinter, .purgeJobs, .identifyPrinter, .printqGetAccounting,
        ]
    }

    /// Every option: what the printer cannot do, imposition does.
    public var options: Set<String> { Self.allOptions }

    private static let allOptions = Set(PrintOption.all.map(\.name))

    // MARK: - Jobs

    /// Takes a job with its only document; it is on the disk when this returns.
    public func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job {
        try request.refuseLoop(at: spool.identity)
        let incoming = spool.makeIncoming()
        let format = try await receive(document, into: incoming)
        return try await asFailure { () throws(SpoolError) in
            try await spool.submit(submission(request), documents: [(incoming, name: document.name, format: format)])
        }
    }

    /// Takes a job whose documents follow.
    public func createJob(_ request: JobRequest) async throws(IPPFailure) -> Job {
        try request.refuseLoop(at: spool.identity)
        return try await asFailure { () throws(SpoolError) in try await spool.createJob(submission(request)) }
    }

    /// The request as the spool takes it.
    private func submission(_ request: JobRequest) -> Submission {
        var submission = Submission(
            printer: request.printer.name, owner: request.requester.name, name: request.name, ticket: request.ticket,
            submissionID: request.submissionID)
        if !keepsDocuments { submission.ticket.keepsDocuments = false }
        if request.insistsOnAll { submission.ticket.requiresFidelity = true }
        submission.resumeFrom = request.resumeFrom
        return submission
    }

    /// Takes a document of a job; one without data only closes the job, as clients do that have no more.
    ///
    /// A job that is closed without a document is aborted. A refusal would have CUPS' backend send a new job at once, for ever.
    public func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws(IPPFailure) -> Job {
        guard let document else { return try await close(job) }
        let incoming = spool.makeIncoming(for: job.id)
        var iterator = document.stream.makeAsyncIterator()
        let first = try await next(&iterator)
        guard let first else {
            incoming.discard()
            guard isLast else { throw .badRequest("the document of job \(job.id) is empty") }
            return try await close(job)
        }
        let format = try await receive(document, from: &iterator, first: first, into: incoming)
        return try await asFailure { () throws(SpoolError) in
            try await spool.addDocument(incoming, name: document.name, format: format, to: job.id, isLast: isLast)
        }
    }

    private func close(_ job: Job) async throws(IPPFailure) -> Job {
        try await asFailure { () throws(SpoolError) in try await spool.closeJob(job.id) }
    }

    /// The job of that number; a printer that is named must be its own.
    public func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job {
        let job = try await asFailure { () throws(SpoolError) in try await spool.job(id) }
        guard let job, printer == nil || job.printer == printer else {
            throw .notFound("there is no job \(id)\(printer.map { " on \($0)" } ?? ""); see 'printq queue --all'")
        }
        return job
    }

    /// Makes a new job of the documents of one that has ended.
    public func resubmit(_ job: Job, as request: JobRequest) async throws(IPPFailure) -> Job {
        var submission = submission(request)
        submission.resumeFrom = request.resumeFrom.map(job.side(ofImpression:))
        return try await asFailure { () throws(SpoolError) in try await spool.resubmit(job.id, as: submission) }
    }

    /// Moves a waiting job to another printer, which makes it ready anew.
    public func move(_ job: Job, to printer: ServedPrinter) async throws(IPPFailure) {
        _ = try await asFailure { () throws(SpoolError) in try await spool.update(job.id, printer: printer.name) }
    }

    /// Lets something happen to a job; work in hand is told to stop.
    public func change(_ job: Job, _ event: JobStateMachine.Event) async throws(IPPFailure) {
        var event = event
        // Clients count sides with something on them; the queue counts blank backs too.
        if case .resumeRequested(let impression?) = event {
            event = .resumeRequested(fromImpression: job.side(ofImpression: impression))
        }
        let (_, action) = try await asFailure { () throws(SpoolError) in try await spool.change(job.id, event) }
        if action == .stopSending { await scheduler.stopSending(job.id) }
        // lp makes a job, is told that its document cannot be printed, and cancels the job: nothing was submitted.
        if case .cancelRequested = event, job.documents.isEmpty, refused.take(job.id) {
            try? await spool.forgetEmptyJob(job.id)
        }
    }

    /// Notes that a job's document was refused: when the job is canceled before it gets one, nothing of it stays.
    public func noteRefusedDocument(of job: Job) { refused.add(job.id) }

    /// Changes what a waiting job asks for.
    public func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws(IPPFailure) {
        _ = try await asFailure { () throws(SpoolError) in
            try await spool.update(job.id, name: name, ticket: ticket, priority: ticket.priority)
        }
    }

    // MARK: - Attributes of our own

    /// `printq-why`, `printq-output-folder` or `-file`, `printq-resume-from`, `printq-resume-words`, `printq-moved-from`,
    /// `printq-documents-kept`, `printq-job-events`.
    public func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute] {
        var attributes: [Attribute] = []
        if requested.names("printq-why") { attributes.append(Attribute("printq-why", .text(await why(job)))) }
        let files = ["printq-output-folder", "printq-output-file"].filter(requested.names)
        if !files.isEmpty, let output = await output(job, try? await spool.printer(named: job.printer)),
            files.contains(output.attribute.name)
        {
            attributes.append(output.attribute)
        }
        if requested.names("printq-resume-from"), let side = job.resumeFrom {
            let impression = job.impressionCount(ofSides: side)
            attributes.append(Attribute("printq-resume-from", .integer(Int32(clamping: impression))))
        }
        if requested.names("printq-resume-words"), let words = job.resumeWords {
            attributes.append(Attribute("printq-resume-words", .text(words)))
        }
        if requested.names("printq-moved-from"), let printer = job.movedFrom {
            attributes.append(Attribute("printq-moved-from", .name(printer)))
        }
        if requested.names("printq-documents-kept"), let areKept = try? await spool.keepsDocuments(of: job.id) {
            attributes.append(Attribute("printq-documents-kept", .boolean(areKept)))
        }
        if requested.names("printq-job-events"), let events = try? await spool.newestEvents(ofJob: job.id) {
            let lines = events.map { "@\(Int($0.time)) \($0.kind)\($0.message.isEmpty ? "" : ": \($0.message)")" }
            if !lines.isEmpty { attributes.append(Attribute("printq-job-events", lines.map { .text($0) })) }
        }
        return attributes
    }

    private func why(_ job: Job) async -> String {
        let printer = try? await spool.printer(named: job.printer)
        let status: PrinterStatus? = if let printer { await directory.quickStatus(of: printer).status } else { nil }
        let ahead = (try? await spool.countWaitingBefore(job.id)) ?? 0
        return job.explanation(
            in: JobContext(
                printer: printer, status: status, jobsAhead: ahead, blocker: await blocker(of: job), now: clock()))
    }

    /// In strict order, the job that must end before a waiting one, with its own reason.
    private func blocker(of job: Job) async -> JobContext.Blocker? {
        guard scheduler.order == .strict, job.state == .pending,
            let first = try? await spool.jobInStrictWay(of: job.id)
        else { return nil }
        return JobContext.Blocker(id: first.id, printer: first.printer, explanation: await why(first))
    }

    /// `printq-doctor`, and where the server runs and how it is reached.
    public func serverAttributes(requested: RequestedAttributes) async -> [Attribute] {
        var attributes = serverState().filter { requested.names($0.name) }
        if requested.names("printq-doctor") {
            attributes.append(Attribute("printq-doctor", (await checkUp.lines()).map { .text($0) }))
        }
        return attributes
    }
}

/// Runs what may fail in the spool, with its errors as IPP failures.
func asFailure<Result>(_ body: () async throws(SpoolError) -> Result) async throws(IPPFailure) -> Result {
    do throws(SpoolError) {
        return try await body()
    } catch {
        throw IPPFailure(error)
    }
}

extension IPPFailure {
    /// What a failure of the spool means to a client.
    init(_ error: SpoolError) {
        let status: Status =
            switch error.code {
            case .noSuchJob, .noSuchPrinter: .clientErrorNotFound
            case .notPossible, .documentMissing: .clientErrorNotPossible
            case .notAccepting: .serverErrorNotAcceptingJobs
            case .overBudget: .serverErrorTooManyJobs
            case .noSpace, .unwritable, .locked, .closed: .serverErrorTemporaryError
            default: .serverErrorInternalError
            }
        self.init(status, error.message)
    }
}
