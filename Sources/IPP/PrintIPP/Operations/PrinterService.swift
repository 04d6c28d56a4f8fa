// The interface of services behind IPP printers, such as the spool and simulated printers.

public import IPP
public import PrintModel

/// A service behind IPP printers: it accepts jobs, stores them and returns them, in the types of the model.
///
/// `PrinterOperations` implements IPP and calls this service. The spool (`PrintServer`) and the simulated printers
/// (`SimulatorServer`) implement the service. `PrinterOperations` converts each thrown error to the status of the
/// response.
public protocol PrinterService: Sendable {
    /// The supported operations (`operations-supported`).
    var operations: [Operation] { get }

    /// The supported job options (`PrintOption.name`).
    var options: Set<String> { get }

    /// Returns all printers, the default printer first.
    func printers() async throws(IPPFailure) -> [ServedPrinter]

    /// Returns the printer with the given name, or the default printer for `nil`.
    func printer(named name: String?) async throws(IPPFailure) -> ServedPrinter

    /// Returns the printer with the given name, or the default printer, with the properties that a new job needs:
    /// whether it accepts jobs, its capabilities and its formats.
    ///
    /// The status can be outdated and the number of jobs can be missing. A new job therefore does not wait for the
    /// printer or for earlier jobs.
    func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter

    /// Accepts a job with its only document.
    ///
    /// Returns when the job is stored. Used for Print-Job.
    func printJob(_ request: JobRequest, document: DocumentRequest) async throws(IPPFailure) -> Job

    /// Accepts a job whose documents follow (Create-Job).
    func createJob(_ request: JobRequest) async throws(IPPFailure) -> Job

    /// Accepts a document of a job, or closes the job if `document` is `nil` (Send-Document, Close-Job).
    func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws(IPPFailure) -> Job

    /// Records that a document of a job was rejected for its format and not stored.
    func noteRefusedDocument(of job: Job)

    /// Returns the job with the given number.
    ///
    /// `printer` is `nil` if the request names no printer.
    func job(_ id: Int, printer: String?) async throws(IPPFailure) -> Job

    /// Returns the jobs of a list, in order.
    func jobs(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> [Job]

    /// Returns the jobs of a list page by page, so that a long list requires little memory.
    func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobPages

    /// Returns the number of jobs that a filter matches; nil if counting takes long.
    func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int?

    /// Creates a new job with the documents of an ended job (Resubmit-Job).
    func resubmit(_ job: Job, as request: JobRequest) async throws(IPPFailure) -> Job

    /// Moves a waiting job to another printer (CUPS-Move-Job).
    func move(_ job: Job, to printer: ServedPrinter) async throws(IPPFailure)

    /// Applies a requested event to a job: hold, release, cancel or resume.
    func change(_ job: Job, _ event: JobStateMachine.Event) async throws(IPPFailure)

    /// Changes the options of a waiting job (Set-Job-Attributes).
    func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws(IPPFailure)

    /// Pauses a printer with an optional reason, or resumes it (Pause-Printer, Resume-Printer).
    func setPaused(_ isPaused: Bool, message: String, printer: String) async throws(IPPFailure)

    /// Makes a printer the default printer (CUPS-Set-Default).
    func setDefault(printer: String) async throws(IPPFailure)

    /// Changes a printer completely or not at all.
    ///
    /// Creates the printer if it does not exist and the change has a device URI (CUPS-Add-Modify-Printer).
    func addOrModify(printer: String, change: PrinterChange) async throws(IPPFailure)

    /// Queries the device of a printer before a change (`printq-check` of CUPS-Add-Modify-Printer).
    ///
    /// - Throws: `BackendError` if the device does not respond or is not a printer.
    func look(at printer: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus)

    /// Removes a printer.
    ///
    /// Its job history remains (CUPS-Delete-Printer).
    func remove(printer: String, jobs: RemovedPrinterJobs) async throws(IPPFailure)

    /// Searches for devices that can be added (CUPS-Get-Devices).
    func devices(within time: Duration) async throws(IPPFailure) -> DeviceSearch

    /// Returns the accounting entries of ended jobs (Get-Accounting).
    func accounting(_ query: AccountingQuery) async throws(IPPFailure) -> [AccountingEntry]

    /// Makes a printer accept or reject new jobs (Enable-Printer, Disable-Printer).
    func setAccepting(_ isAccepting: Bool, printer: String) async throws(IPPFailure)

    /// The settable attributes of a printer (`printer-settable-attributes-supported`) with their supported values, in
    /// the form of Get-Printer-Supported-Values (RFC 3380 §4.3).
    var settableAttributes: [Attribute] { get }

    /// Sets all given attributes of a printer, or none of them (Set-Printer-Attributes).
    func setAttributes(_ attributes: [Attribute], printer: String) async throws(IPPFailure)

    /// Deletes the ended jobs of a printer and an owner (Purge-Jobs).
    ///
    /// `nil` means all printers or all owners.
    func forgetEndedJobs(printer: String?, owner: String?) async throws(IPPFailure)

    /// Makes the printer identify itself to people (Identify-Printer).
    func identify(printer: String, actions: [String], message: String?) async throws(IPPFailure)

    /// Returns the requested job attributes that only this service can provide.
    func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute]

    /// Returns the server attributes that are requested by name.
    ///
    /// Only proven users receive these attributes.
    func serverAttributes(requested: RequestedAttributes) async -> [Attribute]
}

extension PrinterService {
    /// Returns the printer with all its properties.
    public func destination(named name: String?) async throws(IPPFailure) -> ServedPrinter {
        try await printer(named: name)
    }

    /// Returns all jobs of a list as one page.
    public func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobPages {
        JobPages(try await jobs(filter, in: range))
    }

    /// Does nothing.
    ///
    /// Jobs whose only document was rejected remain unchanged.
    public func noteRefusedDocument(of job: Job) {}

    /// Returns nil, because this service does not count jobs.
    public func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int? { nil }
}
