// Lists the known failures of CUPS' test suites, with reasons.

extension IPPTool {
    /// An expectation of a suite that a printer intentionally does not meet.
    public struct Exception: Sendable {
        /// The prefix of the test's name.
        public var test: String
        /// A part of the line with the expectation, without quotes: `operations-supported WITH-VALUE 0x0029`.
        public var expectation: String
        /// The reason why the printer does not meet the expectation.
        public var reason: String

        /// Creates an exception.
        public init(test: String, expectation: String, reason: String) {
            (self.test, self.expectation, self.reason) = (test, expectation, reason)
        }
    }

    /// The requirements of IPP/2.2 for production printers that are not supported; `ipp-versions-supported` omits 2.2.
    public static let permitted: [Exception] =
        production + documents
        + [
            Exception(
                test: version22, expectation: "overrides-supported WITH-VALUE document-numbers",
                reason: "IPP Everywhere uses the member document-number, IPP/2.2 document-numbers"),
            Exception(
                test: version22, expectation: "printer-alert",
                reason: "a printer without an alert has no value, and IPP cannot send an empty list"),
            Exception(
                test: version22, expectation: "printer-message-from-operator",
                reason: "the message of an operator is in printer-state-message"),
            Exception(
                test: version22,
                expectation: "which-jobs-supported WITH-VALUE proof-print",
                reason: "proof prints are not supported"),
        ]

    private static let version22 = "PWG 5100.12 section 6.4"

    private static let production = [
        ("0x0024", "Pause-Printer-After-Current-Job: Pause-Printer stops at the next side"),
        ("0x0025", "Hold-New-Jobs: a paused queue already accepts jobs without printing them"),
        ("0x0026", "Release-Held-New-Jobs is only useful with Hold-New-Jobs"),
        ("0x0029", "Restart-Printer: printers cannot be restarted over the network"),
        ("0x002A", "Shutdown-Printer: printers cannot be switched off over the network"),
        ("0x002B", "Startup-Printer is only useful with Shutdown-Printer"),
        ("0x002C", "Reprocess-Job: Resubmit-Job creates a new job"),
        ("0x002D", "Cancel-Current-Job: a job is canceled by its number"),
        ("0x002E", "Suspend-Current-Job: a printer can be paused instead"),
        ("0x002F", "Resume-Job is only useful with Suspend-Current-Job; printd supports it, a printer does not"),
        ("0x0030", "Promote-Job: job-priority decides"), ("0x0031", "Schedule-Job-After: job-priority decides"),
    ].map { Exception(test: version22, expectation: "operations-supported WITH-VALUE \($0)", reason: $1) }

    private static let documents = ["0x0033", "0x0034", "0x0035", "0x0037"].map {
        Exception(
            test: version22, expectation: "operations-supported WITH-VALUE \($0)",
            reason: "a job has the attributes of its documents (PWG 5100.5)")
    }
}

extension IPPTool.Run {
    /// Returns the failures that no exception covers, with the whole output of ipptool for each.
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
