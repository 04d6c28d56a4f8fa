// Why a job is where it is, in words.

import FoundationEssentials

/// What there is to know about a job's surroundings, to say why it waits.
public struct JobContext: Hashable, Sendable {
    /// Its printer, as the queue knows it; nil when it is gone.
    public var printer: ConfiguredPrinter?
    /// How the printer says it is; nil when it cannot be reached.
    public var status: PrinterStatus?
    /// How many jobs are to be printed before it on the same printer.
    public var jobsAhead: Int
    /// In a queue that prints in strict order, the job that must end first; nil when there is none.
    public var blocker: Blocker?
    /// The time, in seconds since 1970.
    public var now: UnixTime

    /// A job that must end before another one is begun.
    public struct Blocker: Hashable, Sendable {
        /// Its number.
        public var id: Int
        /// Its printer.
        public var printer: String
        /// Why it has not ended: a sentence or two.
        public var explanation: String

        /// A job that must end first.
        public init(id: Int, printer: String, explanation: String) {
            self.id = id
            self.printer = printer
            self.explanation = explanation
        }
    }

    /// The surroundings of a job.
    public init(
        printer: ConfiguredPrinter?, status: PrinterStatus?, jobsAhead: Int, blocker: Blocker? = nil, now: UnixTime
    ) {
        self.printer = printer
        self.status = status
        self.jobsAhead = jobsAhead
        self.blocker = blocker
        self.now = now
    }
}

extension Job {
    /// Why the job is in its state, and what happens next: a sentence or two for people.
    public func explanation(in surroundings: JobContext) -> String {
        switch state {
        case .pending: whyPending(surroundings)
        case .pendingHeld: whyHeld(now: surroundings.now)
        case .processing, .processingStopped: whyProcessing
        case .canceled: "Job \(id) was canceled by \(canceler)" + (message.isEmpty ? "." : ": \(Self.ended(message))")
        case .aborted:
            "Job \(id) was given up: "
                + Self.ended(message.isEmpty ? reasons.map(\.rawValue).joined(separator: ", ") : message)
        case .completed: "Job \(id) was printed: " + Self.ended(message.isEmpty ? amount : message)
        }
    }

    /// What was seen of it at its printer: `3 pages were seen printed`.
    public var seenPrinted: String {
        switch printedImpressions {
        case ...0: "it may have been printed"
        case 1: "1 \(sideNoun) was seen printed"
        default: "\(printedImpressions) \(sideNoun)s were seen printed"
        }
    }

    /// What may be done with a suspended job, once someone has looked at the paper: a part of a sentence.
    public var waysOn: String {
        let resume =
            switch impressionsCompleted {
            case ...0: "'printq resume \(id) --from PAGE' goes on with a page"
            case (impressions ?? .max)...: "'printq resume \(id) --from PAGE' goes back to a page"
            default:
                "'printq resume \(id)' goes on with \(sideNoun) \(printedImpressions + 1), '--from PAGE' with another"
            }
        return resume + ", 'printq reprint \(id)' prints all of it, 'printq cancel \(id)' gives it up"
    }

    private func whyPending(_ surroundings: JobContext) -> String {
        guard let printer = surroundings.printer else {
            return
                "Job \(id) waits for \(self.printer), which no longer exists; cancel the job or add the printer again."
        }
        if let blocker = surroundings.blocker {
            return "Job \(id) waits because the queue prints in strict order and job \(blocker.id) on "
                + "\(blocker.printer) is before it. \(blocker.explanation)"
        }
        if printer.isPaused {
            let why = printer.pauseMessage.isEmpty ? "" : " (\(printer.pauseMessage))"
            return "Job \(id) waits because \(printer.name) is paused\(why); "
                + "it goes on with 'printq printers resume \(printer.name)'."
        }
        if let retryAt, retryAt > surroundings.now, reasons.contains(.jobResuming) {
            let seconds = Int((retryAt - surroundings.now).rounded(.up))
            let place = resumeWords ?? "\(sideNoun) 1"
            return "Job \(id) was interrupted: \(Self.ended(message)) It goes on with \(place) in \(seconds) s."
        }
        if let retryAt, retryAt > surroundings.now {
            let seconds = Int((retryAt - surroundings.now).rounded(.up))
            return
                "Job \(id) could not be delivered: \(Self.ended(message)) It is tried again in \(seconds) s (try \(attempts + 1))."
        }
        let resumed = resumePoint == nil ? "" : " It goes on with \(resumeWords ?? "")."
        if surroundings.jobsAhead > 0 {
            let jobs = surroundings.jobsAhead == 1 ? "1 job comes" : "\(surroundings.jobsAhead) jobs come"
            return
                "Job \(id) waits its turn: \(jobs) before it on \(printer.name)\(trouble(surroundings.status))"
                + resumed
        }
        return "Job \(id) is next on \(printer.name)\(trouble(surroundings.status))" + resumed
    }

    private func whyHeld(now: UnixTime) -> String {
        if reasons.contains(.jobIncoming) || reasons.contains(.jobDataInsufficient) {
            return "Job \(id) waits for the rest of its documents."
        }
        if let heldUntil {
            let seconds = max(0, Int((heldUntil - now).rounded(.up)))
            return "Job \(id) is held for another \(Self.duration(seconds)); 'printq release \(id)' prints it now."
        }
        return "Job \(id) is held until 'printq release \(id)'."
    }

    private var whyProcessing: String {
        if reasons.contains(.jobSuspended) {
            let ways = message.contains("'printq ") ? "" : " Look at the paper, then \(waysOn)."
            return "Job \(id) is suspended: \(Self.ended(message))" + ways
        }
        if reasons.contains(.processingToStopPoint) {
            // What it waits for stands behind the first word.
            guard message.hasPrefix("Stopping. ") else {
                return "Job \(id) is being canceled; the printer is coming to a stop."
            }
            return "Job \(id) is being canceled. \(Self.ended(String(message.dropFirst(10)))) "
                + "It is told to stop when it answers; if it does not for a day, the job ends."
        }
        if state == .processingStopped {
            return "Job \(id) has stopped: \(Self.ended(message)) It goes on when the printer does."
        }
        return message.isEmpty ? "Job \(id) is being printed." : "Job \(id) is in hand: \(Self.ended(message))"
    }

    /// The end of a sentence about the printer.
    private func trouble(_ status: PrinterStatus?) -> String {
        guard let status else { return ", which cannot be reached now." }
        guard status.state == .stopped else { return "." }
        let why = status.message.isEmpty ? status.reasons.joined(separator: ", ") : status.message
        return why.isEmpty ? ", which has stopped." : ", which has stopped: \(Self.ended(why))"
    }

    private var canceler: String {
        if reasons.contains(.jobCanceledByOperator) { return "an administrator" }
        return reasons.contains(.jobCanceledAtDevice) ? "someone at the printer" : "its owner"
    }

    private var amount: String {
        let count = pageProgress?.pages ?? printedImpressions
        let copies = pageProgress?.copies ?? 1
        return (copies > 1 ? "\(copies) copies of " : "") + (count == 1 ? "1 page" : "\(count) pages")
            + " on " + (sheetsCompleted == 1 ? "1 sheet" : "\(sheetsCompleted) sheets")
    }

    /// Others' words as a whole sentence, whether or not they ended it themselves.
    private static func ended(_ words: String) -> String {
        guard let last = words.last, !".!?".contains(last) else { return words }
        return words + "."
    }

    private static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
}
