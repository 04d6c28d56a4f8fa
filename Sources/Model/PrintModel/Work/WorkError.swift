// What can go wrong with a document.

/// Why a document could not be worked on.
public struct WorkError: Error, Sendable, Codable, Hashable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Codable, Hashable {
        /// The document does not exist or cannot be read.
        case documentMissing
        /// Its format is not one that can be printed (IPP `document-format-error`).
        case unsupportedFormat
        /// It is damaged beyond repair (IPP `document-format-error`).
        case damaged
        /// It needs a password, or another one (IPP `document-password-error`).
        case passwordRequired
        /// It has no pages, or none of those asked for.
        case noPages
        /// It took more processor time than a worker may use.
        case processorTimeExceeded
        /// One of its pages took more processor time than a page may use.
        case pageTimeExceeded
        /// It took longer than a worker may take.
        case timeExceeded
        /// It needed more memory than a worker may use.
        case memoryExceeded
        /// What came out of it was larger than a worker may write.
        case outputTooLarge
        /// The worker ended without an answer.
        case workerCrashed
        /// The worker could not be started, or could not shut itself in.
        case workerUnavailable
        /// The kernel lacks a protection that the settings require; documents wait until a person changes either.
        case sandboxIncomplete
        /// The disk is full, or writing failed.
        case writeFailed
        /// The work was cancelled.
        case canceled
    }

    /// What went wrong, for programs.
    public var code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    public var message: String
    /// For whoever debugs: a signal, a library's own words.
    public var detail: String?

    /// An error.
    public init(_ code: Code, _ message: String, detail: String? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// The message.
    public var description: String { message }
}
