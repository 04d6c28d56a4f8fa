// The exit codes of printq.

import SpoolerClient

extension SpoolerClientError.Code {
    /// The exit code of printq for this failure: a code of `sysexits.h`, or 1 if that header has no code for the
    /// failure.
    var exitCode: Int32 {
        switch self {
        case .notDone: 1
        case .usage: 64  // EX_USAGE
        case .badDocument: 65  // EX_DATAERR
        case .noInput: 66  // EX_NOINPUT
        case .unavailable: 69  // EX_UNAVAILABLE
        case .software: 70  // EX_SOFTWARE
        case .output: 74  // EX_IOERR
        case .temporary: 75  // EX_TEMPFAIL
        case .badAnswer: 76  // EX_PROTOCOL
        case .noPermission: 77  // EX_NOPERM
        case .configuration: 78  // EX_CONFIG
        }
    }

    /// The meaning of the exit code for help texts, such as `no such file`.
    private var meaning: String {
        switch self {
        case .notDone: "the command failed, or a job was not completed"
        case .usage: "invalid command line, or unknown job or printer"
        case .badDocument: "the document cannot be printed"
        case .noInput: "no such file"
        case .unavailable: "printd is not running, or a printer refuses the request"
        case .software: "an internal error of printd"
        case .output: "the output cannot be written"
        case .temporary: "a temporary failure (try again later)"
        case .badAnswer: "an invalid response, or the device is not a printer"
        case .noPermission: "permission denied, or credentials are missing"
        case .configuration: "the configuration is invalid"
        }
    }

    /// All exit codes with their meanings, as one sentence of a help text.
    static var exitCodeHelp: String {
        "Exit codes: 0 done; " + allCases.map { "\($0.exitCode) \($0.meaning)" }.joined(separator: "; ")
            + "; 130 interrupted (143 by SIGTERM)."
    }
}
