// SimulatorServer: simulated printers, seen over IPP as printers are.
//
//   PrinterOperations (PrintIPP) ──asks──► SimulatorService ──► SimulatedPrinter (PrinterSimulator), several
//   what IPP demands                       translates            prints
//
// A request's ticket becomes DeviceOptions (JobRequest+Simulated) and JSON for job.json (Attribute+JSON); a
// simulated job becomes the model's (SimulatedJob+Job). Documents arrive in SimulatorService+Receiving. OpenPrinters
// makes sure that no other process prints into the same folder; IdleWatch knows when nobody needs the printers.

import Glibc
package import IPP
package import PrintIPP
package import PrintModel
package import PrinterSimulator
import Synchronization

/// What stands behind the IPP printers of printsim: several simulated printers, each with jobs and numbers of its own.
///
///     let service = SimulatorService([laser, inkjet], in: surroundings)
///     let operations = PrinterOperations(service, numbersJobsGlobally: false, isOpen: true, clock: surroundings.now)
///     async let running: Void = service.run()
///
/// The first printer is the one that a request without a name means.
package final class SimulatorService: PrinterService {
    /// The printers, the default one first.
    package let devices: [SimulatedPrinter]

    let surroundings: SimulatorSurroundings
    let startedAt: UnixTime
    let say: @Sendable (String) -> Void
    let arrivals = Arrivals()
    let stateChanges = Mutex<[String: (state: PrinterState, since: UnixTime)]>([:])
    /// The names under which printers are published by DNS-SD.
    let publishedNames = Mutex<[String: String]>([:])
    let door = Door()

    /// How long a job waits for its document (IPP `multiple-operation-time-out`), in seconds.
    package static let timeOut = 300.0

    /// The service of some printers, of which there must be one at least.
    ///
    /// - Parameters:
    ///   - surroundings: clock and time, the printers' own.
    ///   - say: where a printer makes itself noticed to people nearby (Identify-Printer).
    package init(
        _ devices: [SimulatedPrinter], in surroundings: SimulatorSurroundings,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        precondition(!devices.isEmpty, "a simulator service needs a printer")
        self.devices = devices
        self.surroundings = surroundings
        startedAt = surroundings.now()
        self.say = say
    }

    /// Runs the printers until the task is cancelled; to be called once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for device in devices {
                group.addTask { await device.run() }
                group.addTask { await self.followState(of: device) }
            }
            group.addTask { await self.giveUpLateJobs() }
        }
    }

    /// Whether some job has not ended.
    package var isBusy: Bool {
        get async {
            for device in devices where await device.status.queuedJobs > 0 { return true }
            return false
        }
    }

    /// The operations that act on a simulated printer.
    package var operations: [Operation] { Self.everyOperation }

    static let everyOperation: [Operation] =
        [
            .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
            .getJobAttributes, .setJobAttributes, .getJobs, .holdJob, .releaseJob, .restartJob, .resubmitJob,
            .getPrinterAttributes, .setPrinterAttributes, .getPrinterSupportedValues, .pausePrinter, .resumePrinter,
            .enablePrinter, .disablePrinter, .purgeJobs, .identifyPrinter, .careForPrinter,
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses,
        ]

    /// What a printer does by itself; laying out several pages on a side is for whoever sends them.
    package var options: Set<String> {
        [
            "copies", "page-ranges", "sides", "media", "media-type", "media-source", "print-color-mode",
            "print-quality", "multiple-document-handling", "collate", "orientation-requested", "print-scaling",
            "job-hold-until", "job-priority",
        ]
    }

    // MARK: - Jobs

    /// Takes a job with its document; the file and the job's report are written when this returns.
    package func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job {
        let device = try device(named: request.printer.name)
        guard let arrived = try await receive(document, at: device) else {
            throw .badRequest("the document is empty; nothing was accepted")
        }
        defer { arrived.removeIfLeft() }
        return try await asFailure { () throws(SimulatorError) in
            try await device.createJob(
                request.simulated(for: device.description), document: arrived.path, format: arrived.format,
                name: document.name)
        }.job(at: device.description)
    }

    /// Takes a job whose document follows.
    package func createJob(_ request: JobRequest) async throws(IPPFailure) -> Job {
        let device = try device(named: request.printer.name)
        return try await asFailure { () throws(SimulatorError) in
            try await device.createJob(request.simulated(for: device.description))
        }.job(at: device.description)
    }

    /// Takes a document of a job; one without data only says that no more comes.
    package func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws(IPPFailure) -> Job {
        let device = try device(named: job.printer)
        guard let document else { return try await close(job, at: device) }
        let key = Arrivals.Key(printer: job.printer, job: job.id)
        arrivals.begin(key)
        defer { arrivals.end(key, at: surroundings.now()) }
        guard let arrived = try await receive(document, at: device) else {
            guard isLast else { throw .badRequest("the document of job \(job.id) is empty") }
            return try await close(job, at: device)
        }
        defer { arrived.removeIfLeft() }
        return try await asFailure { () throws(SimulatorError) in
            try await device.addDocument(
                arrived.path, format: arrived.format, name: document.name, to: job.id, isLast: isLast)
        }.job(at: device.description)
    }

    private func close(_ job: Job, at device: SimulatedPrinter) async throws(IPPFailure) -> Job {
        try await asFailure { () throws(SimulatorError) in
            try await device.closeJob(job.id)
        }.job(at: device.description)
    }

    /// The job of that number at the printer, or at the default one.
    package func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job {
        let device = try device(named: printer)
        return try await found(id, at: device).job(at: device.description)
    }

    private func found(_ id: Int, at device: SimulatedPrinter) async throws(IPPFailure) -> SimulatedJob {
        guard let job = await device.job(id) else {
            throw .notFound("there is no job \(id) at \(device.description.name)")
        }
        return job
    }

    /// Jobs: those that have not ended in the order of printing, those that have newest first.
    package func jobs(_ query: JobQuery) async throws(IPPFailure) -> [Job] {
        let device = try device(named: query.printer)
        var found: [SimulatedJob] = []
        let (which, state): (JobQuery.Which, JobState?) =
            if case .state(let state) = query.which { (state.isTerminal ? .completed : .notCompleted, state) } else {
                (query.which, nil)
            }
        if which != .completed { found += await device.unfinishedJobs }
        if which != .notCompleted { found += await device.endedJobs }
        let wanted = found.lazy.filter { job in
            (state == nil || job.state == state) && (query.owner == nil || job.owner == query.owner)
                && (query.ids?.contains(job.id) ?? true)
        }
        let jobs = wanted.map { $0.job(at: device.description) }.filter { job in
            query.after.map { $0 < JobPlace(job) } ?? true
        }
        return Array(jobs.dropFirst(query.skip).prefix(query.limit ?? .max))
    }

    /// Cancels, holds or releases a job; nothing else can be asked for.
    package func change(_ job: Job, _ event: JobStateMachine.Event) async throws(IPPFailure) {
        let device = try device(named: job.printer)
        try await asFailure { () throws(SimulatorError) in
            switch event {
            case .cancelRequested(let byOperator): try await device.cancelJob(job.id, byOperator: byOperator)
            case .holdRequested(let moment):
                try await device.holdJob(job.id, until: moment.map { .time($0) } ?? .indefinite)
            case .releaseRequested: try await device.releaseJob(job.id)
            default:
                throw SimulatorError(.notPossible, "a printer's jobs can be held, released and canceled, no more")
            }
        }
    }

    /// Changes what a waiting job asks for.
    package func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws(IPPFailure) {
        let device = try device(named: job.printer)
        let before = try await found(job.id, at: device)
        var request = SimulatedJobRequest(
            ticket, received: ticket.attributes, name: name ?? before.name, owner: before.owner,
            for: device.description)
        if case .object(let old) = before.ticket, case .object(let new) = request.ticket {
            let asked = job.ticket.attributes
            let changed = Set(
                ticket.attributes.filter { !asked.contains($0) }.map { $0.name == "media-col" ? "media" : $0.name })
            request.untaken = before.untaken.filter { !changed.contains($0.attribute) }
            request.ticket = .object(old.merging(new) { $1 })
        }
        try await asFailure { () throws(SimulatorError) in try await device.changeJob(job.id, to: request) }
    }

    /// Prints the documents of a job that has ended once more, as a new job.
    package func resubmit(_ job: Job, as request: JobRequest) async throws(IPPFailure) -> Job {
        guard request.resumeFrom == nil else {
            throw IPPFailure(.clientErrorNotPossible, "a printer prints all of a job again, not from a page on")
        }
        let device = try device(named: request.printer.name)
        let (before, source) = (try await found(job.id, at: device), try self.device(named: job.printer))
        guard before.state.isTerminal else {
            throw .notPossible("job \(job.id) is \(job.state): it is still to be printed")
        }
        guard !before.documents.isEmpty else {
            throw .notPossible("job \(job.id) never got a document; there is nothing to print again")
        }
        let paths = before.documents.map { _ in device.nextDocument() }
        defer { for path in paths { unlink(path) } }
        for (document, path) in zip(before.documents, paths) {
            guard link("\(source.outputFolder)/\(before.folder)/\(document.file)", path) == 0 else {
                throw .notFound("a document of job \(job.id) is no longer there")
            }
        }
        return try await asFailure { () throws(SimulatorError) in
            let again = try await device.createJob(request.simulated(for: device.description))
            for (document, path) in zip(before.documents, paths) {
                try await device.addDocument(
                    path, format: document.format, name: document.name, to: again.id, isLast: false)
            }
            return try await device.closeJob(again.id)
        }.job(at: device.description)
    }

    /// Not to be done here: a printer knows no other.
    package func move(_ job: Job, to printer: ServedPrinter) async throws(IPPFailure) { throw Self.unsupported }

    static let unsupported = IPPFailure(
        .serverErrorOperationNotSupported, "a simulated printer cannot do that; look at operations-supported")

    // MARK: - Attributes of our own

    /// All warnings of a job (`job-detailed-status-messages`, RFC 8011 §5.3.10), and where its pages lie.
    package func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute] {
        guard let device = try? device(named: job.printer), let simulated = await device.job(job.id) else { return [] }
        var attributes: [Attribute] = []
        if !simulated.warnings.isEmpty, requested.wants("job-detailed-status-messages", in: ["job-description"]) {
            attributes.append(
                Attribute("job-detailed-status-messages", simulated.warnings.map { .text($0) }))
        }
        if simulated.rollCut != .never, requested.wants("finishings", in: ["job-template"]) {
            attributes.append(Attribute("finishings", .enumeration(simulated.rollCut.finishing)))
        }
        if case .object(let ticket) = simulated.ticket, ticket["output-bin"] != nil,
            requested.wants("output-bin", in: ["job-template"])
        {
            attributes.append(Attribute("output-bin", .keyword(simulated.outputBin)))
        }
        if requested.names("printq-output-folder") {
            attributes.append(
                Attribute("printq-output-folder", .text("\(device.outputFolder)/\(simulated.folder)")))
        }
        return attributes
    }

    /// None.
    package func serverAttributes(requested: RequestedAttributes) async -> [Attribute] { [] }
}

/// Runs what a simulated printer may refuse, with its errors as IPP failures.
func asFailure<Result>(_ body: () async throws(SimulatorError) -> Result) async throws(IPPFailure) -> Result {
    do throws(SimulatorError) {
        return try await body()
    } catch {
        throw IPPFailure(error)
    }
}

extension IPPFailure {
    /// What a printer's refusal means to a client.
    init(_ error: SimulatorError) {
        let status: Status =
            switch error.code {
            case .noSuchJob, .noSuchPart: .clientErrorNotFound
            case .notPossible: .clientErrorNotPossible
            case .unsupportedFormat: .clientErrorDocumentFormatNotSupported
            case .tooManyDocuments: .serverErrorTooManyDocuments
            case .fileSystem, .noSpace: .serverErrorTemporaryError
            case .badDescription: .serverErrorInternalError
            case .badFault: .clientErrorBadRequest
            }
        self.init(status, error.message)
    }
}
