// Defines the errors of the spool.

/// An error of the spool.
public struct SpoolError: Error, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: String, Sendable, Hashable {
        /// The disk is full (IPP `server-error-temporary-error`). Nothing was accepted or lost.
        case noSpace
        /// There is no job with that id (IPP `client-error-not-found`).
        case noSuchJob
        /// There is no printer with that name (IPP `client-error-not-found`).
        case noSuchPrinter
        /// A printer with that name already exists.
        case printerExists
        /// The name is not valid for a printer.
        case invalidName
        /// The printer does not accept jobs (IPP `server-error-not-accepting-jobs`).
        case notAccepting
        /// The owner has reached the limit of jobs or document bytes for one user (IPP `server-error-too-many-jobs`).
        case overBudget
        /// A newer version of printq has written the spool.
        case tooNew
        /// The state of the job or printer does not allow the operation (IPP `client-error-not-possible`).
        case notPossible
        /// A document's file is missing or was not kept.
        case documentMissing
        /// The spool's folder cannot be read or written.
        case unwritable
        /// Another process has opened the spool.
        case locked
        /// The database is damaged, or the file is not a database.
        case corrupt
        /// The spool was closed.
        case closed
        /// The database refused an invalid value, because of a bug in printq.
        case inconsistent
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The error message: what failed, why, and what to do.
    public let message: String
    /// The underlying error, for debugging.
    public let cause: (any Error)?

    /// Creates an error.
    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
