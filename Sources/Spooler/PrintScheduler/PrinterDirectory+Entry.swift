// Defines what the directory knows about a printer.

import PrintModel

extension PrinterDirectory {
    /// A backend, and the last responses of its printer.
    struct Entry {
        var deviceURI: String
        var backend: any PrinterBackend
        var capabilities: PrinterCapabilities?
        var askedAt: UnixTime = -.infinity
        /// Whether the printer has responded to a request for its capabilities, or missed a deadline.
        var wasAsked = false
        /// Whether a request for the capabilities is in progress for which nobody waits.
        var isBeingAsked = false
        var status: PrinterStatus?
        var statusAt: UnixTime = -.infinity
        /// The number of times that `status` has expired before the end of its lifetime.
        var expirations = 0
        /// The value of `expirations` at the start of the request that returned `status`.
        var expirationsAtRequest = 0
        /// The error of the last status request; nil if the printer responded.
        var problem: BackendError?
        /// Whether the last request for the status or the capabilities failed.
        var isSilent = false
        /// The time at which the printer last missed the deadline of `quickStatus(of:)`.
        var slowAt: UnixTime = -.infinity
        /// The last request for the capabilities.
        var capabilitiesRequest: SharedRequest<Result<PrinterCapabilities, BackendError>>?
        /// The last request for the status.
        var statusRequest: SharedRequest<Void>?
        /// The value of `expirations` at the start of `statusRequest`.
        var expirationsAtStart = 0
        /// The state reasons in this printer's newest event in the event log.
        var reportedReasons: [String] = []
        /// The error of the last Create-Job request, if a person must fix the problem.
        ///
        /// A printer with such an error may still respond to status requests.
        var refusal: BackendError?

        /// The status that is shown to users.
        ///
        /// After the printer has refused a job, this status describes the refusal. Otherwise this is the status that
        /// the printer reported.
        var shownStatus: PrinterStatus? { status.map { refusal.flatMap(PrinterStatus.init(awaitingPerson:)) ?? $0 } }
    }
}

extension PrinterStatus {
    /// Creates the status `stopped` from an error if the printer requires credentials or a person must accept the
    /// printer's certificate.
    ///
    /// The result is nil for any other error.
    ///
    /// The state reasons of the result are CUPS keywords.
    init?(awaitingPerson error: BackendError) {
        switch error.code {
        case .authenticationRequired:
            self.init(state: .stopped, reasons: ["cups-held-for-authentication"], message: error.message)
        case .untrusted: self.init(state: .stopped, reasons: ["cups-certificate-error"], message: error.message)
        default: return nil
        }
    }
}
