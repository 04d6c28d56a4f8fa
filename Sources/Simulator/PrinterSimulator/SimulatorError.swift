// What can go wrong with a simulated printer.

import Glibc

/// Why a simulated printer could not be read from its file, or would not do what was asked.
package struct SimulatorError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    package enum Code: String, Sendable, Hashable {
        /// A printer's file cannot be read, or says something that no printer can be.
        case badDescription
        /// A fault is written in words that make no sense.
        case badFault
        /// There is no such job (IPP `client-error-not-found`).
        case noSuchJob
        /// The job's state does not allow it (IPP `client-error-not-possible`).
        case notPossible
        /// The printer does not take that format (IPP `client-error-document-format-not-supported`).
        case unsupportedFormat
        /// The printer takes no more documents in a job (IPP `server-error-too-many-documents`).
        case tooManyDocuments
        /// There is no such tray or supply.
        case noSuchPart
        /// A file of the output folder cannot be written or read.
        case fileSystem
        /// The disk of the output folder is full.
        case noSpace
    }

    /// What went wrong, for programs.
    package var code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    package var message: String
    /// What the file system or a decoder said.
    package var cause: (any Error)?

    /// An error.
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
            "cannot \(what) '\(path)': \(systemMessage(number))" + (isFull ? "; make room there" : ""))
    }
}
