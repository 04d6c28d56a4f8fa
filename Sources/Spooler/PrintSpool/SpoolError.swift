// The reason why the spool could not carry out a request.

/// The reason why the spool could not carry out a request.
public struct SpoolError: Error, CustomStringConvertible {
    /// The kind of the error, for programs.
    public enum Code: String, Sendable, Hashable {
        /// The disk is full (IPP `server-error-temporary-error`). Nothing was accepted, and nothing was lost.
        case noSpace
        /// No job has that number (IPP `client-error-not-found`).
        case noSuchJob
        /// No printer has that name (IPP `client-error-not-found`).
        case noSuchPrinter
        /// A printer with that name exists already.
        case printerExists
        /// The name is not valid for a printer.
        case invalidName
        /// The printer does not accept jobs now (IPP `server-error-not-accepting-jobs`).
        case notAccepting
        /// The owner has reached the limit of jobs or of document bytes (IPP `server-error-too-many-jobs`).
        case overBudget
        /// A newer version of the program has written the spool.
        case tooNew
        /// The state of the job or printer does not allow the request (IPP `client-error-not-possible`).
        case notPossible
        /// A document is missing from the spool.
        case documentMissing
        /// The spool's folder cannot be read or written.
        case unwritable
        /// Another process has opened the spool.
        case locked
        /// The database is damaged, or the file is not a database.
        case corrupt
        /// The spool was closed.
        case closed
        /// The database rejected the values to store: a fault in the program.
        case inconsistent
    }

    /// The kind of the error, for programs.
    public let code: Code
    /// The message for people: what failed, on which object, and what to do next.
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
