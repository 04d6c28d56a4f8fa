// Defines the protocol through which the queue communicates with printers.

/// A connection to a printer.
///
/// The errors of a backend report whether a retry can succeed, and whether the printer might have printed pages.
public protocol PrinterBackend: Sendable {
    /// Returns the printer's capabilities.
    func capabilities() async throws(BackendError) -> PrinterCapabilities

    /// Returns the printer's status.
    func status() async throws(BackendError) -> PrinterStatus

    /// Creates a job without its document. The caller can store the ID of the job before printing starts.
    func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob

    /// Sends the prepared document. The printer then starts the job.
    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// Sends the documents of one job, in order.
    ///
    /// A printer that supports only JPEG receives several documents: one image for each page. Any other printer
    /// receives one document. A backend without support for several documents throws an error.
    func sendDocuments(_ paths: [String], format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// Returns the status of a job; nil when the printer has no job with this number and UUID.
    func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus?

    /// Requests that the printer cancel a job. The printer can continue to print until `jobStatus` reports a canceled
    /// job.
    func cancelJob(_ job: RemoteJob) async throws(BackendError)

    /// Requests that the printer identify itself, for example by a light or a sound (IPP Identify-Printer).
    ///
    /// - Parameters:
    ///   - actions: Values of `PrinterCapabilities.identifyActions`. If empty, the printer chooses the action.
    ///   - message: The message that the printer shows or speaks, if supported.
    func identify(actions: [String], message: String?) async throws(BackendError)

    /// Waits for a notification about a job. If the printer sends no notifications, the function waits for the polling
    /// interval.
    ///
    /// The wait for a notification can be longer than the polling interval. A connection error ends the wait early.
    /// After the wait, the caller polls `jobStatus`.
    ///
    /// - Parameters:
    ///   - pause: The polling interval for a printer without notifications.
    ///   - clock: The clock that measures the wait.
    /// - Returns: Whether the printer has sent a notification.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func waitForNews(of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>) async throws -> Bool
}

extension PrinterBackend {
    /// Waits for the polling interval `pause`, because the backend receives no notifications.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        try await clock.sleep(for: pause)
        return false
    }
}

extension PrinterBackend {
    /// Throws `refused`, because the backend cannot request that the printer identify itself.
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
            throw BackendError(
                .refused,
                "this printer accepts one document per job, not \(paths.count); print each document as a separate job")
        }
        try await sendDocument(path, format: format, to: job)
    }
}

/// A request to create a job at a printer.
public struct DeliveryRequest: Hashable, Sendable {
    /// The number that the spooler assigned to the job.
    package var jobID: Int
    package var name: String
    package var owner: String
    package var options: DeviceOptions
    /// The identities of the spools that forwarded the job, in the order of forwarding.
    ///
    /// The last identity is the identity of this spool.
    ///
    /// A spooler rejects a job if the list already contains the identity of the spooler's spool.
    package var forwardedBy: [String]

    package init(jobID: Int, name: String, owner: String, options: DeviceOptions, forwardedBy: [String] = []) {
        (self.forwardedBy, self.jobID, self.name, self.owner, self.options) = (forwardedBy, jobID, name, owner, options)
    }
}

/// The status of a job at a printer.
public struct RemoteJobStatus: Hashable, Sendable {
    package var state: JobState
    package var reasons: [JobStateReason]
    /// A description of the job's state for users.
    package var message: String
    /// The number of printed sides; nil when the printer does not report the number.
    package var impressionsCompleted: Int?
    /// The number of printed sheets; nil when the printer does not report the number.
    package var sheetsCompleted: Int?
    /// The time at which the printer started the job, in seconds of the printer's clock; nil if unknown.
    ///
    /// If the time changes to a later time, the printer has restarted the job from its first page
    /// (`time-at-processing`, RFC 8011 §5.3.14.2).
    package var begunAt: Int?

    package init(
        state: JobState, reasons: [JobStateReason] = [], message: String = "", impressionsCompleted: Int? = nil,
        sheetsCompleted: Int? = nil, begunAt: Int? = nil
    ) {
        (self.state, self.reasons) = (state, reasons)
        (self.message, self.impressionsCompleted) = (message, impressionsCompleted)
        (self.sheetsCompleted, self.begunAt) = (sheetsCompleted, begunAt)
    }
}

/// An error in the communication with a printer.
public struct BackendError: Error, Sendable, CustomStringConvertible {
    /// The type of a printer error.
    public enum Code: String, Sendable, Hashable {
        /// An error for a printer that cannot be reached. A later retry can succeed.
        case unreachable
        /// An error for a printer that is busy or accepts no jobs. A later retry can succeed.
        case busy
        /// An error for a request that the printer rejects. A retry cannot succeed.
        case refused
        case badAnswer
        case documentMissing
        /// An error for missing or rejected credentials. A person must set a new user name and password.
        case authenticationRequired
        /// An error for a certificate that differs from the trusted certificate. A person must decide whether to trust
        /// the new certificate.
        case untrusted
    }

    package var code: Code
    /// The error message for users, in one sentence: what failed, and what to do.
    package var message: String
    /// Whether the printer might have received the request or the document despite the error.
    package var mayHaveBeenReceived: Bool

    package init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool = false) {
        (self.code, self.message, self.mayHaveBeenReceived) = (code, message, mayHaveBeenReceived)
    }

    /// The error message for users.
    public var description: String { message }

    /// Whether a person must set credentials or trust a certificate.
    ///
    /// The job waits for this action, regardless of the printer's error policy.
    package var awaitsPerson: Bool { code == .authenticationRequired || code == .untrusted }
}
