// The errors of document streams.

/// A failure while reading or storing document data.
public struct DocumentStreamError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// The sender disconnected, or the server closed the connection, before the data was complete.
        case interrupted
        /// The sender stayed connected but sent nothing or too little before the deadline.
        case timedOut
        /// The data exceeds the size limit.
        case tooLarge
        /// The data does not match the `compression` attribute or is truncated.
        case badCompression
        /// The ratio of decompressed to compressed data exceeds the permitted ratio.
        case excessiveCompression
        /// The disk or the quota is full (`ENOSPC`, `EDQUOT`).
        case noSpace
        /// The file could not be created or written.
        case storage
        /// The stream was read twice, or by two readers at the same time.
        case alreadyRead
    }

    /// The kind of error, for programs.
    public var code: Code
    /// The explanation for people: what failed and what to do.
    public var message: String
    /// The underlying error, for debugging.
    public var cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}

extension DocumentStreamError {
    static func tooLarge(limit: Int) -> DocumentStreamError {
        DocumentStreamError(.tooLarge, "the document is larger than the limit of \(limit) bytes")
    }

    static var alreadyRead: DocumentStreamError {
        DocumentStreamError(.alreadyRead, "the document's data can be read only once")
    }
}
