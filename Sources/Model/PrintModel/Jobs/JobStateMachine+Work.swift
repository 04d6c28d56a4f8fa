// Handles the events of the work on a job: received documents, delivery, progress, and the end of the job.

extension JobStateMachine {
    mutating func handleWork(_ event: Event, at now: UnixTime) -> Action {
        switch (job.state, event) {
        case (_, .restored(let message)): return restore(message, at: now)
        case (.pending, .documentsArrived) where isIncoming: return wait()
        case (.pendingHeld, .documentsArrived) where isIncoming:
            if job.reasons.contains(.jobHoldUntilSpecified) {
                job.reasons = job.holdReasons
                return .none
            }
            return wait()
        case (.pending, .documentsTimedOut) where isIncoming, (.pendingHeld, .documentsTimedOut) where isIncoming:
            return end(
                .aborted, [.multipleOperationTimeOut, .abortedBySystem], at: now,
                message: "The documents did not arrive in time; submit the job again")
        case (.pending, .closedWithoutDocuments) where isIncoming,
            (.pendingHeld, .closedWithoutDocuments) where isIncoming:
            return end(.aborted, [.errorsDetected, .abortedBySystem], at: now, message: Job.noDocument)
        case (.pendingHeld, .passwordLocked) where job.waitsForPassword:
            job.reasons.removeAll { $0 == .jobPasswordWait }
            job.message = "Three wrong PINs were entered; only the owner and administrators can release the job"
            return .none
        case (.pendingHeld, .passwordExpired) where job.hasReleasePassword:
            return end(.aborted, [.abortedBySystem], at: now, message: job.expirationText)
        case (.pending, .claimed) where !isIncoming:
            job.state = .processing
            job.reasons = [.jobTransforming]
            job.message = ""
            job.processingAt = job.processingAt ?? now
            job.retryAt = nil
            return .none
        case (.pending, .prepared(let impressions, let sheets, _, let warnings, let plan)),
            (.pendingHeld, .prepared(let impressions, let sheets, _, let warnings, let plan)):
            // The job was prepared while another job is printing.
            job.warnings = warnings
            count(impressions: impressions, sheets: sheets, plan)
            if job.isBeingPrepared { return wait() }
            return .none
        case (.pending, .failed(let reason, let message)) where !isIncoming:
            // The error was found while the job was prepared ahead of time, so the job is aborted before printing
            // starts.
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
            job.message = "Sending the document failed; canceling the job at the printer"
        case .sending(let form): report(.jobOutgoing, "Sending to the printer as \(form)")
        case .sent: report(.jobPrinting, "Printing")
        case .progressed(let impressions, let sheets):
            // The printer counts only the sides that it received. The job counts all its sides.
            let before = job.resumePoint
            let counted = (sides: job.believable(impressions), sheets: job.believable(sheets))
            let sides = job.sides(counted.sides, onCompleted: counted.sheets)
            job.impressionsCompleted = max(job.impressionsCompleted, sides + (before?.impressionsBefore ?? 0))
            job.sheetsCompleted = max(job.sheetsCompleted, counted.sheets + (before?.sheetsBefore ?? 0))
            report(.jobPrinting, progressMessage)
        case .restarted where !isBegunAgain:
            job.reasons.append(.warningsDetected)
            if !isStopping && job.state == .processing { job.message = Self.twice }
        // The job keeps `submission-interrupted`, because the printer must still cancel its job.
        case .printerStopped where job.reasons.contains(.submissionInterrupted): break
        case .printerStopped(let message, _):
            job.state = .processingStopped
            job.message = message
            if !isStopping { job.reasons = [.printerStopped] + warnings }
        case .printerResumed where job.state == .processingStopped:
            job.state = .processing
            if isStopping { job.message = "" }
            report(.jobPrinting, progressMessage)
        case .delivered(let warning): return deliver(warning: warning, at: now)
        case .failed(let reason, let message):
            // A failure after a cancellation is usually caused by the cancellation.
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
        case .overtaken where job.state == .processing && job.remote == nil:
            if isStopping { return end(.canceled, [cancelReason], at: now) }
            return wait(
                message: "The document is still being prepared; jobs of other users are printed first",
                reasons: [.jobTransforming])
        case .doubted(let message):
            // The user who canceled the job has already decided how to continue.
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
        default: break  // A late or repeated event has no effect.
        }
        return .none
    }

    /// Suspends a job of a restored spool.
    ///
    /// A person then decides whether the job is printed.
    ///
    /// A held job stays held, unless the time of its release has passed: such a job may have been released and printed.
    private mutating func restore(_ message: String, at now: UnixTime) -> Action {
        if job.state.isTerminal || isSuspended { return .none }
        if isIncoming {
            return end(
                .aborted, [.multipleOperationTimeOut, .abortedBySystem], at: now,
                message: "The documents of the job were incomplete: \(message); submit the job again")
        }
        if isStopping { return end(.canceled, [cancelReason], at: now, message: "Canceled: \(message)") }
        if job.state == .pendingHeld, job.heldUntil.map({ $0 > now }) ?? true { return .none }
        job.state = .processingStopped
        job.processingAt = job.processingAt ?? now
        (job.heldUntil, job.retryAt) = (nil, nil)
        job.reasons = [.jobSuspended]
        job.message = "The job may have been printed: \(message); \(job.resumeCommands)"
        return .none
    }

    /// Handles the few events that can end the suspension of a job.
    ///
    /// Any other event, in particular a restart of the spooler, must not cause a second printing of the job.
    private mutating func handleSuspended(_ event: Event, at now: UnixTime) -> Action {
        switch event {
        case .delivered(let warning): deliver(warning: warning, at: now)
        case .canceledAtPrinter(let message): end(.canceled, [.jobCanceledAtDevice], at: now, message: message)
        default: .none
        }
    }

    private mutating func count(impressions: Int, sheets: Int, _ plan: SheetPlan?) {
        job.impressions = max(0, impressions)
        job.sheets = max(0, sheets)
        job.sheetPlan = plan
        job.preparationSeconds = 0
        countCompleted(atLeast: (job.impressionsCompleted, job.sheetsCompleted))
    }

    private mutating func deliver(warning: String?, at now: UnixTime) -> Action {
        job.impressionsCompleted = max(job.impressionsCompleted, job.impressions ?? 0)
        job.sheetsCompleted = max(job.sheetsCompleted, job.sheets ?? 0)
        // The printer finds the damage that the preparation has found.
        let another = warning.flatMap { job.allWarnings.contains($0) ? nil : $0 }
        let warning = [isBegunAgain ? Self.twice : "", job.warningText, another ?? ""].filter { !$0.isEmpty }
            .joined(separator: ". ")
        let reason: JobStateReason = warning.isEmpty ? .jobCompletedSuccessfully : .jobCompletedWithWarnings
        return end(.completed, [reason], at: now, message: warning)
    }

    private mutating func giveUp(_ reason: JobStateReason, _ message: String, at now: UnixTime) -> Action {
        let reasons = reason == .abortedBySystem ? [reason] : [reason, .abortedBySystem]
        return end(.aborted, reasons, at: now, message: message)
    }

    /// Records a processing step of the job.
    ///
    /// While the job or its printer is stopped, the job keeps the message about the stop.
    private mutating func report(_ reason: JobStateReason, _ message: String) {
        let steps: [JobStateReason] = [.jobTransforming, .jobOutgoing, .jobPrinting]
        let reached = steps.firstIndex { job.reasons.contains($0) } ?? 0
        guard !isStopping, job.state == .processing, steps[reached...].contains(reason) else { return }
        job.reasons = [reason] + warnings
        job.message = message
    }

    /// The message about a job that the printer restarted.
    private static let twice = "The printer restarted the job: some pages may have been printed twice"

    private var isBegunAgain: Bool { job.reasons.contains(.warningsDetected) }

    /// The job keeps these reasons until the job ends.
    private var warnings: [JobStateReason] { isBegunAgain ? [.warningsDetected] : [] }

    private var cancelReason: JobStateReason {
        job.reasons.contains(.jobCanceledByOperator) ? .jobCanceledByOperator : .jobCanceledByUser
    }

    /// The progress message with the number of the next page, such as "Printing page 2 of 5".
    ///
    /// After the last page, the message is "All pages printed".
    ///
    /// If the number of pages is unknown, the message contains the number of the next side instead.
    private var progressMessage: String {
        guard let next = job.nextPage else { return "Printing" }
        return next.isEmpty ? "All pages printed" : "Printing \(next)"
    }
}

extension Job {
    /// The first page on the next side, such as `page 3 of 5`, without a sheet plan the next side.
    ///
    /// The text is empty when all pages are printed; nil if the number of pages is unknown.
    fileprivate var nextPage: String? {
        if let sheetPlan, sheetPlan.pages > 0, sheetPlan.sheetsPerCopy > 0 {
            return sheetPlan.textOfNextPage(after: impressionsCompleted, sidesPerSheet: sidesPerSheet) ?? ""
        }
        guard let impressions, impressions > 0 else { return nil }
        return impressionsCompleted < impressions ? "page \(impressionsCompleted + 1) of \(impressions)" : ""
    }

    /// Whether the printer has reported all pages as printed.
    var isAllPrinted: Bool { nextPage?.isEmpty ?? false }

    /// Whether the job waits for its documents, while its printer prints jobs of other owners.
    var isBeingPrepared: Bool { state == .pending && reasons == [.jobTransforming] }

    /// The message of a job that was closed without a document.
    package static let noDocument =
        "The job has no document: the client closed the job without sending a document, or sent an empty document"

    /// Returns the number of sides that a printer reports for the job, or 0 if the number is implausible.
    ///
    /// A plausible number can include pages that were printed a second time after a jam, and pages that the printer
    /// added. A number is implausible if the number exceeds about twice the number of sides of the job.
    fileprivate func believable(_ count: Int?) -> Int {
        guard let count, let impressions else { return count ?? 0 }
        return count / 2 - 8 <= impressions ? count : 0
    }

    /// Returns the number of finished sides, including blank backs.
    ///
    /// `count` is the number of sides that the printer reports.
    ///
    /// Some printers do not count blank backs. For these printers, the number of finished sides is derived from the
    /// number of sheets, if the number of sheets is plausible.
    fileprivate func sides(_ count: Int, onCompleted sheets: Int) -> Int {
        guard let sheetPlan, sidesPerSheet == 2 else { return count }
        let before = resumePoint?.sheetsBefore ?? 0
        let blanks = sheetPlan.blanks(onFirst: before + sheets) - sheetPlan.blanks(onFirst: before)
        return count >= sheets * 2 - blanks ? max(count, sheets * 2) : count
    }
}

extension Job {
    /// The reason why a job ends that nobody has released with its password.
    fileprivate var expirationText: String {
        let hours = max(1, Int((((ticket.passwordExpiresAt ?? createdAt) - createdAt) / 3600).rounded()))
        return "Nobody released the job with its PIN within \(hours) hour\(hours == 1 ? "" : "s"), so its documents "
            + "were deleted; submit the job again"
    }
}
