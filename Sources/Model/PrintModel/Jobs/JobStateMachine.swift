// Defines the state transitions of a job.

/// The state machine of a job.
///
/// The machine changes the job for each event, and returns the action that the caller must perform.
///
/// The state machine has no clock, no disk and no tasks. The spool loads the job, handles the event, and stores the
/// changed job and the event in one transaction.
///
///     var machine = JobStateMachine(job: job)
///     let action = try machine.handle(.cancelRequested(byOperator: false), at: now)
///     machine.job.state      // canceled, or still processing with processing-to-stop-point
public struct JobStateMachine: Sendable {
    package internal(set) var job: Job

    package init(job: Job) { self.job = job }

    /// An event that can change a job.
    public enum Event: Hashable, Sendable {
        case documentsArrived
        case closedWithoutDocuments
        case documentsTimedOut
        /// A request to hold the job. The value is the end of the hold; nil holds the job until a user releases the
        /// job.
        case holdRequested(until: UnixTime?)
        /// A release of the job by a user or a timer. A suspended job is then printed again from its first side.
        case releaseRequested
        /// The last permitted wrong password: only the owner and administrators can now release the job.
        case passwordLocked
        /// The end of the time in which the job waits for its password.
        case passwordExpired
        /// A request to resume a suspended job from a side, counted from 1 over all copies. nil means the first side
        /// that the printer did not report as printed.
        case resumeRequested(fromImpression: Int?)
        /// A request to move the job to another existing printer.
        case moveRequested(to: String)
        /// A cancellation by the owner of the job or by an operator.
        case cancelRequested(byOperator: Bool)
        case claimed
        /// The completion of the PDF for the printer. The notice becomes the job's message until the transfer begins.
        /// The warnings are shown when the job ends.
        case prepared(
            impressions: Int, sheets: Int, notice: String?, warnings: [String] = [], plan: SheetPlan? = nil)
        /// A preparation that takes long while jobs of other owners wait for the printer. The job waits again, and its
        /// preparation continues.
        case overtaken
        case createdAtPrinter(RemoteJob)
        /// The withdrawal of a job from the printer. The printer has created the job but has not received its document,
        /// so the backend cancels the job.
        case withdrawing
        /// The start of a transfer of pixels instead of the PDF. The associated value describes the format of the
        /// pixels.
        case sending(as: String)
        /// The end of the transfer: the printer has received the whole document.
        case sent
        case progressed(impressions: Int?, sheets: Int?)
        /// A restart of the job by the printer. Some pages might be printed twice.
        case restarted
        /// A stop of the printer while the job is being printed, for example because the printer is out of paper. The
        /// reasons are the keywords that the printer reports.
        case printerStopped(message: String, reasons: [String] = [])
        case printerResumed
        case delivered(warning: String?)
        case failed(JobStateReason, message: String)
        /// A delivery that failed before the printer printed a page. The job waits until the next attempt.
        case postponed(until: UnixTime, message: String)
        /// A response of a printer that was unreachable before. The next attempt can start immediately.
        case printerAnswered
        /// A stop of the spooler while the job is being processed, before the printer received any part of the job.
        case interrupted
        /// An unknown printing result: the job might have been printed. A person must check the printed pages.
        case doubted(message: String)
        /// An abort of the job by the printer during printing. The job continues at the given time, with the first
        /// sheet that the printer did not report as printed.
        case continues(at: UnixTime, message: String)
        case backendStopped
        case canceledAtPrinter(message: String)
        /// A restoration of the spool from a backup. The job might have been printed after the backup.
        case restored(message: String)
    }

    /// The action that the caller must perform after an event.
    public enum Action: Hashable, Sendable {
        case none
        /// A request to the backend to stop. The job ends when the backend reports that the delivery has stopped.
        case stopSending
        case finish
    }

    /// The rejection of a user's request, because the state of the job does not allow the request.
    public struct InvalidTransition: Error, Hashable, CustomStringConvertible {
        /// The reason for the rejection, in one sentence for users.
        public let description: String
    }

    /// Changes the job for an event, and returns the action that the caller must perform.
    ///
    /// A late or repeated event has no effect.
    ///
    /// - Throws: `InvalidTransition` for a request that the job's state does not allow (IPP
    ///   `client-error-not-possible`).
    package mutating func handle(_ event: Event, at now: UnixTime) throws(InvalidTransition) -> Action {
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
        guard until == nil || !job.hasReleasePassword else {
            throw notPossible("held until a time", because: "the job has a PIN and waits for its release")
        }
        let message = job.isLockedForOwner ? job.message : job.warningText
        let reasons = incomingReasons + job.holdReasons
        job.state = .pendingHeld
        job.heldUntil = job.ticket.passwordExpiresAt ?? until
        job.retryAt = nil
        job.reasons = reasons
        job.message = message
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
                because: (wanted == nil ? "all \(pages) were printed" : "the job has \(pages)")
                    + "; 'printq reprint \(job.id)' prints the job again, 'printq cancel \(job.id)' cancels the job")
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
                "moved",
                because: "the job has ended; 'printq reprint \(job.id) -d \(printer)' prints the job on \(printer)")
        }
        guard printer != job.printer else { return .none }
        job.movedFrom = job.printer
        job.printer = printer
        job.remote = nil
        job.retryAt = nil
        job.attempts = 0
        job.preparationSeconds = 0
        if isSuspended {
            // A move does not select the page to continue with, so the job stays suspended until a user has checked the
            // printed pages.
            job.message =
                "The job was moved from \(job.movedFrom ?? ""), where \(job.printedSummary); \(job.resumeCommands)"
            return .none
        }
        (job.impressions, job.sheets, job.sheetPlan, job.warnings) = (nil, nil, nil, [])
        guard job.state == .pending else { return .none }
        (job.reasons, job.message) = (incomingReasons, job.warningText)
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
            job.message = ""
            return .stopSending
        default: throw InvalidTransition(description: "job \(job.id) is already \(job.state)")
        }
    }

    // MARK: - Transitions

    /// Prepares the job for a restart as a new job at the printer.
    ///
    /// The new job starts with the side `impression`, counted from 1 over all copies.
    mutating func goOn(from impression: Int) {
        job.remote = nil
        job.printedBefore = job.printed
        job.resumeFrom = impression == 1 ? nil : impression
        countCompleted()
    }

    /// Each number is the value in `counted`, or the number of sides or sheets before the resume point if that number
    /// is larger.
    mutating func countCompleted(atLeast counted: (impressions: Int, sheets: Int) = (0, 0)) {
        job.impressionsCompleted = max(counted.impressions, job.resumePoint?.impressionsBefore ?? 0)
        job.sheetsCompleted = max(counted.sheets, job.resumePoint?.sheetsBefore ?? 0)
    }

    mutating func wait(message: String = "", reasons: [JobStateReason] = []) -> Action {
        job.state = .pending
        job.reasons = reasons
        job.message = message.isEmpty ? job.warningText : message
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
