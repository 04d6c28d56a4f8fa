// The error type of PageComparison.

/// An error in reading or writing page images for a comparison.
public struct ComparisonError: Error, Sendable, CustomStringConvertible {
    /// The kinds of comparison errors, for programs.
    public enum Code: String, Sendable, Hashable {
        /// An error for a file that cannot be read or written, or is not an image of a page.
        case unreadable
    }

    /// The kind of the error, for programs.
    public var code: Code { .unreadable }
    /// The error message: the failed action and the file.
    public var message: String
    /// The underlying error of the file system; nil if there is no such error.
    public var cause: (any Error)?

    init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The error message.
    public var description: String { message }
}
