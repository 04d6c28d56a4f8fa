// Creates the condition of a job from the job, its printer and its place in the queue.

/// The facts that explain a job's state, such as the status of the printer and the number of jobs ahead.
public struct JobContext: Hashable, Sendable {
    /// The job's printer as configured in the queue; nil when the printer was removed.
    package var printer: ConfiguredPrinter?
    /// The status that the printer reports; nil when the printer cannot be reached.
    package var status: PrinterStatus?
    package var jobsAhead: Int
    /// The jobs ahead by owner in a queue with fair order; nil in other orders.
    package var turns: FairQueue.JobsAhead?
    /// The condition of the job that blocks this job in a queue with strict order; nil when no job blocks this job.
    package var blocker: JobCondition?
    /// The host that drives the printer, or the reason why no host drives the printer; nil if the queue is not shared.
    package var driver: PrinterDriver?
    /// The current time, in seconds since 1970.
    package var now: UnixTime

    package init(
        printer: ConfiguredPrinter?, status: PrinterStatus?, jobsAhead: Int, turns: FairQueue.JobsAhead? = nil,
        blocker: JobCondition? = nil, driver: PrinterDriver? = nil, now: UnixTime
    ) {
        (self.printer, self.status, self.jobsAhead, self.turns) = (printer, status, jobsAhead, turns)
        (self.blocker, self.driver, self.now) = (blocker, driver, now)
    }
}

extension Job {
    /// Returns the condition of the job: the cause of its phase, and the remedies.
    package func condition(in context: JobContext) -> JobCondition {
        let cause = cause(in: context)
        let driver = isAffectedByDriver(cause) ? context.driver : nil
        return JobCondition(
            job: id, printer: printer, phase: phase, cause: cause, driver: driver,
            remedies: remedies(for: cause) + (driver?.remedies ?? []))
    }

    /// The message with the step of the job (IPP `job-state-message`).
    package var stateMessage: String {
        if state == .processing, reasons.contains(.jobTransforming), message.isEmpty { return "Preparing" }
        guard reasons.contains(.processingToStopPoint) else { return message }
        return message.isEmpty ? "Stopping" : "Stopping. \(message)"
    }

    /// A clause with the number of pages that the printer has reported as printed: `3 pages were printed`.
    ///
    /// If the printer has reported no page, the clause is `the job may have been printed`.
    package var printedSummary: String {
        switch printedImpressions {
        case ...0: "the job may have been printed"
        case 1: "1 \(sideName) was printed"
        default: "\(printedImpressions) \(sideName)s were printed"
        }
    }

    /// The commands that continue, reprint or cancel a suspended job, as a part of a sentence.
    package var resumeCommands: String { remediesOfSuspension.clauses }

    private var remediesOfSuspension: [JobCondition.Remedy] {
        let continuation: JobCondition.Continuation =
            switch impressionsCompleted {
            case ...0: .choice
            case (impressions ?? .max)...: .again
            default: .next(sideUnit, printedImpressions + 1)
            }
        return [.resume(job: id, continuation), .reprint(job: id), .cancel(job: id)]
    }

    private func remedies(for cause: JobCondition.Cause) -> [JobCondition.Remedy] {
        switch cause {
        case .printerRemoved: [.cancel(job: id), .addPrinter(printer)]
        case .paused: [.resumePrinter(printer)]
        case .held, .password: [.release(job: id)]
        case .suspended: remediesOfSuspension
        default: []
        }
    }

    private func isAffectedByDriver(_ cause: JobCondition.Cause) -> Bool {
        switch cause {
        case .noHost, .interrupted, .undelivered, .overtaken, .queued, .canceling, .printerStopped, .inProgress: true
        // A suspended job waits for the decision of a person.
        case .printerRemoved, .strictOrder, .paused, .documentsMissing, .held, .password, .suspended, .canceled,
            .failed, .completed:
            false
        }
    }

    private func cause(in context: JobContext) -> JobCondition.Cause {
        switch state {
        case .pending: causeOfWaiting(context)
        case .pendingHeld:
            reasons.contains(.jobIncoming) || reasons.contains(.jobDataInsufficient) ? .documentsMissing : causeOfHold
        case .processing, .processingStopped: causeInProgress
        case .canceled: .canceled(by: canceler, message: message)
        case .aborted: .failed(message: message, reasons: reasons.map(\.rawValue))
        case .completed: .completed(amount, message: message)
        }
    }

    private var causeOfHold: JobCondition.Cause {
        guard let end = ticket.passwordExpiresAt, waitsForPassword || isLockedForOwner else {
            return .held(until: heldUntil)
        }
        return .password(until: end, isLocked: isLockedForOwner)
    }

    private func causeOfWaiting(_ context: JobContext) -> JobCondition.Cause {
        guard let printer = context.printer else { return .printerRemoved }
        if let blocker = context.blocker { return .strictOrder(behind: blocker) }
        if printer.isPaused { return .paused(message: printer.pauseMessage) }
        if let driver = context.driver, driver.hostName == nil { return .noHost }
        if let retryAt, retryAt > context.now {
            return reasons.contains(.jobResuming)
                ? .interrupted(message: message, at: retryAt, from: resumePlace ?? ResumePlace(sideUnit, 1))
                : .undelivered(message: message, at: retryAt, attempt: attempts + 1)
        }
        if isBeingPrepared { return .overtaken }
        return .queued(
            ahead: context.jobsAhead, turns: context.jobsAhead > 0 ? context.turns : nil,
            trouble: Self.trouble(context.status), from: resumePoint == nil ? nil : resumePlace)
    }

    private static func trouble(_ status: PrinterStatus?) -> JobCondition.PrinterTrouble? {
        guard let status else { return .unreachable }
        return status.state == .stopped ? .stopped(message: status.message, reasons: status.reasons) : nil
    }

    private var causeInProgress: JobCondition.Cause {
        if reasons.contains(.jobSuspended) { return .suspended(message: message) }
        if reasons.contains(.processingToStopPoint) { return .canceling(message: message.isEmpty ? nil : message) }
        if state == .processingStopped { return .printerStopped(message: message) }
        return .inProgress(step, message: stateMessage)
    }

    /// The step that the message describes; nil if the message can be something else, such as a notice about the pages.
    private var step: JobCondition.Step? {
        if reasons.contains(.warningsDetected) { return nil }
        if reasons.contains(.jobTransforming) { return message.isEmpty ? .preparing : nil }
        if reasons.contains(.jobOutgoing) { return .sending }
        return reasons.contains(.jobPrinting) && !isAllPrinted ? .printing : nil
    }

    private var canceler: JobCondition.Canceler {
        if reasons.contains(.jobCanceledByOperator) { return .administrator }
        return reasons.contains(.jobCanceledAtDevice) ? .printer : .owner
    }

    private var amount: JobCondition.Amount {
        JobCondition.Amount(
            pages: pageProgress?.pages ?? printedImpressions, copies: pageProgress?.copies ?? 1,
            sheets: sheetsCompleted)
    }
}

extension PrinterDriver {
    /// The remedies if no host drives the printer.
    fileprivate var remedies: [JobCondition.Remedy] {
        switch self {
        case .host, .changing: []
        case .draining(let names): [.resumeHost(names[0])]
        case .noHost(let names): [.startHost(names)]
        }
    }
}
