// Explains the state of a job in sentences.

import FoundationEssentials

/// The facts that explain a job's state, such as the status of the printer and the number of jobs ahead.
public struct JobContext: Hashable, Sendable {
    /// The job's printer as configured in the queue; nil when the printer was removed.
    public var printer: ConfiguredPrinter?
    /// The status that the printer reports; nil when the printer cannot be reached.
    public var status: PrinterStatus?
    /// The number of jobs that the printer prints before this job.
    public var jobsAhead: Int
    /// The jobs ahead by owner in a queue with fair order; nil in other orders.
    public var turns: FairQueue.JobsAhead?
    /// The job that blocks this job in a queue with strict order; nil when no job blocks this job.
    public var blocker: Blocker?
    /// The host that drives the printer, or the reason why no host drives the printer; nil if the queue is not shared.
    public var driver: PrinterDriver?
    /// The current time, in seconds since 1970.
    public var now: UnixTime

    /// A job that must end before another job can start.
    public struct Blocker: Hashable, Sendable {
        /// The number of the blocking job.
        public var id: Int
        /// The printer of the blocking job.
        public var printer: String
        /// The explanation of why the blocking job has not ended, in a few sentences.
        public var explanation: String

        /// Creates a description of a blocking job.
        public init(id: Int, printer: String, explanation: String) {
            self.id = id
            self.printer = printer
            self.explanation = explanation
        }
    }

    /// Creates the facts that explain a job's state.
    public init(
        printer: ConfiguredPrinter?, status: PrinterStatus?, jobsAhead: Int, turns: FairQueue.JobsAhead? = nil,
        blocker: Blocker? = nil, driver: PrinterDriver? = nil, now: UnixTime
    ) {
        self.printer = printer
        self.status = status
        self.jobsAhead = jobsAhead
        self.turns = turns
        self.blocker = blocker
        self.driver = driver
        self.now = now
    }
}

extension Job {
    /// Returns the reason for the job's state, and the next step, in a few sentences.
    public func explanation(in surroundings: JobContext) -> String {
        switch state {
        case .pending: whyPending(surroundings)
        case .pendingHeld: whyHeld(now: surroundings.now)
        case .processing, .processingStopped: whyProcessing + driverSentence(surroundings)
        case .canceled: "Job \(id) was canceled by \(canceler)" + (message.isEmpty ? "." : ": \(Self.ended(message))")
        case .aborted:
            "Job \(id) failed: "
                + Self.ended(message.isEmpty ? reasons.map(\.rawValue).joined(separator: ", ") : message)
        case .completed: "Job \(id) was printed: " + Self.ended(message.isEmpty ? amount : message)
        }
    }

    /// A clause with the number of pages that the printer has reported as printed: `3 pages were printed`.
    ///
    /// If the printer has reported no page, the clause is `the job may have been printed`.
    public var printedSummary: String {
        switch printedImpressions {
        case ...0: "the job may have been printed"
        case 1: "1 \(sideName) was printed"
        default: "\(printedImpressions) \(sideName)s were printed"
        }
    }

    /// The commands that continue, reprint or cancel a suspended job, as a part of a sentence.
    public var resumeCommands: String {
        let resume =
            switch impressionsCompleted {
            case ...0: "'printq resume \(id) --from PAGE' continues at page PAGE"
            case (impressions ?? .max)...: "'printq resume \(id) --from PAGE' prints again from page PAGE"
            default:
                "'printq resume \(id)' continues with \(sideName) \(printedImpressions + 1), "
                    + "'--from PAGE' selects another page"
            }
        return resume + ", 'printq reprint \(id)' prints the whole job again, 'printq cancel \(id)' cancels the job"
    }

    private func whyPending(_ surroundings: JobContext) -> String {
        guard let printer = surroundings.printer else {
            return
                "Job \(id) is waiting for \(self.printer), which no longer exists; "
                + "cancel the job or add the printer again."
        }
        if let blocker = surroundings.blocker {
            return "Job \(id) is waiting for job \(blocker.id) on \(blocker.printer) because the queue prints "
                + "in strict order. \(blocker.explanation)"
        }
        if printer.isPaused {
            let why = printer.pauseMessage.isEmpty ? "" : " (\(printer.pauseMessage))"
            return "Job \(id) is waiting because \(printer.name) is paused\(why); "
                + "'printq printers resume \(printer.name)' resumes the printer."
        }
        if let driver = surroundings.driver, driver.hostName == nil {
            return driver.explanation(of: printer.name, waiting: "job \(id) waits")
        }
        if let retryAt, retryAt > surroundings.now, reasons.contains(.jobResuming) {
            let seconds = Int((retryAt - surroundings.now).rounded(.up))
            let place = resumeWords ?? "\(sideName) 1"
            return "Job \(id) was interrupted: \(Self.ended(message)) In \(seconds) s, the job continues with \(place)."
                + driverSentence(surroundings)
        }
        if let retryAt, retryAt > surroundings.now {
            let seconds = Int((retryAt - surroundings.now).rounded(.up))
            return
                "Job \(id) could not be delivered: \(Self.ended(message)) The next attempt starts in \(seconds) s "
                + "(attempt \(attempts + 1))." + driverSentence(surroundings)
        }
        if isBeingPrepared {
            return "Job \(id) is waiting because its document is still being prepared. Until then, \(printer.name) "
                + "prints jobs of other users." + driverSentence(surroundings)
        }
        let resumed =
            (resumePoint == nil ? "" : " The job continues with \(resumeWords ?? "").") + driverSentence(surroundings)
        if surroundings.jobsAhead > 0 {
            let jobs = surroundings.jobsAhead == 1 ? "1 job" : "\(surroundings.jobsAhead) jobs"
            return "Job \(id) is queued behind \(jobs) on \(printer.name)\(trouble(surroundings.status))"
                + Self.turnSentence(surroundings.turns) + resumed
        }
        return "Job \(id) is next on \(printer.name)\(trouble(surroundings.status))" + resumed
    }

    /// Returns a sentence about the host that drives the printer, with a space before the sentence.
    ///
    /// The result is empty if the queue is not shared, or if the job is suspended and waits for the decision of a
    /// person.
    private func driverSentence(_ surroundings: JobContext) -> String {
        guard let driver = surroundings.driver, !reasons.contains(.jobSuspended) else { return "" }
        return " " + driver.explanation(of: printer, waiting: "the state of job \(id) is unknown")
    }

    /// Returns a sentence about the owners of the jobs ahead in a queue with fair order, with a space before the
    /// sentence; empty in other orders.
    private static func turnSentence(_ ahead: FairQueue.JobsAhead?) -> String {
        guard let ahead else { return "" }
        let parts = [(ahead.own, "of the same user"), (ahead.others, "of other users")].filter { $0.0 > 0 }
            .map { "\($0.0) job\($0.0 == 1 ? "" : "s") \($0.1)" }
        return " Users take turns because the queue order is fair: \(parts.joined(separator: " and ")) "
            + "will be printed first."
    }

    private func whyHeld(now: UnixTime) -> String {
        if reasons.contains(.jobIncoming) || reasons.contains(.jobDataInsufficient) {
            return "Job \(id) is waiting for its remaining documents."
        }
        if let heldUntil {
            let seconds = max(0, Int((heldUntil - now).rounded(.up)))
            return "Job \(id) is held for another \(Self.duration(seconds)); 'printq release \(id)' prints the job now."
        }
        return "Job \(id) is held; 'printq release \(id)' prints the job."
    }

    private var whyProcessing: String {
        if reasons.contains(.jobSuspended) {
            let ways = message.contains("'printq ") ? "" : " Check the printed pages, then choose: \(resumeCommands)."
            return "Job \(id) is suspended: \(Self.ended(message))" + ways
        }
        if reasons.contains(.processingToStopPoint) {
            // The reason for the wait follows the word "Stopping".
            guard message.hasPrefix("Stopping. ") else {
                return "Job \(id) is being canceled; the printer stops printing the job."
            }
            return "Job \(id) is being canceled. \(Self.ended(String(message.dropFirst(10)))) "
                + "printd cancels the job at the printer when the printer responds again. "
                + "The job ends after one day without a response."
        }
        if state == .processingStopped {
            return "Job \(id) is stopped: \(Self.ended(message)) The job continues when the printer is ready again."
        }
        if message.isEmpty { return "Job \(id) is being printed." }
        let isActivity = ["Preparing", "Sending", "Printing"].contains { message.hasPrefix($0) }
        return isActivity
            ? "Job \(id) is \(Self.ended(message.prefix(1).lowercased() + message.dropFirst()))"
            : "Job \(id) is in progress: \(Self.ended(message))"
    }

    /// Returns the end of a sentence about the printer: a period, or a clause with the printer's problem.
    private func trouble(_ status: PrinterStatus?) -> String {
        guard let status else { return ", which cannot be reached now." }
        guard status.state == .stopped else { return "." }
        let why = status.message.isEmpty ? status.reasons.joined(separator: ", ") : status.message
        return why.isEmpty ? ", which has stopped." : ", which has stopped: \(Self.ended(why))"
    }

    private var canceler: String {
        if reasons.contains(.jobCanceledByOperator) { return "an administrator" }
        return reasons.contains(.jobCanceledAtDevice) ? "a user at the printer" : "its owner"
    }

    private var amount: String {
        let count = pageProgress?.pages ?? printedImpressions
        let copies = pageProgress?.copies ?? 1
        return (copies > 1 ? "\(copies) copies of " : "") + (count == 1 ? "1 page" : "\(count) pages")
            + " on " + (sheetsCompleted == 1 ? "1 sheet" : "\(sheetsCompleted) sheets")
    }

    /// Returns the text with a final period.
    ///
    /// Text that ends with punctuation stays unchanged.
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
