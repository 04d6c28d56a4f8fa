// Why a document's data stopped before its end.

/// A failure while reading or storing document data.
public struct DocumentStreamError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// The sender went away, or the server closed the connection, before the data was complete.
        case interrupted
        /// The sender stayed connected but sent nothing, or too slowly, past the deadline.
        case timedOut
        /// More data came than the limit allows.
        case tooLarge
        /// The data is not what the `compression` attribute says, or is cut off.
        case badCompression
        /// The data inflates beyond the permitted ratio.
        case excessiveCompression
        /// There is no room left on the disk (`ENOSPC`, `EDQUOT`).
        case noSpace
        /// The file could not be made or written.
        case storage
        /// The stream was read a second time, or by two readers at once.
        case alreadyRead
    }

    /// What kind of failure it was.
    public var code: Code
    /// What failed and what to do about it, for people.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    /// A failure of the given kind.
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
