// The errors of document streams.

/// A failure while reading or storing document data.
public struct DocumentStreamError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for a sender that disconnected, or a connection that the server closed, before the data was
        /// complete.
        case interrupted
        /// An error for a sender that stayed connected, but sent too little data or no data before the deadline.
        case timedOut
        case tooLarge
        /// An error for data that does not match the `compression` attribute or is truncated.
        case badCompression
        /// An error for compressed data whose decompressed size exceeds the permitted ratio.
        case excessiveCompression
        /// An error for a full disk or an exhausted quota (`ENOSPC`, `EDQUOT`).
        case noSpace
        case storage
        /// An error for a stream that was read twice, or by two readers at the same time.
        case alreadyRead
    }

    package var code: Code
    /// The explanation for people: what failed and what to do.
    package var message: String
    package var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// The error message for people.
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
