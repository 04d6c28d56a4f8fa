// The failures of CUPS' suites that are known, each with its reason.

extension IPPTool {
    /// An expectation of a suite that a printer does not meet, on purpose.
    public struct Exception: Sendable {
        /// How the name of the test begins.
        public var test: String
        /// What the line of the expectation contains, without quotes: `operations-supported WITH-VALUE 0x0029`.
        public var expectation: String
        /// Why the printer does not meet it.
        public var reason: String

        /// An exception.
        public init(test: String, expectation: String, reason: String) {
            (self.test, self.expectation, self.reason) = (test, expectation, reason)
        }
    }

    /// What IPP/2.2 demands of production printers and is not offered here; `ipp-versions-supported` says so.
    public static let permitted: [Exception] =
        production + documents
        + [
            Exception(
                test: version22, expectation: "overrides-supported WITH-VALUE document-numbers",
                reason: "IPP Everywhere has the member document-number, IPP/2.2 document-numbers"),
            Exception(
                test: version22, expectation: "printer-alert",
                reason: "a printer without an alert has no value for the attribute, and none cannot be sent"),
            Exception(
                test: version22, expectation: "printer-message-from-operator",
                reason: "an operator's words are in printer-state-message"),
            Exception(
                test: version22,
                expectation: "which-jobs-supported WITH-VALUE proof-print",
                reason: "there are no proofs"),
        ]

    /// More that a queue of `printd` does not have.
    public static let permittedOfQueues: [Exception] =
        [
            ("0x0013", "Set-Printer-Attributes: lpadmin's CUPS-Add-Modify-Printer changes a queue"),
            ("0x0015", "Get-Printer-Supported-Values goes with Set-Printer-Attributes"),
        ].map { Exception(test: version21, expectation: "operations-supported WITH-VALUE \($0)", reason: $1) } + [
            Exception(
                test: version21, expectation: "printer-settable-attributes-supported",
                reason: "Set-Printer-Attributes is not offered")
        ]

    private static let version21 = "PWG 5100.12 section 6.3"
    private static let version22 = "PWG 5100.12 section 6.4"

    private static let production = [
        ("0x0024", "Pause-Printer-After-Current-Job: Pause-Printer stops at the next side"),
        ("0x0025", "Hold-New-Jobs: a queue that takes jobs and prints none is a paused one"),
        ("0x0026", "Release-Held-New-Jobs goes with Hold-New-Jobs"),
        ("0x0029", "Restart-Printer: nobody restarts a printer over the network"),
        ("0x002A", "Shutdown-Printer: nobody switches a printer off over the network"),
        ("0x002B", "Startup-Printer goes with Shutdown-Printer"),
        ("0x002C", "Reprocess-Job: Resubmit-Job makes a new job"),
        ("0x002D", "Cancel-Current-Job: a job is canceled by its number"),
        ("0x002E", "Suspend-Current-Job: a printer pauses, its jobs wait"),
        ("0x002F", "Resume-Job goes with Suspend-Current-Job; printd has it, a printer does not"),
        ("0x0030", "Promote-Job: job-priority decides"), ("0x0031", "Schedule-Job-After: job-priority decides"),
    ].map { Exception(test: version22, expectation: "operations-supported WITH-VALUE \($0)", reason: $1) }

    private static let documents = ["0x0033", "0x0034", "0x0035", "0x0037"].map {
        Exception(
            test: version22, expectation: "operations-supported WITH-VALUE \($0)",
            reason: "a document has no attributes of its own, its job has (PWG 5100.5)")
    }
}

extension IPPTool.Run {
    /// The failures with an expectation that no exception names; of each such test all that ipptool says.
    public func failures(except exceptions: [IPPTool.Exception]) -> [IPPTool.Result] {
        failures.filter { failure in
            let missed = failure.details.filter { $0.hasPrefix("EXPECTED:") }.map { $0.filter { $0 != "\"" } }
            guard !missed.isEmpty else { return true }
            return !missed.allSatisfy { line in
                exceptions.contains { failure.name.hasPrefix($0.test) && line.contains($0.expectation) }
            }
        }
    }
}
