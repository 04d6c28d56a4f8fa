// The states a job goes through, and why it is in one.

/// The state of a job (IPP `job-state`, RFC 8011 §5.3.7); the raw values are IPP's.
public enum JobState: Int, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// Waiting for its turn.
    case pending = 3
    /// Waiting until someone, or the clock, releases it.
    case pendingHeld = 4
    /// Being prepared, sent or printed.
    case processing = 5
    /// Begun, but stopped until the printer or a person goes on.
    case processingStopped = 6
    /// Ended because someone said so.
    case canceled = 7
    /// Ended because it could not be printed.
    case aborted = 8
    /// Ended with every page printed.
    case completed = 9

    /// Whether nothing will happen to the job any more.
    public var isTerminal: Bool { rawValue >= JobState.canceled.rawValue }

    /// IPP's keyword: `pending-held`.
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

/// Why a job is in its state: a registered keyword (IPP `job-state-reasons`, RFC 8011 §5.3.8).
public struct JobStateReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The keyword.
    public let rawValue: String

    /// The reason of the given keyword.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The reason of the given keyword.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Its documents are still coming in.
    public static let jobIncoming: JobStateReason = "job-incoming"
    /// Its document did not reach the printer whole, and the printer is told to forget it.
    public static let submissionInterrupted: JobStateReason = "submission-interrupted"
    /// It was created, but its documents have not all arrived.
    public static let jobDataInsufficient: JobStateReason = "job-data-insufficient"
    /// Someone holds it, or it waits for a time.
    public static let jobHoldUntilSpecified: JobStateReason = "job-hold-until-specified"
    /// It is being converted for the printer.
    public static let jobTransforming: JobStateReason = "job-transforming"
    /// It is on its way to the printer.
    public static let jobOutgoing: JobStateReason = "job-outgoing"
    /// The printer prints it.
    public static let jobPrinting: JobStateReason = "job-printing"
    /// It was canceled, and the printer is coming to a stop.
    public static let processingToStopPoint: JobStateReason = "processing-to-stop-point"
    /// Its printer is stopped.
    public static let printerStopped: JobStateReason = "printer-stopped"
    /// Its printer cannot be reached; it will be tried again.
    public static let destinationUnavailable: JobStateReason = "resources-are-not-ready"
    /// Its owner canceled it.
    public static let jobCanceledByUser: JobStateReason = "job-canceled-by-user"
    /// An administrator canceled it.
    public static let jobCanceledByOperator: JobStateReason = "job-canceled-by-operator"
    /// The printer canceled it.
    public static let jobCanceledAtDevice: JobStateReason = "job-canceled-at-device"
    /// Its document is damaged, or not what it was said to be.
    public static let documentFormatError: JobStateReason = "document-format-error"
    /// Its document needs a password that was not given.
    public static let documentPasswordError: JobStateReason = "document-password-error"
    /// Its document's format cannot be printed here.
    public static let unsupportedDocumentFormat: JobStateReason = "unsupported-document-format"
    /// printq gave it up.
    public static let abortedBySystem: JobStateReason = "aborted-by-system"
    /// Its printer gave it up in the middle, and it waits to go on with the first sheet that was not seen printed.
    public static let jobResuming: JobStateReason = "job-resuming"
    /// It may have been printed; a person must say how to go on.
    public static let jobSuspended: JobStateReason = "job-suspended"
    /// Its documents did not come in time.
    public static let multipleOperationTimeOut: JobStateReason = "multiple-operation-time-out"
    /// Something happened to it that a person should know of (RFC 8011 §5.3.8).
    public static let warningsDetected: JobStateReason = "warnings-detected"
    /// Something about the job is wrong, such as that it has no document.
    public static let errorsDetected: JobStateReason = "errors-detected"
    /// It ended well.
    public static let jobCompletedSuccessfully: JobStateReason = "job-completed-successfully"
    /// It ended, with warnings.
    public static let jobCompletedWithWarnings: JobStateReason = "job-completed-with-warnings"
    /// It ended, with errors.
    public static let jobCompletedWithErrors: JobStateReason = "job-completed-with-errors"

    /// The keyword.
    public var description: String { rawValue }

    /// Whether the documents are the reason why a job was given up: printing them again changes nothing.
    ///
    /// Any other reason is the printer's: it lost power, was reset, or has a fault (RFC 8011 §5.3.8, PWG 5100.13 §8.1).
    public var isFaultOfDocuments: Bool { Self.faultsOfDocuments.contains(self) }

    /// Whether somebody ended the job at the printer.
    public var isCancel: Bool { [.jobCanceledByUser, .jobCanceledByOperator, .jobCanceledAtDevice].contains(self) }

    private static let faultsOfDocuments: Set<JobStateReason> = [
        .documentFormatError, .documentPasswordError, .unsupportedDocumentFormat, "unsupported-compression",
        "compression-error", "document-permission-error", "document-security-error", "document-unprintable-error",
        "document-access-error", "unsupported-attributes-or-values", "digital-signature-did-not-verify",
        "digital-signature-type-not-supported",
    ]
}
