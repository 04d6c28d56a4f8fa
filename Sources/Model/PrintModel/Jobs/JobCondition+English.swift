// The condition of a job in English sentences.

extension JobCondition {
    /// Returns the cause of the job's phase, and the next step, in a few sentences.
    ///
    /// - Parameter now: The current time, for the seconds until the next step.
    public func explanation(at now: UnixTime) -> String {
        let sentence = sentence(at: now)
        guard let driver else { return sentence }
        if cause == .noHost { return driver.explanation(of: printer, waiting: "job \(job) waits") }
        return sentence + " " + driver.explanation(of: printer, waiting: "the state of job \(job) is unknown")
    }

    private func sentence(at now: UnixTime) -> String {
        switch cause {
        case .printerRemoved:
            return "Job \(job) is waiting for \(printer), which no longer exists; "
                + "cancel the job or add the printer again."
        case .strictOrder(let blocker):
            return "Job \(job) is waiting for job \(blocker.job) on \(blocker.printer) because the queue prints "
                + "in strict order. \(blocker.explanation(at: now))"
        case .paused(let message):
            let why = message.isEmpty ? "" : " (\(message))"
            return "Job \(job) is waiting because \(printer) is paused\(why); \(remedies.clauses)."
        case .noHost: return ""
        case .interrupted(let message, let moment, let place):
            return "Job \(job) was interrupted: \(Self.ended(message)) In \(Self.seconds(until: moment, now)) s, "
                + "the job continues with \(place.text)."
        case .undelivered(let message, let moment, let attempt):
            return "Job \(job) could not be delivered: \(Self.ended(message)) "
                + "The next attempt starts in \(Self.seconds(until: moment, now)) s (attempt \(attempt))."
        case .overtaken:
            return "Job \(job) is waiting because its document is still being prepared. Until then, \(printer) "
                + "prints jobs of other users."
        case .queued(let ahead, let turns, let trouble, let place):
            let jobs = ahead == 1 ? "1 job" : "\(ahead) jobs"
            return "Job \(job) is \(ahead > 0 ? "queued behind \(jobs)" : "next") on \(printer)"
                + Self.clause(about: trouble) + Self.clause(about: turns)
                + (place.map { " The job continues with \($0.text)." } ?? "")
        case .documentsMissing: return "Job \(job) is waiting for its remaining documents."
        case .held(let until?):
            return "Job \(job) is held for another \(Self.duration(Self.seconds(until: until, now))); "
                + "\(remedies.clauses) now."
        case .password(let until, let isLocked):
            return
                (isLocked
                ? "Job \(job) is locked, because three wrong PINs were entered; its owner can release the job: "
                : "Job \(job) waits for its PIN; ") + "\(remedies.clauses). "
                + "Otherwise the job ends in \(Self.duration(Self.seconds(until: until, now)))."
        case .held(nil): return "Job \(job) is held; \(remedies.clauses)."
        case .suspended(let message): return "Job \(job) is suspended: \(Self.ended(message))"
        case .canceling(nil): return "Job \(job) is being canceled; the printer stops printing the job."
        case .canceling(let message?):
            return "Job \(job) is being canceled. \(Self.ended(message)) "
                + "printd cancels the job at the printer when the printer responds again. "
                + "The job ends after one day without a response."
        case .printerStopped(let message):
            return "\(Self.ended(message)) Job \(job) continues when \(printer) is ready again."
        case .inProgress(_, ""): return "Job \(job) is being printed."
        case .inProgress(nil, let message): return "Job \(job): \(Self.ended(message))"
        case .inProgress(_?, let message):
            return "Job \(job) is \(Self.ended(message.prefix(1).lowercased() + message.dropFirst()))"
        case .canceled(let canceler, let message):
            return "Job \(job) was canceled by \(canceler.name)" + (message.isEmpty ? "." : ": \(Self.ended(message))")
        case .failed(let message, let reasons):
            return "Job \(job) failed: " + Self.ended(message.isEmpty ? reasons.joined(separator: ", ") : message)
        case .completed(let amount, let message):
            return "Job \(job) was printed: " + Self.ended(message.isEmpty ? amount.text : message)
        }
    }

    /// Returns a sentence about the owners of the jobs ahead in a queue with fair order, with a space before the
    /// sentence; empty in other orders.
    private static func clause(about ahead: FairQueue.JobsAhead?) -> String {
        guard let ahead else { return "" }
        let parts = [(ahead.own, "of the same user"), (ahead.others, "of other users")].filter { $0.0 > 0 }
            .map { "\($0.0) job\($0.0 == 1 ? "" : "s") \($0.1)" }
        return " Users take turns because the queue order is fair: \(parts.joined(separator: " and ")) "
            + "will be printed first."
    }

    /// Returns the end of a sentence about the printer: a period, or a clause with the printer's problem.
    private static func clause(about trouble: PrinterTrouble?) -> String {
        switch trouble {
        case nil: return "."
        case .unreachable: return ", which cannot be reached now."
        case .stopped(let message, let reasons):
            let why = message.isEmpty ? reasons.joined(separator: ", ") : message
            return why.isEmpty ? ", which has stopped." : ", which has stopped: \(ended(why))"
        }
    }

    /// Returns the text with a final period.
    ///
    /// Text that ends with punctuation stays unchanged.
    private static func ended(_ text: String) -> String {
        guard let last = text.last, !".!?".contains(last) else { return text }
        return text + "."
    }

    private static func seconds(until moment: UnixTime, _ now: UnixTime) -> Int {
        max(0, Int((moment - now).rounded(.up)))
    }

    private static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
}

extension JobCondition.Canceler {
    fileprivate var name: String {
        switch self {
        case .owner: "its owner"
        case .administrator: "an administrator"
        case .printer: "a user at the printer"
        }
    }
}

extension JobCondition.Amount {
    /// The amount as text: `2 copies of 5 pages on 6 sheets`.
    fileprivate var text: String {
        (copies > 1 ? "\(copies) copies of " : "") + (pages == 1 ? "1 page" : "\(pages) pages")
            + " on " + (sheets == 1 ? "1 sheet" : "\(sheets) sheets")
    }
}

extension JobCondition.Remedy {
    /// The command that applies the remedy: `printq release 3`; nil if no single command applies the remedy.
    ///
    /// An argument in capitals must be replaced by a value.
    public var command: String? {
        switch self {
        case .cancel(let job): "printq cancel \(job)"
        case .release(let job): "printq release \(job)"
        case .resume(let job, .next): "printq resume \(job)"
        case .resume(let job, .choice), .resume(let job, .again): "printq resume \(job) --from PAGE"
        case .reprint(let job): "printq reprint \(job)"
        case .resumePrinter(let printer): "printq printers resume \(printer)"
        case .resumeHost(let host): "printq hosts resume \(host)"
        case .addPrinter, .startHost: nil
        }
    }

    /// The effect of the command, as the end of a clause: `resumes the printer`.
    private var effect: String {
        switch self {
        case .cancel: "cancels the job"
        case .release: "prints the job"
        case .resume(_, .choice): "continues at page PAGE"
        case .resume(_, .again): "prints again from page PAGE"
        case .resume(_, .next(let unit, let number)):
            "continues with \(unit.rawValue) \(number), '--from PAGE' selects another page"
        case .reprint: "prints the whole job again"
        case .resumePrinter: "resumes the printer"
        case .resumeHost: "ends the draining"
        case .addPrinter, .startHost: ""
        }
    }

    /// The command and its effect: `'printq release 3' prints the job`.
    fileprivate var clause: String? { command.map { "'\($0)' \(effect)" } }
}

extension [JobCondition.Remedy] {
    /// The commands and their effects, as a part of a sentence.
    var clauses: String { compactMap(\.clause).joined(separator: ", ") }
}
