// The port through which the queue reaches printers.

/// A way to a printer.
///
/// What it throws says whether trying again can help, and whether paper may have moved.
public protocol PrinterBackend: Sendable {
    /// What the printer can do.
    func capabilities() async throws(BackendError) -> PrinterCapabilities

    /// How the printer is.
    func status() async throws(BackendError) -> PrinterStatus

    /// Makes the job at the printer, without its document, so that its id can be stored before anything is printed.
    func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob

    /// Sends the prepared document; the printer begins when it likes.
    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// Sends several documents that make up the job, in order.
    ///
    /// Only printers that take JPEG alone are sent more than one, an image a page. A way without it refuses them.
    func sendDocuments(_ paths: [String], format: DocumentFormat, to job: RemoteJob) async throws(BackendError)

    /// How a job is doing; nil when the printer has none of that id and name.
    func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus?

    /// Asks the printer to stop a job; it has stopped when `jobStatus` says so.
    func cancelJob(_ job: RemoteJob) async throws(BackendError)

    /// Has the printer make itself noticed, so that people find it (IPP Identify-Printer).
    ///
    /// - Parameters:
    ///   - actions: How, of `PrinterCapabilities.identifyActions`; empty leaves it to the printer.
    ///   - message: What it shows or says, if it can.
    func identify(actions: [String], message: String?) async throws(BackendError)

    /// Waits until there may be something new about a job: until the printer tells, or for `pause` where it does not.
    ///
    /// A printer that tells may be waited for longer than that. What is new `jobStatus` says; nothing is decided by this, and
    /// what goes wrong between here and the printer only shortens the wait.
    ///
    /// - Parameters:
    ///   - pause: How long to wait for a printer that does not tell.
    ///   - clock: What to wait by.
    /// - Returns: Whether the printer has told of something.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func waitForNews(of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>) async throws -> Bool
}

extension PrinterBackend {
    /// Waits for `pause`: the printer does not tell.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        try await clock.sleep(for: pause)
        return false
    }
}

extension PrinterBackend {
    /// Refuses: there is nothing to flash or beep with.
    public func identify(actions: [String], message: String?) async throws(BackendError) {
        throw BackendError(.refused, "there is nothing that could make itself noticed")
    }

    /// Sends the one document.
    ///
    /// - Throws: `refused` for several, and what `sendDocument` throws.
    public func sendDocuments(
        _ paths: [String], format: DocumentFormat, to job: RemoteJob
    ) async throws(BackendError) {
        guard let path = paths.first, paths.count == 1 else {
            throw BackendError(.refused, "a job of this printer can have one document only, not \(paths.count)")
        }
        try await sendDocument(path, format: format, to: job)
    }
}

/// A job to be made at a printer.
public struct DeliveryRequest: Hashable, Sendable {
    /// Our number for the job.
    public var jobID: Int
    /// Its name.
    public var name: String
    /// Who submitted it.
    public var owner: String
    /// What the printer is asked to do itself.
    public var options: DeviceOptions
    /// The spools that the job has come through, ours the last: another spooler refuses a job that comes back to it.
    public var forwardedBy: [String]

    /// A request.
    public init(jobID: Int, name: String, owner: String, options: DeviceOptions, forwardedBy: [String] = []) {
        self.forwardedBy = forwardedBy
        self.jobID = jobID
        self.name = name
        self.owner = owner
        self.options = options
    }
}

/// How a job at a printer is doing.
public struct RemoteJobStatus: Hashable, Sendable {
    /// Its state there.
    public var state: JobState
    /// Why.
    public var reasons: [JobStateReason]
    /// The state in words.
    public var message: String
    /// The sides printed so far; nil when the printer does not say.
    public var impressionsCompleted: Int?
    /// The sheets printed so far; nil when the printer does not say.
    public var sheetsCompleted: Int?
    /// When it was begun there, in seconds of whatever clock; nil when that is not known.
    ///
    /// A later moment than before says that it was begun anew, from its first page (`time-at-processing`, RFC 8011 §5.3.14.2).
    public var begunAt: Int?

    /// A status.
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

/// Why a printer could not be asked, or would not do.
public struct BackendError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Hashable {
        /// It cannot be reached: try again later.
        case unreachable
        /// It is busy or takes no jobs now: try again later.
        case busy
        /// It refuses what is asked: trying again changes nothing.
        case refused
        /// Its answer makes no sense.
        case badAnswer
        /// The document cannot be read.
        case documentMissing
        /// It wants a name and a password that we have not, or does not take ours: a person must say others.
        case authenticationRequired
        /// Its certificate is not the one that is trusted: a person must say whether it is now.
        case untrusted
    }

    /// What went wrong, for programs.
    public var code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    public var message: String
    /// Whether the printer may have received what was sent all the same.
    public var mayHaveBeenReceived: Bool

    /// An error.
    public init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool = false) {
        self.code = code
        self.message = message
        self.mayHaveBeenReceived = mayHaveBeenReceived
    }

    /// The message.
    public var description: String { message }

    /// Whether it goes on when a person has said whom the printer may trust, or whom we may; until then the job waits,
    /// whatever the printer's policy.
    public var awaitsPerson: Bool { code == .authenticationRequired || code == .untrusted }
}
