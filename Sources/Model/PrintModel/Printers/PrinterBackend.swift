// Defines the protocol through which the queue communicates with printers.

/// A connection to a printer.
///
/// The errors of a backend report whether a retry can succeed, and whether paper may have moved.
public protocol PrinterBackend: Sendable {
    /// Returns the printer's capabilities.
    func capabilities() async throws(BackendError) -> PrinterCapabilities

    /// Returns the printer's status.
    func status() async throws(BackendError) -> PrinterStatus

    /// Creates a job without its document, so that the job's ID can be stored before printing starts.
    func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob

    /// Sends the prepared document; the printer then starts the job.
    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// Sends several documents of one job, in order.
    ///
    /// Only a printer that supports no format except JPEG receives several documents, one image for each page. A
    /// backend without support for several documents rejects them.
    func sendDocuments(_ paths: [String], format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// Returns the status of a job; nil when the printer has no job with this number and UUID.
    func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus?

    /// Asks the printer to cancel a job. The job has stopped when `jobStatus` reports it.
    func cancelJob(_ job: RemoteJob) async throws(BackendError)

    /// Asks the printer to identify itself, for example by a light or a sound (IPP Identify-Printer).
    ///
    /// - Parameters:
    ///   - actions: Values of `PrinterCapabilities.identifyActions`; empty lets the printer choose.
    ///   - message: The message that the printer shows or speaks, if supported.
    func identify(actions: [String], message: String?) async throws(BackendError)

    /// Waits for a notification about a job, or for `pause` if the printer sends no notifications.
    ///
    /// The wait for a notification can be longer than `pause`. After the wait, the caller polls `jobStatus`. A
    /// connection error only shortens the wait.
    ///
    /// - Parameters:
    ///   - pause: The polling interval for a printer without notifications.
    ///   - clock: The clock that measures the wait.
    /// - Returns: Whether the printer has sent a notification.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func waitForNews(of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>) async throws -> Bool
}

extension PrinterBackend {
    /// Waits for `pause`, for printers without notifications.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        try await clock.sleep(for: pause)
        return false
    }
}

extension PrinterBackend {
    /// Throws `refused`, for backends without a way to identify the printer.
    public func identify(actions: [String], message: String?) async throws(BackendError) {
        throw BackendError(.refused, "this printer cannot identify itself")
    }

    /// Sends a single document.
    ///
    /// - Throws: `refused` for several documents, and the errors of `sendDocument`.
    public func sendDocuments(
        _ paths: [String], format: DocumentFormat, to job: RemoteJob
    ) async throws(BackendError) {
        guard let path = paths.first, paths.count == 1 else {
            throw BackendError(.refused, "this printer accepts one document per job, not \(paths.count)")
        }
        try await sendDocument(path, format: format, to: job)
    }
}

/// A request to create a job at a printer.
public struct DeliveryRequest: Hashable, Sendable {
    /// The spooler's number of the job.
    public var jobID: Int
    /// The job's name.
    public var name: String
    /// The user who submitted the job.
    public var owner: String
    /// The options that the printer applies.
    public var options: DeviceOptions
    /// The identities of the spools that forwarded the job, this spool last.
    ///
    /// Another spooler rejects a job that returns to it.
    public var forwardedBy: [String]

    /// Creates a request.
    public init(jobID: Int, name: String, owner: String, options: DeviceOptions, forwardedBy: [String] = []) {
        self.forwardedBy = forwardedBy
        self.jobID = jobID
        self.name = name
        self.owner = owner
        self.options = options
    }
}

/// The status of a job at a printer.
public struct RemoteJobStatus: Hashable, Sendable {
    /// The job's state at the printer.
    public var state: JobState
    /// The reasons for the state.
    public var reasons: [JobStateReason]
    /// A description of the state for users.
    public var message: String
    /// The number of printed sides; nil when the printer does not report it.
    public var impressionsCompleted: Int?
    /// The number of printed sheets; nil when the printer does not report it.
    public var sheetsCompleted: Int?
    /// The time at which the printer started the job, in seconds of the printer's clock; nil if unknown.
    ///
    /// A later time than before means that the printer restarted the job from its first page (`time-at-processing`, RFC
    /// 8011 §5.3.14.2).
    public var begunAt: Int?

    /// Creates a status.
    public init(
        state: JobState, reasons: [JobStateReason] = [], message: String = "", impressionsCompleted: Int? = nil,
        sheetsCompleted: Int? = nil, begunAt: Int? = nil
    ) {
        self.state = state
        self.reasons = reasons
        self.message = message
        self.impressionsCompleted = impressionsCompleted
        self.sheetsCompleted = sheetsCompleted
        self.begunAt = begunAt
    }
}

/// An error in the communication with a printer.
public struct BackendError: Error, Sendable, CustomStringConvertible {
    /// The type of error.
    public enum Code: String, Sendable, Hashable {
        /// The printer cannot be reached; a later retry can succeed.
        case unreachable
        /// The printer is busy or accepts no jobs; a later retry can succeed.
        case busy
        /// The printer rejects the request; a retry cannot succeed.
        case refused
        /// The printer's response is invalid.
        case badAnswer
        /// The document cannot be read.
        case documentMissing
        /// The printer requires a user name and password, or rejects the stored credentials; a person must set new
        /// credentials.
        case authenticationRequired
        /// The printer's certificate differs from the trusted certificate; a person must decide whether to trust it.
        case untrusted
    }

    /// The type of error.
    public var code: Code
    /// One sentence for users: what failed, and what to do.
    public var message: String
    /// Whether the printer may have received the data despite the error.
    public var mayHaveBeenReceived: Bool

    /// Creates an error.
    public init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool = false) {
        self.code = code
        self.message = message
        self.mayHaveBeenReceived = mayHaveBeenReceived
    }

    /// The message.
    public var description: String { message }

    /// Whether a person must set credentials or trust a certificate.
    ///
    /// Until then the job waits, regardless of the printer's error policy.
    public var awaitsPerson: Bool { code == .authenticationRequired || code == .untrusted }
}
