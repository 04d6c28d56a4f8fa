// Why a command did not do what it was told, with its exit code.
//
// The module's overview: what printq and PrintSubmission have in common.
//
//   DocumentFile ─► JobSubmission ─► Queue ─► printd        (out: requests)
//   JobView, PrinterView ◄───────── Queue ◄── printd        (in: attribute groups)
//
// `Spooler` is the only one that talks to the daemon, and starts it (`DaemonLauncher`) when nobody answers.

package import IPP
package import IPPClient

/// Why a command did not do what it was told.
package struct SpoolerClientError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; the raw values are exit codes, sysexits.h's where it has one.
    package enum Code: Int32, Sendable, CaseIterable {
        /// The command was understood, but what it waited for did not come about.
        case notDone = 1
        /// The command line asks for something that does not exist (EX_USAGE).
        case usage = 64
        /// The document cannot be printed (EX_DATAERR).
        case badDocument = 65
        /// There is no such file (EX_NOINPUT).
        case noInput = 66
        /// There is no daemon, or a printer that refuses to be one of the queue's (EX_UNAVAILABLE).
        case unavailable = 69
        /// The daemon has a fault (EX_SOFTWARE).
        case software = 70
        /// The output cannot be written (EX_IOERR).
        case output = 74
        /// It may work later (EX_TEMPFAIL).
        case temporary = 75
        /// The daemon's answer makes no sense, or what was to be a printer is none (EX_PROTOCOL).
        case badAnswer = 76
        /// It belongs to somebody else, or a printer wants to know who we are, or is not trusted (EX_NOPERM).
        case noPermission = 77
    }

    /// What kind of failure it is.
    package var code: Code
    /// One sentence: what failed, on what, what to do next.
    package var message: String
    /// The failure underneath, for whoever debugs.
    package var cause: (any Error)?

    /// A failure.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }
}

extension SpoolerClientError.Code {
    /// What the exit code means, for help texts: `no such file`.
    package var meaning: String {
        switch self {
        case .notDone: "not done, or not to its end"
        case .usage: "wrong command line, or an unknown job or printer"
        case .badDocument: "the document cannot be printed"
        case .noInput: "no such file"
        case .unavailable: "no printd, or a printer that refuses"
        case .software: "a fault in printd"
        case .output: "the output cannot be written"
        case .temporary: "try again later"
        case .badAnswer: "an answer that makes no sense, or no printer there"
        case .noPermission: "not yours, or a login is missing"
        }
    }

    /// All exit codes with their meanings, as one sentence for help texts.
    package static var help: String {
        "Exit codes: 0 done; " + allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")
            + "; 130 interrupted while it waited."
    }
}

extension SpoolerClientError {
    /// The failure that a refusal by the daemon is; `message` when the answer carries no words.
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
            words.isEmpty ? "printd refuses: \(refusal.status)" : words.printable)
    }

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
    /// The exit code that an IPP status means.
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
