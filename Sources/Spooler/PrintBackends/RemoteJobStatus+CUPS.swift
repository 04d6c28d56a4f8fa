// How a cupsd says that a job is doing.

import IPP
import PrintIPP
import PrintModel

extension RemoteJobStatus {
    /// The attributes to ask a cupsd for.
    static let cupsAttributeNames =
        attributeNames + ["job-printer-state-message", "job-printer-state-reasons", "job-hold-until"]

    /// How the job with these attributes is doing at a queue; nil when they do not say its state.
    ///
    /// To a cupsd a job is `processing` whatever its printer lacks, and pages are printed when its filters have made them.
    /// So what the printer says stands before the job's state, and pages count when the job has ended well. A job that was in
    /// hand when cupsd was killed, or when its queue was stopped, is begun anew.
    init?(cups attributes: AttributeGroup, queue: String) {
        guard let status = RemoteJobStatus(attributes: attributes) else { return nil }
        self = status
        let said = attributes.string("job-printer-state-message")?.prefixOfUTF8(1023) ?? ""
        let reasons = attributes.keywords("job-printer-state-reasons")
        begunAt = attributes.integer("time-at-processing").map(Int.init)
        if message.isEmpty { message = said }
        // cupsd leaves it on jobs that have ended well.
        self.reasons.removeAll { $0.rawValue == "processing-to-stop-point" && state.isTerminal }
        if state != .completed {
            let isUntouched = attributes["time-at-processing"]?.first?.outOfBandValue == .noValue
            (impressionsCompleted, sheetsCompleted) = isUntouched ? (0, 0) : (nil, nil)
        }
        switch state {
        case .pendingHeld
        where impressionsCompleted == 0 && attributes.strings("job-hold-until") == ["no-hold"]
            && !self.reasons.contains(.jobHoldUntilSpecified):
            // Nobody holds it: a cupsd that was killed has forgotten that it waits for the job's document.
            if !self.reasons.contains(.jobIncoming) { self.reasons.append(.jobIncoming) }
        case .pendingHeld where !self.reasons.contains(.jobIncoming):
            stop(
                "The job is held at CUPS; release it there with 'lp -i \(queue)-\(attributes.integer("job-id") ?? 0) -H resume'"
            )
        case .processing:
            guard let words = Self.trouble(reasons: reasons, message: said) else { break }
            stop(words)
        case .canceled where message.lowercased().contains("canceled at printer"):
            // CUPS' backend for IPP makes no difference between a job that somebody canceled there and one that the printer gave
            // up: only a person can know. The reasons do not always say what the message does.
            state = .aborted
            self.reasons = [.abortedBySystem]
            message = "CUPS reports '\(message)', as it does also when the printer lost power or was reset"
        case .processingStopped where message.isEmpty:
            stop("CUPS has stopped the job; its error log says why")
        default: break
        }
    }

    private mutating func stop(_ words: String) {
        state = .processingStopped
        message = words
    }

    /// What keeps a job from going on that its cupsd calls `processing`, in words; nil when nothing does.
    private static func trouble(reasons: [String], message: String) -> String? {
        if let reason = reasons.first(where: { $0.hasSuffix("-error") || $0.hasPrefix("offline") || $0 == "timed-out" })
        {
            return message.isEmpty ? "The printer says \(reason)" : message
        }
        return silences.contains { message.hasPrefix($0) } ? message : nil
    }

    /// How CUPS' backends say, without a reason, that they do not reach the printer.
    ///
    /// Each job has them speak its own language, and ours is English.
    private static let silences = [
        "The printer may not exist", "The printer is unreachable", "The printer is not responding",
        "The printer is not connected", "The printer is in use", "The printer is busy", "Unable to locate printer",
        "Unable to connect", "Waiting for printer to become available", "Printer not connected",
        "Network host",
    ]
}
