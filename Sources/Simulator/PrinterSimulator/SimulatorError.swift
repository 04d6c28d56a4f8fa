// The error type of PrinterSimulator.

import Glibc

package struct SimulatorError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        /// An error for a printer file that cannot be read or has invalid contents.
        case badDescription
        case badFault
        /// An error for a job that does not exist (IPP `client-error-not-found`).
        case noSuchJob
        /// An error for an operation that the state of the job or the printer does not allow (IPP
        /// `client-error-not-possible`).
        case notPossible
        /// An error for a format that the printer does not support (IPP `client-error-document-format-not-supported`).
        case unsupportedFormat
        /// An error for a job with too many documents (IPP `server-error-too-many-documents`).
        case tooManyDocuments
        /// An error for a tray or supply that does not exist.
        case noSuchPart
        case fileSystem
        /// An error for an output folder on a full disk.
        case noSpace
    }

    package var code: Code
    package var message: String
    package var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { message }

    static func noSuchJob(_ id: Int, at printer: String) -> SimulatorError {
        SimulatorError(.noSuchJob, "printer '\(printer)' has no job \(id)")
    }

    static func fileSystem(
        _ what: String, _ path: String, to target: String? = nil, _ number: Int32
    ) -> SimulatorError {
        let isFull = number == ENOSPC || number == EDQUOT
        return SimulatorError(
            isFull ? .noSpace : .fileSystem,
            "cannot \(what) '\(path)'\(target.map { " to '\($0)'" } ?? ""): \(systemMessage(number))"
                + (isFull ? "; free some space" : ""))
    }
}
