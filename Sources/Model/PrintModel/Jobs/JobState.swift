// Defines the states of a job and the reasons for a state.

/// The state of a job (IPP `job-state`, RFC 8011 §5.3.7); the raw values are IPP's.
public enum JobState: Int, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// The job waits to be processed.
    case pending = 3
    /// The job is held until a user or the clock releases it.
    case pendingHeld = 4
    /// The job is being prepared, sent or printed.
    case processing = 5
    /// Processing has started and is stopped until the printer or a person continues the job.
    case processingStopped = 6
    /// The job ended because it was canceled.
    case canceled = 7
    /// The job ended because it could not be printed.
    case aborted = 8
    /// The job ended after all pages were printed.
    case completed = 9

    /// Whether the job has ended.
    public var isTerminal: Bool { rawValue >= JobState.canceled.rawValue }

    /// The IPP keyword: `pending-held`.
    public var description: String {
        switch self {
        case .pending: "pending"
        case .pendingHeld: "pending-held"
        case .processing: "processing"
        case .processingStopped: "processing-stopped"
        case .canceled: "canceled"
        case .aborted: "aborted"
        case .completed: "completed"
        }
    }
}

/// A reason for a job's state: a registered keyword (IPP `job-state-reasons`, RFC 8011 §5.3.8).
public struct JobStateReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The keyword.
    public let rawValue: String

    /// Creates a reason from a keyword.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a reason from a keyword.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The documents are still being received.
    public static let jobIncoming: JobStateReason = "job-incoming"
    /// The printer did not receive the whole document, and `printd` requests that the printer cancel the job.
    public static let submissionInterrupted: JobStateReason = "submission-interrupted"
    /// The job was created, but some of its documents have not arrived.
    public static let jobDataInsufficient: JobStateReason = "job-data-insufficient"
    /// A user holds the job, indefinitely or until a time.
    public static let jobHoldUntilSpecified: JobStateReason = "job-hold-until-specified"
    /// The job is being converted for the printer.
    public static let jobTransforming: JobStateReason = "job-transforming"
    /// The job is being sent to the printer.
    public static let jobOutgoing: JobStateReason = "job-outgoing"
    /// The printer is printing the job.
    public static let jobPrinting: JobStateReason = "job-printing"
    /// The job was canceled, and the printer is stopping.
    public static let processingToStopPoint: JobStateReason = "processing-to-stop-point"
    /// The printer is stopped.
    public static let printerStopped: JobStateReason = "printer-stopped"
    /// The printer cannot be reached; the job will be retried.
    public static let destinationUnavailable: JobStateReason = "resources-are-not-ready"
    /// The owner canceled the job.
    public static let jobCanceledByUser: JobStateReason = "job-canceled-by-user"
    /// An administrator canceled the job.
    public static let jobCanceledByOperator: JobStateReason = "job-canceled-by-operator"
    /// The job was canceled at the printer.
    public static let jobCanceledAtDevice: JobStateReason = "job-canceled-at-device"
    /// The document is damaged, or does not have the specified format.
    public static let documentFormatError: JobStateReason = "document-format-error"
    /// The document requires a password that was not supplied.
    public static let documentPasswordError: JobStateReason = "document-password-error"
    /// The document format is not supported.
    public static let unsupportedDocumentFormat: JobStateReason = "unsupported-document-format"
    /// printq aborted the job.
    public static let abortedBySystem: JobStateReason = "aborted-by-system"
    /// The printer aborted the job while printing.
    ///
    /// The job will continue with the first sheet that the printer did not report as printed.
    public static let jobResuming: JobStateReason = "job-resuming"
    /// The job may have been printed; a person must decide how to continue.
    public static let jobSuspended: JobStateReason = "job-suspended"
    /// The documents did not arrive before the timeout.
    public static let multipleOperationTimeOut: JobStateReason = "multiple-operation-time-out"
    /// The job has a warning for its owner (RFC 8011 §5.3.8).
    public static let warningsDetected: JobStateReason = "warnings-detected"
    /// The job has an error, for example no document.
    public static let errorsDetected: JobStateReason = "errors-detected"
    /// The job completed without warnings or errors.
    public static let jobCompletedSuccessfully: JobStateReason = "job-completed-successfully"
    /// The job completed with warnings.
    public static let jobCompletedWithWarnings: JobStateReason = "job-completed-with-warnings"
    /// The job completed with errors.
    public static let jobCompletedWithErrors: JobStateReason = "job-completed-with-errors"

    /// The keyword.
    public var description: String { rawValue }

    /// Whether the job was aborted because of its documents, so that a reprint cannot succeed.
    ///
    /// Any other reason concerns the printer, for example a power loss, a reset or a fault (RFC 8011 §5.3.8, PWG
    /// 5100.13 §8.1).
    public var isFaultOfDocuments: Bool { Self.faultsOfDocuments.contains(self) }

    /// Whether the job was canceled.
    public var isCancel: Bool { [.jobCanceledByUser, .jobCanceledByOperator, .jobCanceledAtDevice].contains(self) }

    private static let faultsOfDocuments: Set<JobStateReason> = [
        .documentFormatError, .documentPasswordError, .unsupportedDocumentFormat, "unsupported-compression",
        "compression-error", "document-permission-error", "document-security-error", "document-unprintable-error",
        "document-access-error", "unsupported-attributes-or-values", "digital-signature-did-not-verify",
        "digital-signature-type-not-supported",
    ]
}
