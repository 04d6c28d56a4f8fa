// Why pages cannot be compared.

/// Why pages cannot be compared: a file is missing, or is no image.
public struct ComparisonError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Hashable {
        /// A file cannot be read, or is no image of a page.
        case unreadable
    }

    /// What went wrong, for programs.
    public var code: Code { .unreadable }
    /// What failed, on what: one sentence for people.
    public var message: String
    /// What the file system said.
    public var cause: (any Error)?

    init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
