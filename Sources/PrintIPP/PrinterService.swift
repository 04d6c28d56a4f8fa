// The port behind every IPP printer we show: the spool, a simulated printer.

public import IPP
public import PrintModel

/// What stands behind IPP printers: it accepts jobs, keeps them and shows them, in the model's words.
///
/// `PrinterOperations` speaks IPP and asks this; the spool (`PrintServer`) and the simulated printers
/// (`SimulatorServer`) answer. Everything thrown becomes the answer's status.
public protocol PrinterService: Sendable {
    /// The operations that act here (`operations-supported`).
    var operations: [Operation] { get }

    /// The job options that are taken here (`PrintOption.name`).
    var options: Set<String> { get }

    /// Every printer shown, the default one first among equals.
    func printers() async throws(IPPFailure) -> [ServedPrinter]

    /// The printer of that name; nil asks for the default one.
    func printer(named name: String?) async throws(IPPFailure) -> ServedPrinter

    /// The printer of that name, or the default one, as a job for it needs it: whether it takes jobs, what it can do, its
    /// formats.
    ///
    /// Its state may be old and its jobs uncounted: a job to come waits neither for the printer nor for those before it.
    func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter

    /// Takes a job with its only document; when it returns, the job is kept (Print-Job).
    func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job

    /// Takes a job whose documents follow (Create-Job).
    func createJob(_ request: JobRequest) async throws(IPPFailure) -> Job

    /// Takes a document of a job; nil closes the job without another one (Send-Document, Close-Job).
    func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws(IPPFailure) -> Job

    /// The job of that number; `printer` is nil when the request names none.
    func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job

    /// Jobs, in the order they are shown.
    func jobs(_ query: JobQuery) async throws(IPPFailure) -> [Job]

    /// The same jobs page by page; a service that may have very many does not gather them first.
    func listing(_ query: JobQuery) async throws(IPPFailure) -> JobPages

    /// How many jobs there are for a query without its bounds; nil when that takes long to find out.
    func countJobs(_ query: JobQuery) async throws(IPPFailure) -> Int?

    /// Makes a new job of the documents of one that has ended (Resubmit-Job).
    func resubmit(_ job: Job, as request: JobRequest) async throws(IPPFailure) -> Job

    /// Moves a waiting job to another printer (CUPS-Move-Job).
    func move(_ job: Job, to printer: ServedPrinter) async throws(IPPFailure)

    /// Lets something happen to a job that people may ask for: hold, release, cancel, resume.
    func change(_ job: Job, _ event: JobStateMachine.Event) async throws(IPPFailure)

    /// Changes what a waiting job asks for (Set-Job-Attributes).
    func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws(IPPFailure)

    /// Pauses a printer, with a reason in words or none, or resumes it (Pause-Printer, Resume-Printer).
    func setPaused(_ isPaused: Bool, message: String, printer: String) async throws(IPPFailure)

    /// Makes a printer the default one (CUPS-Set-Default).
    func setDefault(printer: String) async throws(IPPFailure)

    /// Changes a printer, all or nothing; one that does not exist is made when the change says where it is
    /// (CUPS-Add-Modify-Printer).
    func addOrModify(printer: String, change: PrinterChange) async throws(IPPFailure)

    /// Asks the device that a printer is to have, before anything is changed (`printq-check` of CUPS-Add-Modify-Printer).
    ///
    /// - Throws: `BackendError` when it does not answer, or not as a printer.
    func look(at printer: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus)

    /// Removes a printer; what it has printed stays known (CUPS-Delete-Printer).
    func remove(printer: String, jobs: LeftJobs) async throws(IPPFailure)

    /// Looks for devices that could be added (CUPS-Get-Devices).
    func devices(within time: Duration) async throws(IPPFailure) -> DeviceSearch

    /// What jobs have cost that have ended (Get-Accounting).
    func accounting(_ query: AccountingQuery) async throws(IPPFailure) -> [AccountingEntry]

    /// Has a printer take new jobs, or none (Enable-Printer, Disable-Printer).
    func setAccepting(_ isAccepting: Bool, printer: String) async throws(IPPFailure)

    /// The attributes of a printer that can be set (`printer-settable-attributes-supported`), with what they can be set
    /// to, as Get-Printer-Supported-Values says it (RFC 3380 §4.3).
    var settableAttributes: [Attribute] { get }

    /// Sets attributes of a printer, of those that can be set; all or none (Set-Printer-Attributes).
    func setAttributes(_ attributes: [Attribute], printer: String) async throws(IPPFailure)

    /// Forgets the jobs of a printer that have ended; nil means all printers (Purge-Jobs).
    func forgetEndedJobs(printer: String?) async throws(IPPFailure)

    /// Lets people find the printer (Identify-Printer).
    func identify(printer: String, actions: [String], message: String?) async throws(IPPFailure)

    /// Attributes of a job that only this service knows, of those that are asked for.
    func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute]

    /// Attributes of the server itself, of those that are asked for by name.
    func serverAttributes(requested: RequestedAttributes) async -> [Attribute]
}

extension PrinterService {
    /// The printer as it is shown to everyone.
    public func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        try await printer(named: name)
    }

    /// All jobs as one page.
    public func listing(_ query: JobQuery) async throws(IPPFailure) -> JobPages { JobPages(try await jobs(query)) }

    /// Nobody knows.
    public func countJobs(_ query: JobQuery) async throws(IPPFailure) -> Int? { nil }
}

/// A printer as it is shown over IPP at one moment.
public struct ServedPrinter: Sendable {
    /// The printer's name, the last part of its URI.
    public var name: String
    /// What people call it.
    public var info: String
    /// Where it stands; empty when nobody has said.
    public var location: String
    /// Its universal name, `urn:uuid:…`.
    public var uuid: String
    /// Where jobs go from here; nil at the printer itself.
    public var deviceURI: String?
    /// Whether it is the one for jobs that name none.
    public var isDefault: Bool
    /// How it is.
    public var status: PrinterStatus
    /// When it came into that state.
    public var stateChangedAt: UnixTime
    /// What it can do.
    public var capabilities: PrinterCapabilities
    /// The formats that are taken, the default first.
    public var formats: [DocumentFormat]
    /// Who may print on it.
    public var users: PrinterUsers = .everybody
    /// Counts the jobs that wait or print; only called when somebody wants to know.
    public var queuedJobs: @Sendable () async -> Int
    /// What its jobs ask for that do not say.
    public var defaultTicket = JobTicket()
    /// Attributes beyond these.
    public var extra: [Attribute]
    /// Those of them that are otherwise for documents of a format (`document-format` in Get-Printer-Attributes).
    public var attributes: @Sendable (DocumentFormat) -> [Attribute] = { _ in [] }
    /// Whether the server has pages about it for people, and pictures of it.
    public var hasWebPages: Bool

    /// A printer to show.
    public init(
        name: String, info: String, location: String = "", uuid: String, deviceURI: String? = nil,
        isDefault: Bool = false, status: PrinterStatus, stateChangedAt: UnixTime, capabilities: PrinterCapabilities,
        formats: [DocumentFormat],
        queuedJobs: @escaping @Sendable () async -> Int, extra: [Attribute] = [],
        hasWebPages: Bool = false
    ) {
        self.name = name
        self.info = info
        self.location = location
        self.uuid = uuid
        self.deviceURI = deviceURI
        self.isDefault = isDefault
        self.status = status
        self.stateChangedAt = stateChangedAt
        self.capabilities = capabilities
        self.formats = formats
        self.queuedJobs = queuedJobs
        self.extra = extra
        self.hasWebPages = hasWebPages
    }

    /// The printer as it is to documents of a format.
    func shown(for format: DocumentFormat) -> ServedPrinter {
        let own = attributes(format)
        var printer = self
        printer.extra = extra.filter { attribute in !own.contains { $0.name == attribute.name } } + own
        return printer
    }

    /// Whether an attribute asks for finishings that the printer says it has; what they are, its service knows.
    func finishes(_ attribute: Attribute) -> Bool { attribute.name == "finishings" && offers(attribute) == true }

    /// Whether an attribute asks for what the printer itself says it has; nil when it says nothing of it.
    func offers(_ attribute: Attribute) -> Bool? {
        let own = extra.first { $0.name == "\(attribute.name)-supported" }
        return own.map { own in attribute.values.allSatisfy(own.values.contains) }
    }

    /// The attributes of a job whose values must be among those that the printer itself says.
    static let checkedAttributes: Set = [
        "output-bin", "print-content-optimize", "print-rendering-intent", "print-scaling", "printer-resolution",
    ]

    /// The attributes of a job that only the printer itself knows.
    static let ownAttributes = ["finishings", "output-bin"]
}

/// A job as it is asked for.
public struct JobRequest: Sendable {
    /// The printer.
    public var printer: ServedPrinter
    /// Who asks.
    public var requester: Requester
    /// The job's name.
    public var name: String
    /// The options, those that cannot be taken left out.
    public var ticket: JobTicket
    /// The job attributes as they came.
    public var received: [Attribute]
    /// What of it is not done as it was asked for, as the client is told too; none when it could all be taken.
    public var substitutions: [Substitution] = []
    /// What the sender calls the submission (`printq-submission-id`).
    public var submissionID: String?
    /// The side to begin with, when the job goes on from another one (`printq-resume-from`); nil for all of it.
    public var resumeFrom: Int?
    /// Whether the client wants all of it or nothing (`ipp-attribute-fidelity`).
    public var insistsOnAll = false
}

/// An attribute of a job that is not done as it was asked for (RFC 8011 §4.1.7).
public struct Substitution: Hashable, Sendable {
    /// The attribute's name.
    public var attribute: String
    /// Why, in a sentence.
    public var problem: String
}

/// A document as it comes.
public struct DocumentRequest: Sendable {
    /// Its data; single pass.
    public var stream: DocumentStream
    /// What it is said to be; `application/octet-stream` must be found out.
    public var format: DocumentFormat
    /// Its name, often the file's.
    public var name: String?
}

/// Which jobs are asked for.
public struct JobQuery: Sendable {
    /// The printer; nil for all.
    public var printer: String?
    /// The owner; nil for all.
    public var owner: String?
    /// In which part of their life.
    public var which: Which
    /// The numbers; nil for any.
    public var ids: [Int]?
    /// Those that stand after a place (`printq-after`); nil begins at the start.
    public var after: JobPlace?
    /// At most so many; nil for all.
    public var limit: Int?
    /// How many to pass over first.
    public var skip: Int

    /// Parts of a job's life (`which-jobs`, RFC 8011 §4.2.6.1, PWG 5100.11 §5.5).
    public enum Which: Hashable, Sendable {
        /// Those that have not ended.
        case notCompleted
        /// Those that have ended.
        case completed
        /// All.
        case all
        /// Those in one state.
        case state(JobState)
    }

    /// A query.
    public init(
        printer: String? = nil, owner: String? = nil, which: Which = .notCompleted, ids: [Int]? = nil,
        after: JobPlace? = nil, limit: Int? = nil, skip: Int = 0
    ) {
        self.printer = printer
        self.owner = owner
        self.which = which
        self.ids = ids
        self.after = after
        self.limit = limit
        self.skip = skip
    }
}
