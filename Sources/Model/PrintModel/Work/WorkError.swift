// Defines errors in the processing of documents.

/// An error in the processing of a document.
public struct WorkError: Error, Sendable, Codable, Hashable, CustomStringConvertible {
    /// The type of a document error.
    public enum Code: String, Sendable, Codable, Hashable {
        /// An error for a document that does not exist or cannot be read.
        case documentMissing
        /// An error for an unsupported document format (IPP `document-format-error`).
        case unsupportedFormat
        /// An error for a damaged document that cannot be repaired (IPP `document-format-error`).
        case damaged
        /// An error for a missing or wrong document password (IPP `document-password-error`).
        case passwordRequired
        /// An error for a document without pages or without selected pages.
        case noPages
        case processorTimeExceeded
        /// An error for a page that exceeded the limit of CPU time for one page.
        case pageTimeExceeded
        /// An error for a document that exceeded the worker's limit of wall-clock time.
        case timeExceeded
        /// An error for a document that exceeded the worker's memory limit.
        case memoryExceeded
        case outputTooLarge
        /// An error for a document that exceeds the size limit of its converter (IPP `document-unprintable-error`).
        case documentTooLarge
        /// An error for a document that exceeds the length limit of its converter. The converter for plain text can
        /// print the document in a simpler form.
        case tooLong
        /// An error for a worker that ended without a result.
        case workerCrashed
        /// An error for a worker that could not start, or could not set up its sandbox.
        case workerUnavailable
        /// An error for a kernel without a protection that the settings require. Documents wait until a person changes
        /// the kernel or the settings.
        case sandboxIncomplete
        /// An error for a full disk or a failed write.
        case writeFailed
        case canceled
    }

    /// The type of the document error.
    public var code: Code
    /// The error message for users, in one sentence: what failed, and what to do.
    public var message: String
    /// Details for debugging, such as a signal or a library's message.
    public var detail: String?

    /// Creates a document error.
    public init(_ code: Code, _ message: String, detail: String? = nil) {
        (self.code, self.message, self.detail) = (code, message, detail)
    }

    /// Returns the error for an encrypted document whose password is missing or wrong.
    ///
    /// - Parameter name: The name of the document in the message.
    package static func encrypted(_ name: String, passwordGiven: Bool, detail: String? = nil) -> WorkError {
        WorkError(
            .passwordRequired,
            passwordGiven
                ? "incorrect password for \(name); enter the password with which the document was encrypted"
                : "\(name) is encrypted and requires a password; enter the password with 'printq submit --password', or "
                    + "print a copy without a password",
            detail: detail)
    }

    /// The error message for users.
    public var description: String { message }
}
