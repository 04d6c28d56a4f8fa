// Why the spool could not do what was asked.

/// Why the spool could not do what was asked.
public struct SpoolError: Error, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Hashable {
        /// The disk is full (IPP `server-error-temporary-error`): nothing was accepted, nothing was lost.
        case noSpace
        /// There is no job of that number (IPP `client-error-not-found`).
        case noSuchJob
        /// There is no printer of that name (IPP `client-error-not-found`).
        case noSuchPrinter
        /// There is a printer of that name already.
        case printerExists
        /// A printer cannot have that name.
        case invalidName
        /// The printer takes no jobs now (IPP `server-error-not-accepting-jobs`).
        case notAccepting
        /// The owner has as many jobs, or as many bytes of documents, as one user may have (IPP
        /// `server-error-too-many-jobs`).
        case overBudget
        /// A newer version of the program has written the spool.
        case tooNew
        /// The state of the job or printer does not allow it (IPP `client-error-not-possible`).
        case notPossible
        /// A document is not where the spool should have it.
        case documentMissing
        /// The spool's folder cannot be read or written.
        case unwritable
        /// Another process has the spool open.
        case locked
        /// The database is damaged, or is none.
        case corrupt
        /// The spool was closed.
        case closed
        /// The database refused what was to be stored: a fault in the program.
        case inconsistent
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    public let message: String
    /// What lies beneath, for whoever debugs.
    public let cause: (any Error)?

    /// An error.
    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
