// The errors of requests to printd.
//
// Module overview: the queue as a library, for printq, PrintSubmission and other programs.
//
//   DocumentFile ─► JobSubmission ─► Spooler ─► printd        (out: requests)
//   JobView, PrinterView ◄───────── Spooler ◄── printd        (in: attribute groups)
//
// Only `Spooler` sends requests to the daemon. `Spooler` starts the daemon (`DaemonLauncher`) when no process listens
// on the socket.

package import IPP
package import IPPClient

/// An error that concerns a request to printd, or a document that the client sends to printd.
///
///     do { try await spooler.cancel(7) } catch {
///         if error.code == .notDone { … }                     // the job has ended
///         print(error.message)                                // a sentence for people
///     }
public struct SpoolerClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    ///
    /// `printq` exits with one exit code for each kind.
    public enum Code: Sendable, CaseIterable {
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
    public var code: Code
    /// A sentence for users: what failed, on which object, and what to do next.
    public var message: String
    /// The underlying error, for debugging.
    public var cause: (any Error)?
    /// The response with which printd refused the request; nil if the error has another cause.
    package var refusal: Message?

    /// The keyword of the IPP status with which printd refused the request, such as `client-error-not-found` (RFC 8011
    /// §B.1); nil if the error has another cause.
    public var status: String? { refusal.map { "\($0.status)" } }
    /// The names of the attributes that printd refused, such as `media`; empty for other errors.
    public var unsupportedAttributes: [String] { refusal?[.unsupported]?.attributes.map(\.name) ?? [] }

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The error message for users.
    public var description: String { message }
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
