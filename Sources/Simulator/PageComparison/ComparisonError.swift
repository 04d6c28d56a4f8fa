// The error type of PageComparison.

/// An error while reading or writing the page images of a comparison.
public struct ComparisonError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error, for programs.
    public enum Code: String, Sendable, Hashable {
        /// A file cannot be read or written, or is not an image of a page.
        case unreadable
    }

    /// The kind of the error, for programs.
    public var code: Code { .unreadable }
    /// A sentence that states what failed, and on which file.
    public var message: String
    /// The underlying error of the file system; nil when there is none.
    public var cause: (any Error)?

    init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
