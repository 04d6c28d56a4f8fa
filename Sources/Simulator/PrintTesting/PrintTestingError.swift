// The error type of PrintTesting.

/// An error of PrintTesting.
///
/// The message contains the failed action, the object, and the next step.
public struct PrintTestingError: Error, Sendable, CustomStringConvertible {
    /// The kinds of errors, for programs.
    public enum Code: String, Sendable, Hashable {
        /// An error for a missing program: `printsim`, `print-worker` or `pdftotext`.
        case programMissing
        /// An error for a printer that did not start, or whose process has ended.
        case printerEnded
        /// An error for an expected event that did not occur before the timeout.
        case timedOut
        /// An error for a request that the printer refused, or to which the printer did not respond.
        case refused
        /// An error for an invalid option, fault or file name.
        case usage
        /// An error for a missing, unreadable or unwritable file: a file of the job, or a golden image.
        case unreadable
        /// An error for a page that differs from the golden image.
        case differs
        /// An error for a page without text, because the document arrived as an image.
        case noText
    }

    /// The kind of the error, for programs.
    public var code: Code
    /// The error message: the failed action, the object, and the next step.
    public var message: String
    /// The underlying error, for debugging; nil if there is no such error.
    public var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The error message.
    public var description: String { message }
}
