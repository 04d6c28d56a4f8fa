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

/// An error of a request to printd, or of a document to be sent to printd.
package struct SpoolerClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, CaseIterable {
        /// printd carried out the request, but the expected result did not occur.
        case notDone
        /// The request names something that does not exist, or has an invalid value.
        case usage
        /// The document cannot be printed.
        case badDocument
        /// The file does not exist or cannot be read.
        case noInput
        /// printd is not running, or a device cannot be added as a printer.
        case unavailable
        /// printd has an internal error.
        case software
        /// The output cannot be written.
        case output
        /// The request may succeed later.
        case temporary
        /// The response is not valid, or the device is not a printer.
        case badAnswer
        /// The object belongs to another user, or the printer requires credentials or a trusted certificate.
        case noPermission
    }

    /// The kind of failure.
    package var code: Code
    /// A sentence with the failed action, the affected object, and the next step.
    package var message: String
    /// The underlying error, for debugging.
    package var cause: (any Error)?

    /// Creates an error.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
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
    /// Creates the kind of failure that an IPP status represents.
    package init(status: Status) {
        switch status {
        case .clientErrorNotAuthorized, .clientErrorForbidden, .clientErrorNotAuthenticated: self = .noPermission
        case .clientErrorDocumentFormatNotSupported, .clientErrorDocumentFormatError, .clientErrorCompressionError,
            .clientErrorCompressionNotSupported, .clientErrorDocumentPasswordError,
            .clientErrorDocumentPermissionError, .clientErrorDocumentSecurityError,
            .clientErrorDocumentUnprintableError, .clientErrorRequestEntityTooLarge:
            self = .badDocument
        case .clientErrorNotPossible: self = .notDone
        case .clientErrorTimeout, .serverErrorTemporaryError, .serverErrorBusy, .serverErrorNotAcceptingJobs,
            .serverErrorServiceUnavailable, .serverErrorTooManyJobs, .serverErrorTooManyDocuments,
            .serverErrorPrinterIsDeactivated:
            self = .temporary
        default: self = status.rawValue & 0xFF00 == 0x0400 ? .usage : .software
        }
    }
}
