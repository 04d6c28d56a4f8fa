// Reads the status of a job from the attributes of a CUPS server.

import IPP
import PrintIPP
import PrintModel

extension RemoteJobStatus {
    /// The job and printer attributes that the spooler requests from a CUPS server.
    static let cupsAttributeNames =
        attributeNames + ["job-printer-state-message", "job-printer-state-reasons", "job-hold-until"]

    /// Creates the status of a job at a queue; nil if the attributes do not contain the job's state.
    ///
    /// CUPS reports a job as `processing` even if the printer has stopped, and counts a page as soon as the CUPS
    /// filters have produced the page. Therefore the status of the printer overrides the job's state, and pages count
    /// only for a completed job. If cupsd is killed or the queue is stopped while a job prints, CUPS prints the job
    /// again from the beginning.
    init?(cups attributes: AttributeGroup, queue: String) {
        guard let status = RemoteJobStatus(attributes: attributes) else { return nil }
        self = status
        let said = attributes.string("job-printer-state-message")?.prefixOfUTF8(1023) ?? ""
        let reasons = attributes.keywords("job-printer-state-reasons")
        begunAt = attributes.integer("time-at-processing").map(Int.init)
        if message.isEmpty { message = said }
        // CUPS leaves this reason on completed jobs.
        self.reasons.removeAll { $0.rawValue == "processing-to-stop-point" && state.isTerminal }
        if state != .completed {
            let isUntouched = attributes["time-at-processing"]?.first?.outOfBandValue == .noValue
            (impressionsCompleted, sheetsCompleted) = isUntouched ? (0, 0) : (nil, nil)
        }
        switch state {
        case .pendingHeld
        where impressionsCompleted == 0 && attributes.strings("job-hold-until") == ["no-hold"]
            && !self.reasons.contains(.jobHoldUntilSpecified):
            // No user holds the job. cupsd was killed, and no longer reports that the job waits for its document.
            if !self.reasons.contains(.jobIncoming) { self.reasons.append(.jobIncoming) }
        case .pendingHeld where !self.reasons.contains(.jobIncoming):
            stop(
                "The job is held at CUPS; release the job with "
                    + "'lp -i \(queue)-\(attributes.integer("job-id") ?? 0) -H resume'")
        case .processing:
            guard let words = Self.trouble(reasons: reasons, message: said) else { break }
            stop(words)
        case .canceled where message.lowercased().contains("canceled at printer"):
            // The IPP backend of CUPS reports the same message if a user canceled the job at the printer and if the
            // printer aborted the job. Only a person can decide between the two cases. The message is checked because
            // `job-state-reasons` do not always contain this information.
            state = .aborted
            self.reasons = [.abortedBySystem]
            message = "CUPS reports '\(message)'; the cause may also be a power loss or a reset of the printer"
        case .processingStopped where message.isEmpty:
            stop("CUPS has stopped the job; see the error log of CUPS for the reason")
        default: break
        }
    }

    private mutating func stop(_ words: String) {
        state = .processingStopped
        message = words
    }

    /// Returns the reason why a job that CUPS reports as `processing` cannot continue; nil if the job can continue.
    private static func trouble(reasons: [String], message: String) -> String? {
        if let reason = reasons.first(where: { $0.hasSuffix("-error") || $0.hasPrefix("offline") || $0 == "timed-out" })
        {
            return message.isEmpty ? "The printer reports \(reason)" : message
        }
        return silences.contains { message.hasPrefix($0) } ? message : nil
    }

    /// The prefixes of the messages that a CUPS backend reports if the backend cannot reach the printer.
    ///
    /// These messages have no reason keyword.
    ///
    /// CUPS writes the messages in the language of the job, which is English for jobs of this spooler.
    private static let silences = [
        "The printer may not exist", "The printer is unreachable", "The printer is not responding",
        "The printer is not connected", "The printer is in use", "The printer is busy", "Unable to locate printer",
        "Unable to connect", "Waiting for printer to become available", "Printer not connected",
        "Network host",
    ]
}
