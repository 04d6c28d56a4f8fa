// A printer service that records its calls, and helpers to send requests.

import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import Synchronization

/// A printer service with printers and jobs that a test defines.
///
/// The service records its calls.
final class ScriptedService: PrinterService {
    struct Record {
        var filters: [JobFilter] = []
        var requests: [JobRequest] = []
        var documents: [DocumentRequest?] = []
        var events: [(job: Int, event: JobStateMachine.Event)] = []
        var tickets: [(ticket: JobTicket, name: String?)] = []
        var moves: [(job: Int, printer: String)] = []
        var reprints: [(job: Int, request: JobRequest)] = []
        var paused: [Bool] = []
        var defaults: [String] = []
        var identified: [[String]] = []
    }

    let operations: [Operation]
    let options: Set<String>
    let shown: [ServedPrinter]
    let known: [Job]
    /// The number of jobs per page of a list.
    let pageSize: Int
    let longestDocumentPassword: Int
    let record = Mutex(Record())

    init(
        printers: [ServedPrinter] = [.office()], jobs: [Job] = [], operations: [Operation] = ScriptedService.everything,
        options: Set<String> = Set(PrintOption.all.map(\.name)), pageSize: Int = .max,
        longestDocumentPassword: Int = 127
    ) {
        self.longestDocumentPassword = longestDocumentPassword
        (shown, known, self.operations, self.options, self.pageSize) = (printers, jobs, operations, options, pageSize)
    }

    static let everything: [Operation] = [
        .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
        .holdJob, .releaseJob, .resumeJob, .restartJob, .resubmitJob, .cupsMoveJob, .setJobAttributes,
        .getJobAttributes, .getJobs, .getPrinterAttributes, .pausePrinter,
        .resumePrinter, .identifyPrinter, .cupsGetDefault, .cupsSetDefault, .cupsGetPrinters, .cupsGetClasses,
    ]

    func printers() async throws(IPPFailure) -> [ServedPrinter] { shown }

    func printer(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        guard let printer = shown.first(where: { name == nil || $0.name == name }) else {
            throw .notFound("there is no printer '\(name ?? "")'")
        }
        return printer
    }

    func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job {
        record.withLock {
            $0.requests.append(request)
            $0.documents.append(document)
        }
        return .sample(id: 41, owner: request.requester.name, ticket: request.ticket)
    }

    func createJob(_ request: JobRequest) async throws(IPPFailure) -> Job {
        record.withLock { $0.requests.append(request) }
        return .sample(id: 42, owner: request.requester.name, ticket: request.ticket)
    }

    func sendDocument(_ document: DocumentRequest?, to job: Job, isLast: Bool) async throws(IPPFailure) -> Job {
        record.withLock { $0.documents.append(document) }
        return job
    }

    func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job {
        guard let job = known.first(where: { $0.id == id && (printer == nil || $0.printer == printer) }) else {
            throw .notFound("there is no job \(id)")
        }
        return job
    }

    func jobs(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> [Job] {
        record.withLock { $0.filters.append(filter) }
        let fitting = known.filter { job in
            filter.which.contains(job.state) && (filter.owner ?? job.owner) == job.owner
                && filter.ids?.contains(job.id) != false
        }
        return range.jobs(of: fitting)
    }

    func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobListParts {
        let rest = Mutex(try await jobs(filter, in: range)[...])
        return JobListParts { [pageSize] () async throws(IPPFailure) in
            rest.withLock { rest in
                defer { rest = rest.dropFirst(pageSize) }
                return rest.isEmpty ? nil : Array(rest.prefix(pageSize))
            }
        }
    }

    func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int? {
        try await jobs(filter, in: .all).count
    }

    func resubmit(_ job: Job, as request: JobRequest) async throws(IPPFailure) -> Job {
        record.withLock { $0.reprints.append((job.id, request)) }
        return .sample(id: 43, owner: request.requester.name, ticket: request.ticket)
    }

    func move(_ job: Job, to printer: ServedPrinter) async throws(IPPFailure) {
        try Self.check(.moveRequested(to: printer.name), of: job)
        record.withLock { $0.moves.append((job.id, printer.name)) }
    }

    private static func check(_ event: JobStateMachine.Event, of job: Job) throws(IPPFailure) {
        var machine = JobStateMachine(job: job)
        do throws(JobStateMachine.InvalidTransition) {
            _ = try machine.handle(event, at: 0)
        } catch {
            throw .notPossible(error.description)
        }
    }

    func change(_ job: Job, _ event: JobStateMachine.Event) async throws(IPPFailure) {
        try Self.check(event, of: job)
        record.withLock { $0.events.append((job.id, event)) }
    }

    func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws(IPPFailure) {
        record.withLock { $0.tickets.append((ticket, name)) }
    }

    func setPaused(_ isPaused: Bool, message: String, printer: String) async throws(IPPFailure) {
        record.withLock { $0.paused.append(isPaused) }
    }

    func setDefault(printer: String) async throws(IPPFailure) { record.withLock { $0.defaults.append(printer) } }

    func identify(printer: String, actions: [String], message: String?) async throws(IPPFailure) {
        record.withLock { $0.identified.append(actions) }
    }

    func extraAttributes(of jobs: [Job], requested: RequestedAttributes) async -> [[Attribute]] {
        jobs.map { _ in [] }
    }

    func serverAttributes(requested: RequestedAttributes) async -> [Attribute] { [] }
}

extension ScriptedService {
    /// The requester: root over the Unix socket, a user identified by the kernel over TCP, or an unidentified client.
    enum Who {
        case administrator
        case tcp
        case stranger

        /// Returns the peer that sends a request.
        ///
        /// For `tcp`, the peer belongs to the user that the request names.
        func peer(_ message: Message) -> Peer {
            switch self {
            case .administrator: .unix(uid: 0, gid: 0, pid: 1)
            case .tcp: TestAccounts.shared.peer(message[.operation]?.string("requesting-user-name") ?? "somebody")
            case .stranger: .tcp(address: "127.0.0.1", port: 50_000)
            }
        }
    }

    /// Sends a request for a printer or a job, by default as alice.
    func ask(
        _ operation: Operation, _ uri: String? = "ipp://localhost/printers/office", _ attributes: [Attribute] = [],
        job: [Attribute]? = nil, as user: String? = "alice", over who: Who = .tcp, global: Bool = true
    ) async -> Message {
        var group = AttributeGroup(.operation, .preamble)
        if let uri { group.append(uri.contains("/jobs/") ? "job-uri" : "printer-uri", .uri(uri)) }
        if let user { group.append("requesting-user-name", .name(user)) }
        group.append(contentsOf: attributes)
        let groups = [group] + (job.map { [AttributeGroup(.job, $0)] } ?? [])
        return await answer(Message(operation: operation, requestID: 7, groups: groups), over: who, global: global)
    }

    /// Sends a message without changes and returns the response.
    func answer(_ message: Message, over who: Who = .tcp, global: Bool = true) async -> Message {
        await PrinterOperations(
            self, numbersJobsGlobally: global, isOpen: false, accounts: TestAccounts.shared.accounts
        ) { 1_000_000 }
        .respond(to: IPPRequest(message: message, peer: who.peer(message)))
    }

    /// The numbers of the jobs that were changed, in the order of the changes.
    var changed: [Int] { record.withLock { $0.events.map(\.job) } }
}

extension [Attribute] {
    /// The attributes at the start of every request.
    static var preamble: [Attribute] {
        [
            Attribute("attributes-charset", .charset("utf-8")),
            Attribute("attributes-natural-language", .naturalLanguage("en")),
        ]
    }

    subscript(_ name: String) -> Attribute? { first { $0.name == name } }
}

extension Message {
    /// The status message.
    var statusMessage: String? { self[.operation]?.string("status-message") }

    /// The names of the unsupported attributes.
    var unsupportedNames: [String] { self[.unsupported]?.attributes.map(\.name) ?? [] }
}

extension Job {
    static func sample(
        id: Int = 1, owner: String = "alice", state: JobState = .pending, reasons: [JobStateReason] = [],
        ticket: JobTicket = JobTicket()
    ) -> Job {
        Job(
            id: id, uuid: "urn:uuid:0", printer: "office", owner: owner, name: "Report", state: state,
            reasons: reasons, ticket: ticket, createdAt: 1000)
    }
}

extension PrinterCapabilities {
    /// A color printer with most capabilities.
    ///
    /// A4 is listed twice, once borderless.
    static let sample = PrinterCapabilities(
        makeAndModel: "Example Colour",
        papers: [
            PrintPaper(media: .a4, margins: .all(.millimeters(4.23))), PrintPaper(media: .a4),
            PrintPaper(media: .photo4x6, type: "photographic-glossy"),
            PrintPaper(media: .letter, margins: .all(.millimeters(4.23))),
        ],
        readyPapers: [PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))], defaultMedia: .a4,
        customMedia: MediaRange(
            width: 5_000...21_590, height: 8_900...60_000, margins: .all(.millimeters(3))),
        duplexModes: Duplex.allCases, defaultDuplex: .longEdge, colorModes: ColorMode.allCases,
        qualities: PrintQuality.allCases, resolutions: [300, 600], formats: [.pdf, .octetStream], maxCopies: 99,
        collates: true, pagesPerMinute: 20)
}

extension ServedPrinter {
    static func office(_ capabilities: PrinterCapabilities = .sample, isAccepting: Bool = true) -> ServedPrinter {
        ServedPrinter(
            name: "office", info: "Office", uuid: "urn:uuid:1", isDefault: true,
            status: PrinterStatus(state: .idle, isAccepting: isAccepting), stateChangedAt: 900,
            capabilities: capabilities, formats: [.pdf, .octetStream], queuedJobs: { 0 })
    }
}
