// What may happen to a job.

/// What may happen to a job, and what must be done about it.
///
/// No clock, no disk, no task: the spool loads the job, asks the rule, and stores what comes out together with the
/// event, in one transaction.
///
///     var machine = JobStateMachine(job: job)
///     let action = try machine.handle(.cancelRequested(byOperator: false), at: now)
///     machine.job.state      // canceled, or still processing with processing-to-stop-point
public struct JobStateMachine: Sendable {
    /// The job, as it is after the events handled so far.
    public private(set) var job: Job

    /// The rule for one job.
    public init(job: Job) { self.job = job }

    /// What can happen to a job.
    public enum Event: Hashable, Sendable {
        /// Its last document has arrived.
        case documentsArrived
        /// Its client says that no more documents follow, and none has arrived.
        case closedWithoutDocuments
        /// Its documents did not arrive in time.
        case documentsTimedOut
        /// Someone holds it, until a moment or until it is released (nil).
        case holdRequested(until: UnixTime?)
        /// Someone, or the clock, releases it; a job that may have been printed is then printed again.
        case releaseRequested
        /// Someone has looked at the paper: a job that may have been printed goes on from a side, counted over all copies
        /// from 1, or from the first one that was not seen printed (nil).
        case resumeRequested(fromImpression: Int?)
        /// Someone wants it on another printer, which exists.
        case moveRequested(to: String)
        /// Someone cancels it: its owner or an operator.
        case cancelRequested(byOperator: Bool)
        /// The scheduler takes it up.
        case claimed
        /// The worker has made the PDF for the printer; the notice is shown while the job is prepared, the warnings at its
        /// end.
        case prepared(
            impressions: Int, sheets: Int, notice: String?, warnings: [String] = [], plan: SheetPlan? = nil)
        /// The job exists at the printer, without its document.
        case createdAtPrinter(RemoteJob)
        /// The printer has the job without its document, and is about to be told to forget it.
        case withdrawing
        /// The printer is sent pixels rather than the PDF: in which form, in words.
        case sending(as: String)
        /// The printer has the whole document.
        case sent
        /// The printer has printed so much.
        case progressed(impressions: Int?, sheets: Int?)
        /// Whoever had it in hand began it anew, so that pages may come out twice.
        case begunAgain
        /// The printer has stopped in the middle of it: out of paper and the like; the reasons are the printer's own.
        case printerStopped(message: String, reasons: [String] = [])
        /// The printer goes on.
        case printerResumed
        /// The printer has printed all of it.
        case delivered(warning: String?)
        /// It can never be printed.
        case failed(JobStateReason, message: String)
        /// It could not be delivered now, and nothing of it was printed; it waits for its next try.
        case postponed(until: UnixTime, message: String)
        /// Its printer, which could not be reached, answers again: its next try need not wait.
        case printerAnswered
        /// The spooler was stopped while working on it, before anything of it reached the printer.
        case interrupted
        /// It may have been printed; only a person can know.
        case doubted(message: String)
        /// Its printer gave it up in the middle; it goes on, from that moment, with the first sheet that was not seen printed.
        case continues(at: UnixTime, message: String)
        /// The work on it has stopped, after a cancel.
        case backendStopped
        /// It was canceled at the printer itself.
        case canceledAtPrinter(message: String)
    }

    /// What must be done when an event has been handled.
    public enum Action: Hashable, Sendable {
        /// Nothing.
        case none
        /// Tell the backend to stop: the job ends when it says that it has.
        case stopSending
        /// The job has ended: what it kept can be tidied.
        case finish
    }

    /// Why a person's wish cannot be met.
    public struct NotPossible: Error, Hashable, CustomStringConvertible {
        /// One sentence for people.
        public let description: String
    }

    /// Changes the job as the event demands, and says what must be done.
    ///
    /// A late or repeated event changes nothing and asks for nothing.
    ///
    /// - Throws: `NotPossible` for a wish that the job's state does not allow (IPP `client-error-not-possible`).
    public mutating func handle(_ event: Event, at now: UnixTime) throws(NotPossible) -> Action {
        switch event {
        case .holdRequested(let until): try hold(until: until)
        case .releaseRequested: try release()
        case .resumeRequested(let impression): try resume(from: impression)
        case .moveRequested(let printer): try move(to: printer)
        case .cancelRequested(let byOperator): try cancel(byOperator: byOperator, at: now)
        default: handleWork(event, at: now)
        }
    }

    // MARK: - What people ask for

    private mutating func hold(until: UnixTime?) throws(NotPossible) -> Action {
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

    private mutating func release() throws(NotPossible) -> Action {
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

    private mutating func resume(from wanted: Int?) throws(NotPossible) -> Action {
        guard job.state == .processingStopped, isSuspended else {
            throw notPossible("resumed", because: "only a suspended job can be resumed")
        }
        let impression = wanted ?? job.impressionsCompleted + 1
        if let total = job.impressions, total > 0, impression > total {
            let pages = "\(job.impressionCount(ofSides: total)) \(job.sideNoun)s"
            throw notPossible(
                "resumed" + (wanted.map { " from \(job.sideNoun) \(job.impressionCount(ofSides: $0))" } ?? ""),
                because: (wanted == nil ? "all of its \(pages) were seen printed" : "it has \(pages)")
                    + "; 'printq reprint \(job.id)' prints it again, 'printq cancel \(job.id)' lets it be")
        }
        guard impression >= 1 else {
            throw notPossible("resumed from page \(impression)", because: "pages count from 1")
        }
        goOn(from: impression)
        return wait()
    }

    private mutating func move(to printer: String) throws(NotPossible) -> Action {
        switch job.state {
        case .pending, .pendingHeld: break
        case .processingStopped where isSuspended: break
        case .processing, .processingStopped:
            throw notPossible(
                "moved",
                because: "it is in hand at \(job.printer); cancel it with 'printq cancel \(job.id)' and then "
                    + "print it there with 'printq reprint \(job.id) -d \(printer)'")
        case .canceled, .aborted, .completed:
            throw notPossible(
                "moved", because: "it has ended; 'printq reprint \(job.id) -d \(printer)' prints it there")
        }
        guard printer != job.printer else { return .none }
        job.movedFrom = job.printer
        job.printer = printer
        job.remote = nil
        job.retryAt = nil
        job.attempts = 0
        if isSuspended {
            // Moving says where, not from which page: the doubt stays until someone has looked at the paper.
            job.message = "It was moved from \(job.movedFrom ?? ""), where \(job.seenPrinted); \(job.waysOn)"
            return .none
        }
        (job.impressions, job.sheets, job.sheetPlan, job.warnings) = (nil, nil, nil, [])
        guard job.state == .pending else { return .none }
        (job.reasons, job.message) = (incomingReasons, "")
        return .none
    }

    private mutating func cancel(byOperator: Bool, at now: UnixTime) throws(NotPossible) -> Action {
        let reason: JobStateReason = byOperator ? .jobCanceledByOperator : .jobCanceledByUser
        switch job.state {
        case .pending, .pendingHeld: return end(.canceled, [reason], at: now)
        case .processingStopped where isSuspended: return end(.canceled, [reason], at: now)
        case .processing, .processingStopped:
            guard !isStopping else { throw notPossible("canceled", because: "it is being canceled already") }
            // Paper may be moving: canceled only when the backend says it has stopped.
            job.reasons = [.processingToStopPoint, reason]
            job.message = "Stopping"
            return .stopSending
        default: throw notPossible("canceled", because: "it has ended")
        }
    }

    // MARK: - What the work brings

    private mutating func handleWork(_ event: Event, at now: UnixTime) -> Action {
        switch (job.state, event) {
        case (.pending, .documentsArrived) where isIncoming: return wait()
        case (.pendingHeld, .documentsArrived) where isIncoming:
            if job.reasons.contains(.jobHoldUntilSpecified) {
                job.reasons = [.jobHoldUntilSpecified]
                return .none
            }
            return wait()
        case (.pending, .documentsTimedOut) where isIncoming, (.pendingHeld, .documentsTimedOut) where isIncoming:
            return end(
                .aborted, [.multipleOperationTimeOut, .abortedBySystem], at: now,
                message: "Its documents did not arrive in time; submit it again")
        case (.pending, .closedWithoutDocuments) where isIncoming,
            (.pendingHeld, .closedWithoutDocuments) where isIncoming:
            return end(.aborted, [.errorsDetected, .abortedBySystem], at: now, message: Job.noDocument)
        case (.pending, .claimed) where !isIncoming:
            job.state = .processing
            job.reasons = [.jobTransforming]
            job.message = "Preparing"
            job.processingAt = job.processingAt ?? now
            job.retryAt = nil
            return .none
        case (.pending, .prepared(let impressions, let sheets, _, let warnings, let plan)),
            (.pendingHeld, .prepared(let impressions, let sheets, _, let warnings, let plan)):
            // Prepared ahead, while another job prints.
            job.warnings = warnings
            count(impressions: impressions, sheets: sheets, plan)
            return .none
        case (.pending, .failed(let reason, let message)) where !isIncoming:
            // Found out ahead: a document that can never be printed need not wait for its turn to say so.
            return giveUp(reason, message, at: now)
        case (.pending, .printerAnswered) where job.retryAt != nil:
            job.retryAt = nil
            return wait()
        case (.processingStopped, _) where isSuspended: return handleSuspended(event, at: now)
        case (.processing, _), (.processingStopped, _): return handleProcessing(event, at: now)
        default: return .none
        }
    }

    private mutating func handleProcessing(_ event: Event, at now: UnixTime) -> Action {
        switch event {
        case .prepared(let impressions, let sheets, let notice, let warnings, let plan):
            job.warnings = warnings
            count(impressions: impressions, sheets: sheets, plan)
            report(.jobTransforming, notice ?? "Prepared")
        case .createdAtPrinter(let remote):
            job.remote = remote
            report(.jobOutgoing, "Sending to the printer")
        case .withdrawing where !isStopping:
            job.state = .processing
            job.reasons = [.submissionInterrupted]
            job.message = "Its document did not reach the printer; taking the job back"
        case .sending(let form): report(.jobOutgoing, "Sending to the printer as \(form)")
        case .sent: report(.jobPrinting, "Printing")
        case .progressed(let impressions, let sheets):
            // The printer counts what it was sent, we count the whole job.
            let before = job.resumePoint
            let counted = (sides: job.believable(impressions), sheets: job.believable(sheets))
            let sides = job.sides(counted.sides, onCompleted: counted.sheets)
            job.impressionsCompleted = max(job.impressionsCompleted, sides + (before?.impressionsBefore ?? 0))
            job.sheetsCompleted = max(job.sheetsCompleted, counted.sheets + (before?.sheetsBefore ?? 0))
            report(.jobPrinting, progressMessage)
        case .begunAgain where !isBegunAgain:
            job.reasons.append(.warningsDetected)
            if !isStopping && job.state == .processing { job.message = Self.twice }
        // Whatever happens meanwhile, it must be known who had the printer forget the job.
        case .printerStopped where job.reasons.contains(.submissionInterrupted): break
        case .printerStopped(let message, _):
            job.state = .processingStopped
            guard !isStopping else {
                job.message = "Stopping. \(message)"
                return .none
            }
            job.reasons = [.printerStopped] + warnings
            job.message = message
        case .printerResumed where job.state == .processingStopped:
            job.state = .processing
            if isStopping { job.message = "Stopping" }
            report(.jobPrinting, progressMessage)
        case .delivered(let warning): return deliver(warning: warning, at: now)
        case .failed(let reason, let message):
            // What fails after a cancel mostly fails because of it.
            if isStopping { return end(.canceled, [cancelReason], at: now, message: message) }
            return giveUp(reason, message, at: now)
        case .postponed(let until, let message):
            if isStopping { return end(.canceled, [cancelReason], at: now) }
            job.attempts += 1
            job.retryAt = until
            job.remote = nil
            _ = wait(message: message, reasons: [.destinationUnavailable])
        case .interrupted:
            if isStopping { return end(.canceled, [cancelReason], at: now) }
            job.remote = nil
            return wait()
        case .doubted(let message):
            // Whoever canceled it has said already how to go on.
            if isStopping { return end(.canceled, [cancelReason], at: now, message: message) }
            job.state = .processingStopped
            job.reasons = [.jobSuspended]
            job.message = message
            return .none
        case .continues(let moment, let message):
            if isStopping { return end(.canceled, [cancelReason], at: now, message: message) }
            let isAllPrinted = job.impressions.map { $0 > 0 && job.impressionsCompleted >= $0 } ?? false
            if isAllPrinted { return deliver(warning: message, at: now) }
            goOn(from: job.impressionsCompleted + 1)
            job.retryAt = moment
            return wait(message: message, reasons: [.jobResuming])
        case .backendStopped where isStopping: return end(.canceled, [cancelReason], at: now)
        case .canceledAtPrinter(let message):
            return end(.canceled, [isStopping ? cancelReason : .jobCanceledAtDevice], at: now, message: message)
        default: break  // a late or repeated event changes nothing
        }
        return .none
    }

    /// Only certain news settles a doubt: anything else, and above all a restart, must not print the job again.
    private mutating func handleSuspended(_ event: Event, at now: UnixTime) -> Action {
        switch event {
        case .delivered(let warning): deliver(warning: warning, at: now)
        case .canceledAtPrinter(let message): end(.canceled, [.jobCanceledAtDevice], at: now, message: message)
        default: .none
        }
    }

    // MARK: - Steps

    /// Has the job printed from a side on, counted over all copies from 1, by a new job of the printer.
    private mutating func goOn(from impression: Int) {
        job.remote = nil
        job.printedBefore = job.printed
        job.resumeFrom = impression == 1 ? nil : impression
        countCompleted()
    }

    private mutating func count(impressions: Int, sheets: Int, _ plan: SheetPlan?) {
        job.impressions = max(0, impressions)
        job.sheets = max(0, sheets)
        job.sheetPlan = plan
        countCompleted(atLeast: (job.impressionsCompleted, job.sheetsCompleted))
    }

    /// Begins the count of what is printed anew: with what lies before the side that the job goes on from.
    private mutating func countCompleted(atLeast counted: (impressions: Int, sheets: Int) = (0, 0)) {
        job.impressionsCompleted = max(counted.impressions, job.resumePoint?.impressionsBefore ?? 0)
        job.sheetsCompleted = max(counted.sheets, job.resumePoint?.sheetsBefore ?? 0)
    }

    private mutating func deliver(warning: String?, at now: UnixTime) -> Action {
        job.impressionsCompleted = max(job.impressionsCompleted, job.impressions ?? 0)
        job.sheetsCompleted = max(job.sheetsCompleted, job.sheets ?? 0)
        let warning = ([isBegunAgain ? Self.twice : nil] + shownWarnings + [warning]).compactMap(\.self)
            .joined(separator: ". ")
        let reason: JobStateReason = warning.isEmpty ? .jobCompletedSuccessfully : .jobCompletedWithWarnings
        return end(.completed, [reason], at: now, message: warning)
    }

    private mutating func giveUp(_ reason: JobStateReason, _ message: String, at now: UnixTime) -> Action {
        let reasons = reason == .abortedBySystem ? [reason] : [reason, .abortedBySystem]
        return end(.aborted, reasons, at: now, message: message)
    }

    private mutating func wait(message: String = "", reasons: [JobStateReason] = []) -> Action {
        job.state = .pending
        job.reasons = reasons
        job.message = message
        return .none
    }

    private mutating func end(
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

    /// News of the work; while the job or its printer has stopped, the stopping is what people want to read.
    private mutating func report(_ reason: JobStateReason, _ message: String) {
        let steps: [JobStateReason] = [.jobTransforming, .jobOutgoing, .jobPrinting]
        let reached = steps.firstIndex { job.reasons.contains($0) } ?? 0
        guard !isStopping, job.state == .processing, steps[reached...].contains(reason) else { return }
        job.reasons = [reason] + warnings
        job.message = message
    }

    /// The first warnings, and how many more there are: a `job-state-message` has at most 1,023 bytes.
    private var shownWarnings: [String] {
        let most = 3
        let others = job.warnings.count - most
        return job.warnings.prefix(most) + (others > 0 ? ["\(others) more warning\(others == 1 ? "" : "s")"] : [])
    }

    /// What becomes of the paper of a job that was begun anew, in words.
    private static let twice = "It was begun again at the printer: pages may have come out twice"

    private var isBegunAgain: Bool { job.reasons.contains(.warningsDetected) }

    /// The reasons that stay, whatever becomes of the job at its printer.
    private var warnings: [JobStateReason] { isBegunAgain ? [.warningsDetected] : [] }

    private var isStopping: Bool { job.reasons.contains(.processingToStopPoint) }

    private var isIncoming: Bool { !incomingReasons.isEmpty }

    private var incomingReasons: [JobStateReason] {
        job.reasons.filter { $0 == .jobIncoming || $0 == .jobDataInsufficient }
    }

    private var isSuspended: Bool { job.reasons.contains(.jobSuspended) }

    private var cancelReason: JobStateReason {
        job.reasons.contains(.jobCanceledByOperator) ? .jobCanceledByOperator : .jobCanceledByUser
    }

    /// The page after those that are printed, as in "page 2 of 5", or that there is none.
    ///
    /// While the pages of the documents are not known, sides count.
    private var progressMessage: String {
        let sides = job.impressionsCompleted
        if let plan = job.sheetPlan, plan.pages > 0, plan.sheetsPerCopy > 0 {
            let next = plan.wordsOfNextPage(after: sides, sidesPerSheet: job.sidesPerSheet)
            return next.map { "Printing \($0)" } ?? Self.printedAll
        }
        guard let total = job.impressions, total > 0 else { return "Printing" }
        return sides < total ? "Printing page \(sides + 1) of \(total)" : Self.printedAll
    }

    private static let printedAll = "All pages printed"

    private func notPossible(_ what: String, because reason: String) -> NotPossible {
        NotPossible(description: "job \(job.id) is \(job.state) and cannot be \(what): \(reason)")
    }
}

extension Job {
    /// The message of a job that was closed without a document.
    public static let noDocument = "It has no document: its client closed it without sending one, or sent an empty one"

    /// What a printer counts for the job; 0 for what cannot be.
    ///
    /// It may print pages again after a jam, and some of its own before and after, but not the job many times.
    fileprivate func believable(_ count: Int?) -> Int {
        guard let count, let impressions else { return count ?? 0 }
        return count / 2 - 8 <= impressions ? count : 0
    }

    /// The sides that are done, blank backs included, of which a printer counts so many.
    ///
    /// Some printers count blank backs, others do not. Of one that does not, the sheets that came out tell how many sides there
    /// were; its count of sheets is believed only when it fits.
    fileprivate func sides(_ count: Int, onCompleted sheets: Int) -> Int {
        guard let sheetPlan, sidesPerSheet == 2 else { return count }
        let before = resumePoint?.sheetsBefore ?? 0
        let blanks = sheetPlan.blanks(onFirst: before + sheets) - sheetPlan.blanks(onFirst: before)
        return count >= sheets * 2 - blanks ? max(count, sheets * 2) : count
    }
}
