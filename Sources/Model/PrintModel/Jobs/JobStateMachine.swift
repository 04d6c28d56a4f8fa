// Defines the state transitions of a job.

/// The state machine of a job: changes the job for each event, and returns the action that the caller must take.
///
/// The state machine has no clock, no disk and no tasks. The spool loads the job, handles the event, and stores the
/// changed job and the event in one transaction.
///
///     var machine = JobStateMachine(job: job)
///     let action = try machine.handle(.cancelRequested(byOperator: false), at: now)
///     machine.job.state      // canceled, or still processing with processing-to-stop-point
public struct JobStateMachine: Sendable {
    /// The job after all events handled so far.
    public internal(set) var job: Job

    /// Creates the state machine of a job.
    public init(job: Job) { self.job = job }

    /// An event that can change a job.
    public enum Event: Hashable, Sendable {
        /// The last document of the job arrived.
        case documentsArrived
        /// The client closed the job without sending a document.
        case closedWithoutDocuments
        /// The documents did not arrive before the timeout.
        case documentsTimedOut
        /// A user holds the job until a time, or until a user releases the job (nil).
        case holdRequested(until: UnixTime?)
        /// A user or the clock releases the job. A suspended job is then printed again from its first side.
        case releaseRequested
        /// A user resumes a suspended job from a side, counted from 1 over all copies. nil means the first side that
        /// the printer did not report as printed.
        case resumeRequested(fromImpression: Int?)
        /// A user moves the job to another existing printer.
        case moveRequested(to: String)
        /// The owner or an operator cancels the job.
        case cancelRequested(byOperator: Bool)
        /// The scheduler starts the job.
        case claimed
        /// The worker has made the PDF for the printer. The notice is shown while the job is prepared. The warnings are
        /// shown when the job ends.
        case prepared(
            impressions: Int, sheets: Int, notice: String?, warnings: [String] = [], plan: SheetPlan? = nil)
        /// The job was created at the printer, without its document.
        case createdAtPrinter(RemoteJob)
        /// The printer has created the job but has not received its document, and the backend is about to cancel the
        /// job at the printer.
        case withdrawing
        /// The printer receives pixels instead of the PDF; the value describes the format.
        case sending(as: String)
        /// The printer has received the whole document.
        case sent
        /// The printer reported its progress.
        case progressed(impressions: Int?, sheets: Int?)
        /// The printer restarted the job, so that pages may be printed twice.
        case restarted
        /// The printer stopped while printing the job, for example because it is out of paper. The reasons are the
        /// keywords that the printer reports.
        case printerStopped(message: String, reasons: [String] = [])
        /// The printer continues to print.
        case printerResumed
        /// The printer has printed the whole job.
        case delivered(warning: String?)
        /// The job cannot be printed.
        case failed(JobStateReason, message: String)
        /// The job could not be delivered, and no page was printed. The job waits until the next attempt.
        case postponed(until: UnixTime, message: String)
        /// The job's printer was unreachable and responds again, so that the next attempt can start at once.
        case printerAnswered
        /// The spooler stopped while the job was in progress, before the printer received any part of the job.
        case interrupted
        /// The job may have been printed; a person must check the printed pages.
        case doubted(message: String)
        /// The printer aborted the job while printing. The job continues at the given time, with the first sheet that
        /// the printer did not report as printed.
        case continues(at: UnixTime, message: String)
        /// The backend has stopped its work on the job after a cancellation.
        case backendStopped
        /// The job was canceled at the printer.
        case canceledAtPrinter(message: String)
    }

    /// The action that the caller must take after an event.
    public enum Action: Hashable, Sendable {
        case none
        /// A request to the backend to stop. The job ends when the backend reports that the delivery has stopped.
        case stopSending
        /// Cleanup after the ended job.
        case finish
    }

    /// The rejection of a user's request that the state of the job does not allow.
    public struct InvalidTransition: Error, Hashable, CustomStringConvertible {
        /// One sentence for users.
        public let description: String
    }

    /// Changes the job for an event, and returns the action that the caller must take.
    ///
    /// A late or repeated event has no effect.
    ///
    /// - Throws: `InvalidTransition` for a request that the job's state does not allow (IPP
    ///   `client-error-not-possible`).
    public mutating func handle(_ event: Event, at now: UnixTime) throws(InvalidTransition) -> Action {
        switch event {
        case .holdRequested(let until): try hold(until: until)
        case .releaseRequested: try release()
        case .resumeRequested(let impression): try resume(from: impression)
        case .moveRequested(let printer): try move(to: printer)
        case .cancelRequested(let byOperator): try cancel(byOperator: byOperator, at: now)
        default: handleWork(event, at: now)
        }
    }

    // MARK: - Requests of users

    private mutating func hold(until: UnixTime?) throws(InvalidTransition) -> Action {
        guard job.state == .pending || job.state == .pendingHeld else {
            throw notPossible("held", because: "only a waiting job can be held")
        }
        job.state = .pendingHeld
        job.heldUntil = until
        job.retryAt = nil
        job.reasons = incomingReasons + [.jobHoldUntilSpecified]
        job.message = ""
        return .none
    }

    private mutating func release() throws(InvalidTransition) -> Action {
        switch job.state {
        case .pending: return .none
        case .pendingHeld:
            job.heldUntil = nil
            if isIncoming {
                job.reasons = incomingReasons
                return .none
            }
            return wait()
        case .processingStopped where isSuspended:
            goOn(from: 1)
            return wait()
        default: throw notPossible("released", because: "only a held job can be released")
        }
    }

    private mutating func resume(from wanted: Int?) throws(InvalidTransition) -> Action {
        guard job.state == .processingStopped, isSuspended else {
            throw notPossible("resumed", because: "only a suspended job can be resumed")
        }
        let impression = wanted ?? job.impressionsCompleted + 1
        if let total = job.impressions, total > 0, impression > total {
            let pages = "\(job.impressionCount(ofSides: total)) \(job.sideName)s"
            throw notPossible(
                "resumed" + (wanted.map { " from \(job.sideName) \(job.impressionCount(ofSides: $0))" } ?? ""),
                because: (wanted == nil ? "all \(pages) were printed" : "it has \(pages)")
                    + "; 'printq reprint \(job.id)' prints it again, 'printq cancel \(job.id)' cancels it")
        }
        guard impression >= 1 else {
            throw notPossible("resumed from page \(impression)", because: "page numbers start at 1")
        }
        goOn(from: impression)
        return wait()
    }

    private mutating func move(to printer: String) throws(InvalidTransition) -> Action {
        switch job.state {
        case .pending, .pendingHeld: break
        case .processingStopped where isSuspended: break
        case .processing, .processingStopped:
            throw notPossible(
                "moved",
                because: "the job is in progress on \(job.printer); run 'printq cancel \(job.id)' and then "
                    + "'printq reprint \(job.id) -d \(printer)'")
        case .canceled, .aborted, .completed:
            throw notPossible(
                "moved", because: "the job has ended; 'printq reprint \(job.id) -d \(printer)' prints the job there")
        }
        guard printer != job.printer else { return .none }
        job.movedFrom = job.printer
        job.printer = printer
        job.remote = nil
        job.retryAt = nil
        job.attempts = 0
        if isSuspended {
            // A move does not select the page to continue with, so the job stays suspended until a user has checked the
            // printed pages.
            job.message =
                "The job was moved from \(job.movedFrom ?? ""), where \(job.printedSummary); \(job.resumeCommands)"
            return .none
        }
        (job.impressions, job.sheets, job.sheetPlan, job.warnings) = (nil, nil, nil, [])
        guard job.state == .pending else { return .none }
        (job.reasons, job.message) = (incomingReasons, "")
        return .none
    }

    private mutating func cancel(byOperator: Bool, at now: UnixTime) throws(InvalidTransition) -> Action {
        let reason: JobStateReason = byOperator ? .jobCanceledByOperator : .jobCanceledByUser
        switch job.state {
        case .pending, .pendingHeld: return end(.canceled, [reason], at: now)
        case .processingStopped where isSuspended: return end(.canceled, [reason], at: now)
        case .processing, .processingStopped:
            guard !isStopping else { throw InvalidTransition(description: "job \(job.id) is already being canceled") }
            // The printer may be moving paper: the job is canceled only when the backend reports that it has stopped.
            job.reasons = [.processingToStopPoint, reason]
            job.message = "Stopping"
            return .stopSending
        default: throw InvalidTransition(description: "job \(job.id) is already \(job.state)")
        }
    }

    // MARK: - Transitions

    /// Restarts the job from a side, counted from 1 over all copies, as a new job at the printer.
    mutating func goOn(from impression: Int) {
        job.remote = nil
        job.printedBefore = job.printed
        job.resumeFrom = impression == 1 ? nil : impression
        countCompleted()
    }

    /// Sets the numbers of printed sides and sheets to the numbers before the side from which the job resumes.
    mutating func countCompleted(atLeast counted: (impressions: Int, sheets: Int) = (0, 0)) {
        job.impressionsCompleted = max(counted.impressions, job.resumePoint?.impressionsBefore ?? 0)
        job.sheetsCompleted = max(counted.sheets, job.resumePoint?.sheetsBefore ?? 0)
    }

    mutating func wait(message: String = "", reasons: [JobStateReason] = []) -> Action {
        job.state = .pending
        job.reasons = reasons
        job.message = message
        return .none
    }

    mutating func end(
        _ state: JobState, _ reasons: [JobStateReason], at now: UnixTime, message: String = ""
    ) -> Action {
        job.state = state
        job.reasons = reasons
        job.message = message
        job.completedAt = now
        job.retryAt = nil
        job.heldUntil = nil
        return .finish
    }

    var isStopping: Bool { job.reasons.contains(.processingToStopPoint) }

    var isIncoming: Bool { !incomingReasons.isEmpty }

    var incomingReasons: [JobStateReason] {
        job.reasons.filter { $0 == .jobIncoming || $0 == .jobDataInsufficient }
    }

    var isSuspended: Bool { job.reasons.contains(.jobSuspended) }

    private func notPossible(_ what: String, because reason: String) -> InvalidTransition {
        InvalidTransition(description: "job \(job.id) is \(job.state) and cannot be \(what): \(reason)")
    }
}
