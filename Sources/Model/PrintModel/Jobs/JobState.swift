// Defines the states of a job and the reasons for a state.

/// The state of a job (IPP `job-state`, RFC 8011 §5.3.7); the raw values are IPP's.
public enum JobState: Int, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// A job that waits to be processed.
    case pending = 3
    /// A job that is held until a user or a timer releases the job.
    case pendingHeld = 4
    /// A job that is being prepared, sent or printed.
    case processing = 5
    /// A job whose processing is stopped until the printer or a person continues the job.
    case processingStopped = 6
    /// A job that was canceled.
    case canceled = 7
    /// A job that ended because the job could not be printed.
    case aborted = 8
    /// A job that ended after all pages were printed.
    case completed = 9

    /// Whether the job has ended.
    public var isTerminal: Bool { rawValue >= JobState.canceled.rawValue }

    /// The IPP keyword of the state, such as `pending-held`.
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
    /// The IPP keyword of the reason.
    public let rawValue: String

    /// Creates a reason from a keyword.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a reason from a keyword.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The reason for a job whose documents are still being received.
    public static let jobIncoming: JobStateReason = "job-incoming"
    /// The reason for a job whose document was sent only in part.
    ///
    /// `printd` cancels this job at the printer.
    public static let submissionInterrupted: JobStateReason = "submission-interrupted"
    /// The reason for a job that was created, but has not received all its documents.
    public static let jobDataInsufficient: JobStateReason = "job-data-insufficient"
    /// The reason for a job that a user holds, indefinitely or until a time.
    public static let jobHoldUntilSpecified: JobStateReason = "job-hold-until-specified"
    /// The reason for a job that is being converted for the printer.
    public static let jobTransforming: JobStateReason = "job-transforming"
    /// The reason for a job that is being sent to the printer.
    public static let jobOutgoing: JobStateReason = "job-outgoing"
    /// The reason for a job that the printer is printing.
    public static let jobPrinting: JobStateReason = "job-printing"
    /// The reason for a job whose cancellation is in progress: the printer is stopping the job.
    public static let processingToStopPoint: JobStateReason = "processing-to-stop-point"
    /// The reason for a job whose printer is stopped.
    public static let printerStopped: JobStateReason = "printer-stopped"
    /// The reason for a job that will be retried, because the printer cannot be reached.
    public static let destinationUnavailable: JobStateReason = "resources-are-not-ready"
    /// The reason for a job that its owner canceled.
    public static let jobCanceledByUser: JobStateReason = "job-canceled-by-user"
    /// The reason for a job that an administrator canceled.
    public static let jobCanceledByOperator: JobStateReason = "job-canceled-by-operator"
    /// The reason for a job that was canceled at the printer.
    public static let jobCanceledAtDevice: JobStateReason = "job-canceled-at-device"
    /// The reason for a job with a damaged document, or with a document that does not have the specified format.
    public static let documentFormatError: JobStateReason = "document-format-error"
    /// The reason for a job with a document that exceeds the size limit of its converter.
    public static let documentUnprintableError: JobStateReason = "document-unprintable-error"
    /// The reason for a job with a document that requires a password that was not supplied.
    public static let documentPasswordError: JobStateReason = "document-password-error"
    /// The reason for a job with a document in an unsupported format.
    public static let unsupportedDocumentFormat: JobStateReason = "unsupported-document-format"
    /// The reason for a job that printq aborted.
    public static let abortedBySystem: JobStateReason = "aborted-by-system"
    /// The reason for a job that the printer aborted during printing.
    ///
    /// The job will continue with the first sheet that the printer did not report as printed.
    public static let jobResuming: JobStateReason = "job-resuming"
    /// The reason for a job that might already have been printed.
    ///
    /// A person must decide how the job continues.
    public static let jobSuspended: JobStateReason = "job-suspended"
    /// The reason for a job whose documents did not arrive in time.
    public static let multipleOperationTimeOut: JobStateReason = "multiple-operation-time-out"
    /// The reason for a job with a warning for its owner (RFC 8011 §5.3.8).
    public static let warningsDetected: JobStateReason = "warnings-detected"
    /// The reason for a job with an error, for example a missing document.
    public static let errorsDetected: JobStateReason = "errors-detected"
    /// The reason for a job that was completed without warnings or errors.
    public static let jobCompletedSuccessfully: JobStateReason = "job-completed-successfully"
    /// The reason for a job that was completed with warnings.
    public static let jobCompletedWithWarnings: JobStateReason = "job-completed-with-warnings"
    /// The reason for a job that was completed with errors.
    public static let jobCompletedWithErrors: JobStateReason = "job-completed-with-errors"

    /// The IPP keyword of the reason.
    public var description: String { rawValue }

    /// Whether the reason means that the job was aborted because of its documents.
    ///
    /// A reprint of such a job cannot succeed.
    ///
    /// Any other reason for an abort concerns the printer, for example a power loss, a reset or a fault (RFC 8011
    /// §5.3.8, PWG 5100.13 §8.1).
    public var isFaultOfDocuments: Bool { Self.faultsOfDocuments.contains(self) }

    /// Whether the reason means that the job was canceled.
    public var isCancel: Bool { [.jobCanceledByUser, .jobCanceledByOperator, .jobCanceledAtDevice].contains(self) }

    private static let faultsOfDocuments: Set<JobStateReason> = [
        .documentFormatError, .documentPasswordError, .unsupportedDocumentFormat, "unsupported-compression",
        "compression-error", "document-permission-error", "document-security-error", .documentUnprintableError,
        "document-access-error", "unsupported-attributes-or-values", "digital-signature-did-not-verify",
        "digital-signature-type-not-supported",
    ]
}
