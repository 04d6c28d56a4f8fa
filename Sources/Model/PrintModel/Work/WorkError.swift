// Defines errors in the processing of documents.

/// An error in the processing of a document.
public struct WorkError: Error, Sendable, Codable, Hashable, CustomStringConvertible {
    /// The type of error.
    public enum Code: String, Sendable, Codable, Hashable {
        /// The document does not exist or cannot be read.
        case documentMissing
        /// The document format is not supported (IPP `document-format-error`).
        case unsupportedFormat
        /// The document is damaged and cannot be repaired (IPP `document-format-error`).
        case damaged
        /// The document requires a password, or the password is wrong (IPP `document-password-error`).
        case passwordRequired
        /// The document has no pages, or no page of the document is selected.
        case noPages
        /// The document exceeded the worker's limit of processor time.
        case processorTimeExceeded
        /// A page exceeded the limit of processor time for one page.
        case pageTimeExceeded
        /// The document exceeded the worker's time limit.
        case timeExceeded
        /// The document exceeded the worker's memory limit.
        case memoryExceeded
        /// The output exceeded the worker's size limit.
        case outputTooLarge
        /// The document is too long for its converter; the converter for plain text can print it in a simpler form.
        case tooLong
        /// The worker ended without a result.
        case workerCrashed
        /// The worker could not start, or could not set up its sandbox.
        case workerUnavailable
        /// The kernel lacks a protection that the settings require; documents wait until a person changes the kernel or
        /// the settings.
        case sandboxIncomplete
        /// The disk is full, or writing failed.
        case writeFailed
        /// The work was canceled.
        case canceled
    }

    /// The type of error.
    public var code: Code
    /// One sentence for users: what failed, and what to do.
    public var message: String
    /// Details for debugging, such as a signal or a library's message.
    public var detail: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, detail: String? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// The message.
    public var description: String { message }
}
