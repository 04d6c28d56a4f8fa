// Why a test cannot have what it asks for.

/// Why a test cannot have what it asks for; the message says what failed, on what, and what to do next.
public struct PrintTestingError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Hashable {
        /// A program of printq's is not there.
        case programMissing
        /// The printer did not start, or has ended.
        case printerEnded
        /// What was waited for had not come in time.
        case timedOut
        /// The printer did not do what it was asked, or did not answer.
        case refused
        /// An option, a fault or a file's name is wrong.
        case usage
        /// A file that belongs to the job, or a golden image, is not there or cannot be read.
        case unreadable
        /// The page is not like its golden image.
        case differs
        /// The page has no text that could be found, because pixels were printed.
        case noText
    }

    /// What went wrong, for programs.
    public var code: Code
    /// What failed, on what, and what to do next.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
