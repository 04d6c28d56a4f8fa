// Defines the state transitions of a simulated job, without a clock, disk or task.

import PrintModel

extension SimulatedJob {
    init(
        id: Int, folder: String, uuid: String, request: SimulatedJobRequest, printer: SimulatedPrinterDescription,
        now: UnixTime
    ) {
        let (options, substitutions) = printer.settle(request.options)
        self.init(
            id: id, folder: folder, queueNumber: request.queueNumber, uuid: uuid,
            name: request.name, owner: request.owner, ticket: request.ticket, options: options,
            pageRanges: request.pageRanges, orientation: request.orientation, hold: request.hold,
            priority: request.priority,
            rollCut: printer.hasCutter ? request.rollCut ?? .afterPages : .never, documents: [], state: .pendingHeld,
            reasons: [.jobIncoming], message: "",
            createdAt: now, impressionsCompleted: 0, sheetsCompleted: 0,
            warnings: substitutions.joined(with: request.unconverted).map(\.message))
        unconverted = request.unconverted
        requiresFidelity = request.requiresFidelity
        outputBin = printer.outputBins[0]
        choose(request.outputBin, of: printer)
    }

    /// If the printer does not have the bin, the job receives a warning instead.
    private mutating func choose(_ bin: String?, of printer: SimulatedPrinterDescription) {
        guard let bin, bin != "auto" else { return }
        if printer.outputBins.contains(bin) {
            outputBin = bin
        } else {
            warnings.append("no output bin '\(bin)'; used '\(outputBin)' instead")
        }
    }

    package var isIncoming: Bool { state == .pendingHeld && reasons.contains(.jobIncoming) }

    /// Whether the job is being canceled: a client has canceled the job, but the job has not ended.
    package var isStopping: Bool { reasons.contains(.processingToStopPoint) }

    /// A held job waits until a client releases the job, or until the hold time has passed.
    package var isHeld: Bool { reasons.contains(.jobHoldUntilSpecified) }

    /// The job is then pending or held.
    mutating func arrive() {
        state = hold == .noHold ? .pending : .pendingHeld
        reasons = hold == .noHold ? [] : [.jobHoldUntilSpecified]
        message = ""
    }

    /// Puts the job on hold (RFC 8011 §4.3.5).
    mutating func keep(until hold: HoldUntil) throws(SimulatorError) {
        guard state == .pending || state == .pendingHeld else {
            throw SimulatorError(.notPossible, "job \(id) is \(state) and can no longer be held")
        }
        self.hold = hold
        if !isIncoming { arrive() }
    }

    /// A job that is not held does not change (RFC 8011 §4.3.6).
    mutating func release() throws(SimulatorError) {
        guard !state.isTerminal else {
            throw SimulatorError(.notPossible, "job \(id) is already \(state) and cannot be released")
        }
        hold = .noHold
        if isHeld { arrive() }
    }

    /// The function throws an error if the printer has started the job (RFC 3380 §4.2).
    mutating func ask(_ request: SimulatedJobRequest, of printer: SimulatedPrinterDescription) throws(SimulatorError) {
        guard state == .pending || state == .pendingHeld else {
            throw SimulatorError(.notPossible, "job \(id) is \(state) and can no longer be changed")
        }
        let substitutions: [JobSubstitution]
        (options, substitutions) = printer.settle(request.options)
        unconverted = request.unconverted
        warnings = substitutions.joined(with: unconverted).map(\.message)
        (name, ticket, pageRanges) = (request.name, request.ticket, request.pageRanges)
        (orientation, priority) = (request.orientation, request.priority)
        if printer.hasCutter, let cut = request.rollCut { rollCut = cut }
        choose(request.outputBin, of: printer)
    }

    /// Changes the job's state to `processing` when the printer starts to read the document.
    mutating func begin(at now: UnixTime) {
        state = .processing
        reasons = [.jobTransforming]
        message = "Reading the document"
        processingAt = processingAt ?? now
    }

    /// A job that is being canceled does not change.
    mutating func goOn() {
        guard !isStopping else { return }
        state = .processing
        reasons = [.jobPrinting]
        // Blank backs can follow the last page.
        let page =
            plan?.textOfNextPage(after: sidesCompleted, sidesPerSheet: sidesPerSheet)
            ?? plan?.progress(after: sidesCompleted, sidesPerSheet: sidesPerSheet)?.text
        message = page.map { "Printing \($0)" } ?? "Printing"
    }

    mutating func stop(for condition: StopCondition) {
        state = .processingStopped
        reasons = [.printerStopped]
        message = condition.message
    }

    /// Cancels a waiting job, or requests that a printing job ends at the next side.
    ///
    /// Returns whether the job has ended.
    mutating func cancel(byOperator: Bool, at now: UnixTime) throws(SimulatorError) -> Bool {
        let reason: JobStateReason = byOperator ? .jobCanceledByOperator : .jobCanceledByUser
        switch state {
        case .pending, .pendingHeld:
            end(.canceled, [reason], at: now)
            return true
        case .processing, .processingStopped:
            guard !isStopping else {
                throw SimulatorError(.notPossible, "job \(id) is already being canceled")
            }
            // The sheet is moving, so the job ends at the next side.
            state = .processing
            reasons = [.processingToStopPoint, reason]
            message = "Stopping"
            return false
        case .canceled, .aborted, .completed:
            throw SimulatorError(.notPossible, "job \(id) is already \(state)")
        }
    }

    mutating func endCanceled(at now: UnixTime) {
        let isByOperator = reasons.contains(.jobCanceledByOperator)
        end(
            .canceled, [isByOperator ? .jobCanceledByOperator : .jobCanceledByUser], at: now,
            message: impressions.map { "Canceled after \(impressionsCompleted) of \($0) sides" })
    }

    mutating func complete(at now: UnixTime) {
        end(
            .completed, [warnings.isEmpty ? .jobCompletedSuccessfully : .jobCompletedWithWarnings], at: now,
            message: warnings.isEmpty ? nil : warnings.joined(separator: "; "))
    }

    mutating func abort(_ reason: JobStateReason, _ message: String, at now: UnixTime) {
        end(.aborted, reason == .abortedBySystem ? [reason] : [reason, .abortedBySystem], at: now, message: message)
    }

    mutating func abort(_ error: WorkError, at now: UnixTime) {
        let reason: JobStateReason =
            switch error.code {
            case .damaged: .documentFormatError
            case .unsupportedFormat: .unsupportedDocumentFormat
            case .passwordRequired: .documentPasswordError
            case .documentTooLarge: .documentUnprintableError
            default: .abortedBySystem
            }
        abort(reason, error.message, at: now)
    }

    /// Puts the job back into the queue, because the printer was switched off before it printed a page of the job.
    mutating func waitAgain() {
        arrive()
        processingAt = nil
        impressions = nil
        sheets = nil
        plan = nil
        (impressionsCompleted, sheetsCompleted, sidesCompleted) = (0, 0, 0)
        pieces = []
        stack = nil
    }

    private mutating func end(
        _ state: JobState, _ reasons: [JobStateReason], at now: UnixTime, message: String? = nil
    ) {
        // The printer cuts off printed paper, whatever the reason for the end is.
        if rollCut != .never { pieces.cut() }
        self.state = state
        self.reasons = reasons
        self.message = message ?? ""
        completedAt = now
    }
}
