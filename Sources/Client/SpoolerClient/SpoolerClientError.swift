// The errors of requests to printd.
//
// Module overview: the code that printq and PrintSubmission share.
//
//   DocumentFile ─► JobSubmission ─► Spooler ─► printd        (out: requests)
//   JobView, PrinterView ◄───────── Spooler ◄── printd        (in: attribute groups)
//
// Only `Spooler` sends requests to the daemon. `Spooler` starts the daemon (`DaemonLauncher`) when no process listens
// on the socket.

package import IPP
package import IPPClient

/// An error that concerns a request to printd, or a document that the client sends to printd.
package struct SpoolerClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    package enum Code: Sendable, CaseIterable {
        /// An error for an action that is not possible in the current state, or for a job that was not printed.
        case notDone
        /// An error for a request with an unknown object or an invalid value.
        case usage
        /// An error for a document that cannot be printed.
        case badDocument
        /// An error for a file that does not exist or cannot be read.
        case noInput
        /// An error for a printd that is not running, or a device that cannot be added as a printer.
        case unavailable
        /// An internal error of printd.
        case software
        /// An error for output that cannot be written.
        case output
        /// A temporary error. The same request can succeed later.
        case temporary
        /// An error for an invalid response, or for a device that is not a printer.
        case badAnswer
        /// An error for an object of another user, or for a printer that requires credentials or a trusted certificate.
        case noPermission
        /// An error for a configuration that is invalid or cannot be used.
        case configuration
    }

    /// The kind of failure, for programs.
    package var code: Code
    /// A sentence for users: what failed, on which object, and what to do next.
    package var message: String
    /// The underlying error, for debugging.
    package var cause: (any Error)?
    /// The response with which printd refused the request; nil if the error has another cause.
    package var refusal: Message?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The error message for users.
    package var description: String { message }
}

extension SpoolerClientError {
    /// Creates the error for a request that printd refused.
    package init(refusal: Message) {
        let operation = refusal[.operation]
        let words = operation?.string("detailed-status-message") ?? operation?.string("status-message") ?? ""
        let code: Code =
            switch operation?.string("printq-check-failure") {
            case "no-printer": .badAnswer
            case "refused": .unavailable
            case "access": .noPermission
            default: Code(status: refusal.status)
            }
        self.init(
            code,
            words.isEmpty ? "printd refuses the request: \(refusal.status)" : words.printable)
        self.refusal = refusal
    }

    /// Creates the error for a request that could not be sent or has no valid response.
    package init(_ error: IPPClientError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unavailable
            case .connectionLost, .timedOut, .canceled: .temporary
            case .documentUnreadable: .noInput
            case .badRequest: .usage
            case .httpStatus, .badResponse, .tooLarge: .badAnswer
            case .authenticationRequired, .untrusted: .noPermission
            }
        self.init(code, error.message, cause: error)
    }
}

extension SpoolerClientError.Code {
    /// Creates the error code that corresponds to an IPP status.
    package init(status: Status) {
        switch status {
        case .clientErrorNotAuthorized, .clientErrorForbidden, .clientErrorNotAuthenticated: self = .noPermission
        case .clientErrorDocumentFormatNotSupported, .clientErrorDocumentFormatError, .clientErrorCompressionError,
            .clientErrorCompressionNotSupported, .clientErrorDocumentPasswordError,
            .clientErrorDocumentPermissionError, .clientErrorDocumentSecurityError,
            .clientErrorDocumentUnprintableError, .clientErrorRequestEntityTooLarge:
            self = .badDocument
        case .clientErrorNotPossible, .clientErrorAccountLimitReached: self = .notDone
        case .clientErrorTimeout, .serverErrorTemporaryError, .serverErrorBusy, .serverErrorNotAcceptingJobs,
            .serverErrorServiceUnavailable, .serverErrorTooManyJobs, .serverErrorTooManyDocuments,
            .serverErrorPrinterIsDeactivated:
            self = .temporary
        default: self = status.rawValue & 0xFF00 == 0x0400 ? .usage : .software
        }
    }
}
