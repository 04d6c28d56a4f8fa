// The interface of services behind IPP printers, such as the spool and simulated printers.

public import IPP
public import PrintModel

/// A service behind IPP printers that accepts, stores and returns jobs.
///
/// The service uses the types of the module `PrintModel`.
///
/// `PrinterOperations` implements IPP and calls this service. The spool (`PrintServer`) and the simulated printers
/// (`SimulatorServer`) implement the service. `PrinterOperations` converts each thrown error to the status of the
/// response.
public protocol PrinterService: Sendable {
    /// The supported operations (`operations-supported`).
    var operations: [Operation] { get }

    /// The supported job options (`PrintOption.name`).
    var options: Set<String> { get }

    /// The maximum length of a document's password in bytes (`document-password-supported`); 0 if the service keeps no
    /// passwords.
    var longestDocumentPassword: Int { get }

    /// The maximum number of digits of a job's password (`job-password-supported`); 0 if the service stores no
    /// passwords of jobs.
    var longestJobPassword: Int { get }

    /// Returns all printers, the default printer first.
    func printers() async throws -> [ServedPrinter]

    /// Returns whether a printer exists, without a request to a device.
    func hasPrinter(named name: String) async throws -> Bool

    /// Returns the printer with the given name, or the default printer for `nil`.
    func printer(named name: String?) async throws -> ServedPrinter

    /// Returns the printer with the given name, or the default printer for `nil`.
    ///
    /// The result has the properties that a new job needs: whether the printer accepts jobs, its capabilities and its
    /// formats.
    ///
    /// The status can be outdated, and the number of jobs can be missing. Therefore the service can accept a new job
    /// without waiting for the printer or for earlier jobs.
    ///
    /// - Parameter waits: Whether the service may wait a short time for a printer whose capabilities are unknown.
    func destination(named name: String?, waits: Bool) async throws -> ServedPrinter

    /// Returns the policies by the names of their printers, without printers for which nothing is set.
    func policies() async throws -> [String: PrinterPolicy]

    /// Accepts a job with its only document (Print-Job, Print-URI).
    ///
    /// The method returns after the job is stored.
    func printJob(_ request: JobRequest, document: DocumentRequest) async throws -> Job

    /// Accepts a job whose documents arrive in later requests (Create-Job).
    func createJob(_ request: JobRequest) async throws -> Job

    /// Accepts a document of a job, or closes the job if `document` is `nil` (Send-Document, Send-URI, Close-Job).
    func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws -> Job

    /// Records that a document of a job was rejected, because the document has an unsupported format.
    ///
    /// The document is not stored.
    func noteRefusedDocument(of job: Job)

    /// `printer` is `nil` if the request contains no printer.
    func job(_ id: Int, printer: String?) async throws -> Job

    func jobs(_ filter: JobFilter, in range: JobListRange) async throws -> [Job]

    /// Returns a list of jobs that is read in parts, so that a long list requires little memory.
    func listing(_ filter: JobFilter, in range: JobListRange) async throws -> JobListParts

    /// Returns the number of jobs that a filter matches; `nil` if the service does not count jobs, or if counting takes
    /// too long.
    func countJobs(_ filter: JobFilter) async throws -> Int?

    /// Returns the number of matching jobs in each category, such as held jobs, or `nil` if the service does not count
    /// jobs.
    func jobCounts(_ filter: JobFilter) async throws -> JobCounts?

    /// Returns, for each of the given waiting jobs, how many other jobs the printer prints first.
    ///
    /// The keys of the result are the job numbers.
    func jobsBefore(_ jobs: [Job]) async throws -> [Int: Int]

    /// Whether users take turns, so that jobs are not printed in the order of the job list.
    var takesTurns: Bool { get }

    func troubledPrinters() async throws -> Set<String>

    /// Creates a new job with the documents of an ended job (Resubmit-Job).
    func resubmit(_ job: Job, as request: JobRequest) async throws -> Job

    /// Moves a waiting job to another printer (CUPS-Move-Job).
    func move(_ job: Job, to printer: ServedPrinter) async throws

    /// Applies a requested event to a job: hold, release, cancel or resume.
    func change(_ job: Job, _ event: JobStateMachine.Event) async throws

    /// Releases a job with its password (Release-Job with `job-password`).
    func release(_ job: Job, with password: JobPassword) async throws

    /// Releases all jobs of a printer that wait for a password, and returns their number.
    func releaseJobs(of printer: String, with password: JobPassword) async throws -> Int

    /// Applies a requested event to each of several jobs.
    ///
    /// A job whose state does not allow its event remains unchanged.
    func change(_ changes: [(job: Job, event: JobStateMachine.Event)]) async throws

    /// Moves several jobs to another printer.
    ///
    /// A job that cannot be moved remains unchanged.
    func move(_ jobs: [Job], to printer: ServedPrinter) async throws

    /// Changes the options of a waiting job (Set-Job-Attributes).
    func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws

    /// Pauses a printer with an optional reason, or resumes the printer (Pause-Printer, Resume-Printer).
    func setPaused(_ isPaused: Bool, message: String, printer: String) async throws

    /// Makes a printer the default printer (CUPS-Set-Default).
    func setDefault(printer: String) async throws

    /// Applies all changes to a printer or no change (CUPS-Add-Modify-Printer).
    ///
    /// If the printer does not exist and the change has a device URI, the method creates the printer.
    func addOrModify(printer: String, change: PrinterChange) async throws

    /// Queries the device of a printer before a change (`printq-check` of CUPS-Add-Modify-Printer).
    ///
    /// - Throws: `BackendError` if the device does not respond or is not a printer.
    func look(at printer: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus)

    /// Removes a printer.
    ///
    /// The job history of the printer remains (CUPS-Delete-Printer).
    func remove(printer: String, jobs: RemovedPrinterJobs) async throws

    /// Searches for devices that can be added (CUPS-Get-Devices).
    func devices(within time: Duration) async throws -> DeviceSearch

    /// Returns the accounting entries of ended jobs (Get-Accounting).
    func accounting(_ query: AccountingQuery) async throws -> [AccountingEntry]

    /// Reloads the configuration (Reload-Configuration).
    ///
    /// - Returns: The result as attributes: `printq-changed-settings` and `printq-settings-after-restart`.
    /// - Throws: `IPPFailure` with the problems of the configuration. The old settings then stay in effect.
    func reloadConfiguration() async throws -> [Attribute]

    /// Returns the hosts that share the queue, and the hosts of all printers (Get-Hosts).
    func hostList() async throws -> HostList

    /// Changes a host, or the hosts of a printer (Change-Hosts).
    func changeHosts(_ change: HostChange) async throws

    /// Returns whether a client on the network with the given numeric address can use the printers that admit clients
    /// without credentials (`ServedPrinter.admitsAnonymous`).
    func admitsAnonymous(from address: String) -> Bool

    /// Returns the token or the user that credentials prove, and records the use of the token; `nil` if the credentials
    /// are wrong or have expired.
    ///
    /// - Parameter address: The address of a client on the network; `nil` for a client on this machine, whose passwords
    ///   are not checked, because the kernel identifies its user.
    /// - Throws: `TooManyLogins` if the credentials were not checked.
    func authenticate(_ credentials: Credentials, from address: String?) async throws -> NetworkIdentity?

    /// Adds an entry to the audit log.
    func record(_ entry: AuditEntry)

    /// Returns the newest selected entries of the audit log, oldest first.
    func audit(_ query: AuditQuery) async throws -> [AuditEntry]

    /// Returns the tokens of all users, in the order of their names.
    func tokens() async throws -> [AccessToken]

    /// Changes the tokens, and returns the secret of a new token.
    func changeTokens(_ change: TokenChange) async throws -> String?

    /// Returns the users on the network, in the order of their names.
    func users() async throws -> [NetworkUser]

    /// Changes the users on the network.
    func changeUsers(_ change: UserChange) async throws

    /// Returns all quotas.
    func quotas() async throws -> [Quota]

    /// Returns what a user has used of each quota in the current period, and the quotas that limit each job.
    ///
    /// - Parameter groups: A function that returns which of the given groups contain the user.
    func quotaStandings(
        of user: String, groups: @escaping @Sendable ([String]) async throws -> Set<String>
    ) async throws -> (standings: [QuotaStanding], perJob: [Quota])

    /// Changes the quotas, or what a user has used.
    func changeQuotas(_ change: QuotaChange) async throws

    /// Sets whether a printer accepts or rejects new jobs (Enable-Printer, Disable-Printer).
    func setAccepting(_ isAccepting: Bool, printer: String) async throws

    /// The settable attributes of a printer (`printer-settable-attributes-supported`) with their supported values, in
    /// the form of Get-Printer-Supported-Values (RFC 3380 §4.3).
    var settableAttributes: [Attribute] { get }

    /// Sets all given attributes of a printer, or no attribute (Set-Printer-Attributes).
    func setAttributes(_ attributes: [Attribute], printer: String) async throws

    /// Deletes the ended jobs of one owner on one printer (Purge-Jobs).
    ///
    /// `nil` means all printers or all owners.
    func forgetEndedJobs(printer: String?, owner: String?) async throws

    /// Requests that the printer identify itself to people, for example by a sound (Identify-Printer).
    func identify(printer: String, actions: [String], message: String?) async throws

    /// Returns, for each of the given jobs, the requested attributes that only this service can provide.
    func extraAttributes(of jobs: [Job], requested: RequestedAttributes) async -> [[Attribute]]

    /// Returns the server attributes that are requested by name.
    ///
    /// Only authenticated users receive these attributes.
    func serverAttributes(requested: RequestedAttributes) async -> [Attribute]
}

extension PrinterService {
    /// Returns the printer with all its properties.
    public func destination(named name: String?, waits: Bool) async throws -> ServedPrinter {
        try await printer(named: name)
    }

    /// Returns the printer with the given name, and waits a short time if its capabilities are unknown.
    func destination(named name: String?) async throws -> ServedPrinter {
        try await destination(named: name, waits: true)
    }

    /// Returns 0: documents with passwords are not supported.
    public var longestDocumentPassword: Int { 0 }

    /// Returns 0: a job with a password waits for its owner.
    public var longestJobPassword: Int { 0 }

    /// Does nothing, because this service stores no passwords of jobs.
    public func release(_ job: Job, with password: JobPassword) async throws {}

    /// Returns 0, because this service stores no passwords of jobs.
    public func releaseJobs(of printer: String, with password: JobPassword) async throws -> Int { 0 }

    /// Returns a list that contains all jobs in one part.
    public func listing(_ filter: JobFilter, in range: JobListRange) async throws -> JobListParts {
        JobListParts(try await jobs(filter, in: range))
    }

    /// Changes one job after the other.
    public func change(_ changes: [(job: Job, event: JobStateMachine.Event)]) async throws {
        for (job, event) in changes {
            do {
                try await change(job, event)
            } catch  where IPPFailure(error).status == .clientErrorNotPossible {
                continue
            }
        }
    }

    /// Moves one job after the other.
    public func move(_ jobs: [Job], to printer: ServedPrinter) async throws {
        for job in jobs {
            do {
                try await move(job, to: printer)
            } catch  where IPPFailure(error).status == .clientErrorNotPossible {
                continue
            }
        }
    }

    /// Does nothing.
    ///
    /// Jobs whose only document was rejected remain unchanged.
    public func noteRefusedDocument(of job: Job) {}

    /// Returns `nil`, because this service does not count jobs.
    public func jobCounts(_ filter: JobFilter) async throws -> JobCounts? { nil }

    /// Returns an empty result, because this service has no queue.
    public func jobsBefore(_ jobs: [Job]) async throws -> [Int: Int] { [:] }

    /// Returns whether `printers()` contains the printer.
    public func hasPrinter(named name: String) async throws -> Bool {
        try await printers().contains { $0.name == name }
    }

    /// Returns `false`: jobs are printed in the order of the job list.
    public var takesTurns: Bool { false }

    /// Returns an empty set of printers.
    public func troubledPrinters() async throws -> Set<String> { [] }

    /// Returns `nil`, because this service does not count jobs.
    public func countJobs(_ filter: JobFilter) async throws -> Int? { nil }
}
