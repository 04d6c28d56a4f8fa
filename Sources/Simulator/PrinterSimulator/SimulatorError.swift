// The error type of PrinterSimulator.

import Glibc

/// An error of a simulated printer or of its file.
package struct SimulatorError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error, for programs.
    package enum Code: String, Sendable, Hashable {
        /// A printer file cannot be read, or has invalid contents.
        case badDescription
        /// A fault or a control command is invalid.
        case badFault
        /// The job does not exist (IPP `client-error-not-found`).
        case noSuchJob
        /// The state of the job or the printer does not allow the operation (IPP `client-error-not-possible`).
        case notPossible
        /// The printer does not support the format (IPP `client-error-document-format-not-supported`).
        case unsupportedFormat
        /// The job has too many documents (IPP `server-error-too-many-documents`).
        case tooManyDocuments
        /// The tray or supply does not exist.
        case noSuchPart
        /// A file in the output folder cannot be read or written.
        case fileSystem
        /// The disk of the output folder is full.
        case noSpace
    }

    /// The kind of the error, for programs.
    package var code: Code
    /// A sentence that states what failed, on which object, and what to do next.
    package var message: String
    /// The underlying error of the file system or a decoder; nil when there is none.
    package var cause: (any Error)?

    /// Creates an error.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }

    static func noSuchJob(_ id: Int, at printer: String) -> SimulatorError {
        SimulatorError(.noSuchJob, "printer '\(printer)' has no job \(id)")
    }

    static func fileSystem(_ what: String, _ path: String, _ number: Int32) -> SimulatorError {
        let isFull = number == ENOSPC || number == EDQUOT
        return SimulatorError(
            isFull ? .noSpace : .fileSystem,
            "cannot \(what) '\(path)': \(systemMessage(number))" + (isFull ? "; free some space" : ""))
    }
}
