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

    /// Notes that a document of a job was refused for its format, of which nothing was kept.
    func noteRefusedDocument(of job: Job)

    /// The job of that number; `printer` is nil when the request names none.
    func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job

    /// Returns the jobs of a list, in order.
    func jobs(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> [Job]

    /// Returns the jobs of a list page by page, so that a long list requires little memory.
    func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobPages

    /// Returns the number of jobs that a filter matches; nil if counting takes long.
    func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int?

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
    func remove(printer: String, jobs: RemovedPrinterJobs) async throws(IPPFailure)

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

    /// Forgets the jobs of a printer and an owner that have ended; nil means all printers, all owners (Purge-Jobs).
    func forgetEndedJobs(printer: String?, owner: String?) async throws(IPPFailure)

    /// Lets people find the printer (Identify-Printer).
    func identify(printer: String, actions: [String], message: String?) async throws(IPPFailure)

    /// Attributes of a job that only this service knows, of those that are asked for.
    func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute]

    /// Attributes of the server itself, of those that are asked for by name; only users whose name is proven are told them.
    func serverAttributes(requested: RequestedAttributes) async -> [Attribute]
}

extension PrinterService {
    /// The printer as it is shown to everyone.
    public func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        try await printer(named: name)
    }

    /// Returns all jobs of a list as one page.
    public func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobPages {
        JobPages(try await jobs(filter, in: range))
    }

    /// Jobs without documents stay as they are.
    public func noteRefusedDocument(of job: Job) {}

    /// Returns nil: the number is not known.
    public func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int? { nil }
}
