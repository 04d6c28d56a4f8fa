// An in-memory print queue for tests of printq. The test scripts the printer.

import IPP
import PrintIPP
import PrintModel
import Synchronization

/// A queue with two printers.
///
/// Each time a client reads a job, the job takes the next step of the script.
actor FakeQueue: PrinterService {
    /// A change of a job between two reads.
    typealias Step = @Sendable (inout Job) -> Void

    nonisolated let operations: [IPP.Operation] = [
        .printJob, .validateJob, .createJob, .sendDocument, .getJobs, .getJobAttributes, .cancelJob, .cancelMyJobs,
        .holdJob,
        .releaseJob, .resumeJob, .restartJob, .resubmitJob, .cupsMoveJob, .setJobAttributes, .getPrinterAttributes,
        .pausePrinter, .resumePrinter, .cupsGetDefault,
        .cupsSetDefault, .cupsGetPrinters,
    ]
    nonisolated let options = Set(PrintOption.all.map(\.name))

    private(set) var jobs: [Job] = []
    /// The bytes of all documents, in the order of arrival.
    private(set) var documents: [[UInt8]] = []
    private(set) var requests: [JobRequest] = []
    private var script: [Step]
    private var paused: Set<String> = []
    private var chosen = "color-laser"
    /// The error for the next document.
    private var refusal: IPPFailure?
    private let outputFolder: String?
    private let doctor: [String]

    init(script: [Step] = [], outputFolder: String? = nil, doctor: [String] = ["ok: all is well"]) {
        self.script = script
        self.outputFolder = outputFolder
        self.doctor = doctor
    }

    /// The number of times that a client has asked for the printers.
    private(set) var printerLists = 0
    /// The number of times that a client has asked for one printer.
    private(set) var printerLookUps = 0
    /// The number of times that a client has asked for jobs.
    private(set) var jobLists = 0

    /// The numbers of the jobs in each request that changed several jobs.
    private(set) var changedTogether: [[Int]] = []

    func add(_ job: Job) { jobs.append(job) }
    func refuseDocuments(_ failure: IPPFailure) { refusal = failure }

    func printers() -> [ServedPrinter] {
        printerLists += 1
        return known
    }

    private var known: [ServedPrinter] {
        [
            printer("color-laser", device: "printsim:color-laser"),
            printer("office", device: "ipp://printer.local/ipp/print"),
        ]
    }

    func printer(named name: String?) throws(IPPFailure) -> ServedPrinter {
        printerLookUps += 1
        guard let printer = known.first(where: { $0.name == name ?? chosen }) else {
            throw .notFound("there is no printer '\(name ?? "")'; see 'printq printers'")
        }
        return printer
    }

    func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job {
        let bytes = try await take(document)
        let job = add(request)
        return update(job.id) {
            $0.documents = [JobDocument(number: 1, name: document.name, format: document.format, bytes: bytes)]
        }
    }

    func createJob(_ request: JobRequest) -> Job {
        update(add(request).id) {
            $0.state = .pendingHeld
            $0.reasons.append(.jobIncoming)
        }
    }

    private func add(_ request: JobRequest) -> Job {
        requests.append(request)
        var job = Job(
            id: jobs.count + 1, uuid: "urn:uuid:0", printer: request.printer.name, owner: request.requester.name,
            name: request.name, ticket: request.ticket, createdAt: 1_700_000_000)
        if let hold = request.ticket.holdUntil {
            (job.state, job.reasons) = (.pendingHeld, [.jobHoldUntilSpecified])
            if case .time(let moment) = hold { job.heldUntil = moment }
        }
        jobs.append(job)
        return job
    }

    func sendDocument(_ document: DocumentRequest?, to job: Job, isLast: Bool) async throws(IPPFailure) -> Job {
        guard let document else { return job }
        let bytes = try await take(document)
        return update(job.id) {
            let number = $0.documents.count + 1
            $0.documents.append(
                JobDocument(number: number, name: document.name, format: document.format, bytes: bytes))
            guard isLast else { return }
            $0.reasons.removeAll { $0 == .jobIncoming }
            if $0.reasons.isEmpty { $0.state = .pending }
        }
    }

    func job(_ id: Int, printer: String?) throws(IPPFailure) -> Job {
        guard jobs.contains(where: { $0.id == id }) else {
            throw .notFound("job \(id) does not exist, or was removed from the history")
        }
        guard !script.isEmpty else { return jobs[id - 1] }
        return update(id, script.removeFirst())
    }

    func jobs(_ filter: JobFilter, in range: JobListRange) -> [Job] {
        jobLists += 1
        let wanted = jobs.filter { filter.which.contains($0.state) }
            .filter { filter.owner == nil || $0.owner == filter.owner }
            .filter { filter.printer == nil || $0.printer == filter.printer }
            .filter { filter.ids?.contains($0.id) != false }
            .sorted { QueuePosition($0) < QueuePosition($1) }
        return range.jobs(of: wanted)
    }

    func countJobs(_ filter: JobFilter) -> Int? {
        filter.which == .notCompleted ? jobs.count { !$0.state.isTerminal } : nil
    }

    func resubmit(_ job: Job, as request: JobRequest) throws(IPPFailure) -> Job {
        guard job.state.isTerminal else { throw .notPossible("job \(job.id) has not ended") }
        return add(request)
    }

    func move(_ job: Job, to printer: ServedPrinter) throws(IPPFailure) {
        guard !job.state.isTerminal else { throw .notPossible("job \(job.id) has already ended") }
        _ = update(job.id) { $0.printer = printer.name }
    }

    func change(_ job: Job, _ event: JobStateMachine.Event) throws(IPPFailure) {
        guard !job.state.isTerminal else { throw .notPossible("job \(job.id) has already ended") }
        _ = update(job.id) {
            switch event {
            case .cancelRequested: $0.state = .canceled
            case .holdRequested(let until):
                ($0.state, $0.reasons, $0.heldUntil) = (.pendingHeld, [.jobHoldUntilSpecified], until)
            case .releaseRequested: ($0.state, $0.reasons, $0.heldUntil) = (.pending, [], nil)
            case .resumeRequested(let side):
                ($0.state, $0.reasons, $0.resumeFrom) = (.pending, [], side ?? $0.impressionsCompleted + 1)
            default: break
            }
        }
    }

    func change(_ changes: [(job: Job, event: JobStateMachine.Event)]) throws(IPPFailure) {
        changedTogether.append(changes.map(\.job.id))
        for (job, event) in changes { try change(job, event) }
    }

    func setTicket(_ ticket: JobTicket, name: String?, of job: Job) { _ = update(job.id) { $0.ticket = ticket } }

    func setPaused(_ isPaused: Bool, message: String, printer: String) {
        if isPaused { paused.insert(printer) } else { paused.remove(printer) }
    }

    func setDefault(printer: String) { chosen = printer }
    func identify(printer: String, actions: [String], message: String?) {}

    func extraAttributes(of jobs: [Job], requested: RequestedAttributes) -> [[Attribute]] {
        jobs.map { extraAttributes(of: $0, requested: requested) }
    }

    private func extraAttributes(of job: Job, requested: RequestedAttributes) -> [Attribute] {
        var attributes: [Attribute] = []
        if requested.names("printq-why"), !job.state.isTerminal {
            attributes.append(Attribute("printq-why", .text("it is the next one for \(job.printer)")))
        }
        if requested.names("printq-output-folder"), job.state == .completed, let outputFolder {
            attributes.append(Attribute("printq-output-folder", .text(outputFolder)))
        }
        if requested.names("printq-resume-from"), let side = job.resumeFrom {
            attributes.append(Attribute("printq-resume-from", .integer(Int32(side))))
        }
        if requested.names("printq-job-events") {
            attributes.append(
                Attribute("printq-job-events", .text("@1700000000 accepted"), .text("@1700000001 printed")))
        }
        if requested.names("printq-timeline") {
            let events = [(1_700_000_000, "job-created", "accepted"), (1_700_000_001, "job-progress", "")].map {
                (time, kind, text) in
                IPP.Collection([
                    Attribute("printer-up-time", .integer(time)), Attribute("notify-subscribed-event", .keyword(kind)),
                    Attribute("notify-text", .text(text)),
                ])
            }
            attributes.append(Attribute("printq-timeline", events.map { .collection($0) }))
        }
        return attributes
    }

    func serverAttributes(requested: RequestedAttributes) -> [Attribute] {
        let state = [
            Attribute("printq-spool", .text("/var/spool/printq")), Attribute("printq-process", .integer(42)),
            Attribute("printq-version", .text("9.8.7")),
            Attribute("printq-listening", .text("/var/spool/printq/printd.sock"), .text("127.0.0.1:8631")),
            Attribute("printq-listening-security", .keyword("none"), .keyword("tls")),
            Attribute("printq-doctor", doctor.map { .text($0) }),
        ]
        return state.filter { requested.names($0.name) }
    }

    private func update(_ id: Int, _ change: (inout Job) -> Void) -> Job {
        change(&jobs[id - 1])
        return jobs[id - 1]
    }

    private func take(_ document: DocumentRequest) async throws(IPPFailure) -> Int {
        do throws(DocumentStreamError) {
            documents.append(try await document.stream.collect(upTo: 64 << 20))
        } catch {
            throw IPPFailure(.clientErrorDocumentAccessError, error.message)
        }
        if let refusal { throw refusal }
        return documents[documents.count - 1].count
    }

    private func printer(_ name: String, device: String) -> ServedPrinter {
        let margins = Margins.all(.millimeters(4))
        let capabilities = PrinterCapabilities(
            makeAndModel: "Test Laser",
            papers: [PrintPaper(media: .a4, margins: margins), PrintPaper(media: .letter, margins: margins)],
            readyPapers: [PrintPaper(media: .a4, margins: margins)], defaultMedia: .a4,
            duplexModes: [.none, .longEdge], colorModes: [.auto, .color, .monochrome], formats: [.pdf], maxCopies: 99)
        let isPaused = paused.contains(name)
        let status = PrinterStatus(state: isPaused ? .stopped : .idle, reasons: isPaused ? ["paused"] : [])
        return ServedPrinter(
            name: name, info: "A laser", uuid: "urn:uuid:1", deviceURI: device, isDefault: name == chosen,
            status: status, stateChangedAt: 0, capabilities: capabilities, formats: [.pdf, .jpeg],
            queuedJobs: { [jobs] in jobs.count { $0.printer == name && !$0.state.isTerminal } })
    }
}

/// An event log that adds a new event of job 1 each time a client waits for events.
final class EagerLog: EventSource {
    private let newest = Mutex(0)

    func latestEvent() -> Int { newest.withLock { $0 } }

    func events(after number: Int, limit: Int) -> EventPage {
        EventPage(
            (number..<max(number, latestEvent())).prefix(limit).map {
                JobEvent(
                    sequence: $0 + 1, jobID: 1, printer: "color-laser", time: 1_700_000_000, kind: "job-progress",
                    state: .processing, message: "")
            })
    }

    func eventChanges() -> AsyncStream<Void> {
        newest.withLock { $0 += 1 }
        return AsyncStream { _ in }
    }
}
