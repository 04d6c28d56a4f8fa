// Defines the errors of the spool.

/// An error of the spool.
public struct SpoolError: Error, CustomStringConvertible {
    /// The kinds of errors, for programs.
    public enum Code: String, Sendable, Hashable {
        /// An error for a full disk (IPP `server-error-temporary-error`).
        ///
        /// The spool has accepted nothing and lost nothing.
        case noSpace
        /// An error for a job id that does not exist (IPP `client-error-not-found`).
        case noSuchJob
        /// An error for a printer name that does not exist (IPP `client-error-not-found`).
        case noSuchPrinter
        /// An error for a new printer whose name is already in use.
        case printerExists
        /// An error for a name that is not valid for a printer.
        case invalidName
        /// An error for a printer that does not accept jobs (IPP `server-error-not-accepting-jobs`).
        case notAccepting
        /// An error for an owner who has reached the limit of jobs or document bytes for one user (IPP
        /// `server-error-too-many-jobs`).
        case overBudget
        /// An error for a job that exceeds a quota (IPP `client-error-account-limit-reached`).
        case accountLimitReached
        /// An error for a spool that a newer version of printq has written.
        case tooNew
        /// An error for a spool that a build before printq 1.0.0 has written.
        case tooOld
        /// An error for an operation that the state of the job or printer does not allow (IPP
        /// `client-error-not-possible`).
        case notPossible
        /// An error for a wrong password of a job (IPP `client-error-not-authorized`).
        case wrongPassword
        /// An error for a document whose file is missing or was not kept.
        case documentMissing
        /// An error for a spool folder that cannot be read or written.
        case unwritable
        /// An error for a spool that another process has opened.
        case locked
        /// An error for a database server that cannot be reached or cannot write now (IPP
        /// `server-error-temporary-error`).
        case unavailable
        /// An error for a change of a job in progress, if another host has taken the lease of the job's printer.
        ///
        /// The other host continues the job.
        case leaseLost
        /// An error for a damaged database, or for a file that is not a database.
        case corrupt
        /// An error for a request to a closed spool.
        case closed
        /// An error for an invalid value that the database refused because of a bug in printq.
        case inconsistent
    }

    /// The kind of the error, for programs.
    public let code: Code
    /// The error message: the failed action, the reason, and the next step.
    public let message: String
    /// The underlying error, for debugging.
    public let cause: (any Error)?

    /// Creates an error of the spool.
    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The error message.
    public var description: String { message }
}
