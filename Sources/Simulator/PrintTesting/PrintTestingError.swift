// The error type of PrintTesting.

/// An error of PrintTesting.
///
/// The message states what failed, on which object, and what to do next.
public struct PrintTestingError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error, for programs.
    public enum Code: String, Sendable, Hashable {
        /// The program `printsim`, `print-worker` or `pdftotext` was not found.
        case programMissing
        /// The printer did not start, or its process has ended.
        case printerEnded
        /// The timeout passed before the expected event.
        case timedOut
        /// The printer refused the request, or did not answer.
        case refused
        /// An option, a fault or a file name is invalid.
        case usage
        /// A file of the job or a golden image is missing or cannot be read or written.
        case unreadable
        /// The page differs from its golden image.
        case differs
        /// The page has no text, because the document arrived as pixels.
        case noText
    }

    /// The kind of the error, for programs.
    public var code: Code
    /// A sentence that states what failed, on which object, and what to do next.
    public var message: String
    /// The underlying error, for debugging; nil when there is none.
    public var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
