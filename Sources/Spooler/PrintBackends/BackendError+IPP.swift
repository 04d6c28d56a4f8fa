// Translates IPP errors to backend errors.

import IPP
import IPPClient
import PrintIPP
import PrintModel

extension BackendError {
    /// Creates an error from a failed request to a printer.
    init(clientError error: IPPClientError, printer: String) {
        let code: Code =
            switch error.code {
            case .unreachable, .connectionLost, .timedOut: .unreachable
            case .documentUnreadable: .documentMissing
            case .authenticationRequired: .authenticationRequired
            case .untrusted: .untrusted
            default: .badAnswer
            }
        self.init(code, "\(printer): \(error.message)", mayHaveBeenReceived: error.mayHaveBeenReceived)
    }

    /// Creates an error from an IPP status code.
    init(status: Status, words: String?, printer: String) {
        let busy: [Status] = [
            .serverErrorBusy, .serverErrorNotAcceptingJobs, .serverErrorServiceUnavailable, .serverErrorTemporaryError,
            .serverErrorDeviceError,
        ]
        let said = words.map { ": \($0.prefixOfUTF8(1023))" } ?? ""
        self.init(busy.contains(status) ? .busy : .refused, "\(printer) answers \(status)\(said)")
    }
}
