// Defines the states of a job and the reasons for a state.

/// The state of a job (IPP `job-state`, RFC 8011 §5.3.7); the raw values are IPP's.
public enum JobState: Int, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    case pending = 3
    case pendingHeld = 4
    case processing = 5
    /// A job whose processing is stopped until the printer or a person continues the job.
    case processingStopped = 6
    case canceled = 7
    case aborted = 8
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
    package static let jobIncoming: JobStateReason = "job-incoming"
    /// The reason for a job whose document was sent only in part.
    ///
    /// `printd` cancels this job at the printer.
    package static let submissionInterrupted: JobStateReason = "submission-interrupted"
    /// The reason for a job that was created, but has not received all its documents.
    package static let jobDataInsufficient: JobStateReason = "job-data-insufficient"
    /// The reason for a job that a user holds, indefinitely or until a time.
    package static let jobHoldUntilSpecified: JobStateReason = "job-hold-until-specified"
    /// The reason for a held job that was submitted with a password (PWG 5100.11).
    package static let jobPasswordWait: JobStateReason = "job-password-wait"
    /// The reason for a job that is being converted for the printer.
    package static let jobTransforming: JobStateReason = "job-transforming"
    /// The reason for a job that is being sent to the printer.
    package static let jobOutgoing: JobStateReason = "job-outgoing"
    package static let jobPrinting: JobStateReason = "job-printing"
    /// The reason for a job whose cancellation is in progress: the printer is stopping the job.
    package static let processingToStopPoint: JobStateReason = "processing-to-stop-point"
    package static let printerStopped: JobStateReason = "printer-stopped"
    /// The reason for a job that will be retried, because the printer cannot be reached.
    package static let destinationUnavailable: JobStateReason = "resources-are-not-ready"
    package static let jobCanceledByUser: JobStateReason = "job-canceled-by-user"
    package static let jobCanceledByOperator: JobStateReason = "job-canceled-by-operator"
    package static let jobCanceledAtDevice: JobStateReason = "job-canceled-at-device"
    /// The reason for a job with a damaged document, or with a document that does not have the specified format.
    package static let documentFormatError: JobStateReason = "document-format-error"
    /// The reason for a job with a document that exceeds the size limit of its converter.
    package static let documentUnprintableError: JobStateReason = "document-unprintable-error"
    package static let documentPasswordError: JobStateReason = "document-password-error"
    package static let unsupportedDocumentFormat: JobStateReason = "unsupported-document-format"
    /// The reason for a job that exceeds a quota of its owner (PWG 5100.16).
    package static let accountLimitReached: JobStateReason = "account-limit-reached"
    package static let abortedBySystem: JobStateReason = "aborted-by-system"
    /// The reason for a job that the printer aborted during printing.
    ///
    /// The job will continue with the first sheet that the printer did not report as printed.
    package static let jobResuming: JobStateReason = "job-resuming"
    /// The reason for a job that might already have been printed.
    ///
    /// A person must decide how the job continues.
    package static let jobSuspended: JobStateReason = "job-suspended"
    /// The reason for a job whose documents did not arrive in time.
    package static let multipleOperationTimeOut: JobStateReason = "multiple-operation-time-out"
    /// The reason for a job with a warning for its owner (RFC 8011 §5.3.8).
    package static let warningsDetected: JobStateReason = "warnings-detected"
    /// The reason for a job with an error, for example a missing document.
    package static let errorsDetected: JobStateReason = "errors-detected"
    package static let jobCompletedSuccessfully: JobStateReason = "job-completed-successfully"
    package static let jobCompletedWithWarnings: JobStateReason = "job-completed-with-warnings"

    /// The IPP keyword of the reason.
    public var description: String { rawValue }

    /// Whether the reason means that the job was aborted because of its documents.
    ///
    /// A reprint of such a job cannot succeed.
    ///
    /// Any other reason for an abort concerns the printer, for example a power loss, a reset or a fault (RFC 8011
    /// §5.3.8, PWG 5100.13 §8.1).
    package var isFaultOfDocuments: Bool { Self.faultsOfDocuments.contains(self) }

    /// Whether the reason means that the job was canceled.
    package var isCancel: Bool { [.jobCanceledByUser, .jobCanceledByOperator, .jobCanceledAtDevice].contains(self) }

    private static let faultsOfDocuments: Set<JobStateReason> = [
        .documentFormatError, .documentPasswordError, .unsupportedDocumentFormat, "unsupported-compression",
        "compression-error", "document-permission-error", "document-security-error", .documentUnprintableError,
        "document-access-error", "unsupported-attributes-or-values", "digital-signature-did-not-verify",
        "digital-signature-type-not-supported",
    ]
}
