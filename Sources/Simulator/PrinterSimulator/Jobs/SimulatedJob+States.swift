// What happens to a job at a simulated printer. No clock, no disk, no task.

import PrintModel

extension SimulatedJob {
    /// A job just made, which waits for its document.
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
            warnings: substitutions.joined(with: request.untaken).map(\.words))
        untaken = request.untaken
        requiresFidelity = request.requiresFidelity
        outputBin = printer.outputBins[0]
        choose(request.outputBin, of: printer)
    }

    /// Takes an output bin, if the printer has it.
    private mutating func choose(_ bin: String?, of printer: SimulatedPrinterDescription) {
        guard let bin, bin != "auto" else { return }
        if printer.outputBins.contains(bin) {
            outputBin = bin
        } else {
            warnings.append("no output bin '\(bin)' here; put out into '\(outputBin)'")
        }
    }

    /// Whether it waits for its document.
    package var isIncoming: Bool { state == .pendingHeld && reasons.contains(.jobIncoming) }

    /// Whether it was canceled and comes to a stop.
    package var isStopping: Bool { reasons.contains(.processingToStopPoint) }

    /// Whether it waits until someone releases it, or its moment comes.
    package var isHeld: Bool { reasons.contains(.jobHoldUntilSpecified) }

    /// Its document is there: it waits for its turn, or until it is released.
    mutating func arrive() {
        state = hold == .noHold ? .pending : .pendingHeld
        reasons = hold == .noHold ? [] : [.jobHoldUntilSpecified]
        message = ""
    }

    /// Someone keeps it from being printed (RFC 8011 §4.3.5).
    mutating func keep(until hold: HoldUntil) throws(SimulatorError) {
        guard state == .pending || state == .pendingHeld else {
            throw SimulatorError(.notPossible, "job \(id) is \(state) and cannot be held any more")
        }
        self.hold = hold
        if !isIncoming { arrive() }
    }

    /// Someone releases it; one that is not held is left as it is (RFC 8011 §4.3.6).
    mutating func release() throws(SimulatorError) {
        guard !state.isTerminal else {
            throw SimulatorError(.notPossible, "job \(id) is \(state) and cannot be released: it has ended")
        }
        hold = .noHold
        if isHeld { arrive() }
    }

    /// Its owner wants something else; possible until the printer takes it up (RFC 3380 §4.2).
    mutating func ask(_ request: SimulatedJobRequest, of printer: SimulatedPrinterDescription) throws(SimulatorError) {
        guard state == .pending || state == .pendingHeld else {
            throw SimulatorError(.notPossible, "job \(id) is \(state) and cannot be changed any more")
        }
        let substitutions: [JobSubstitution]
        (options, substitutions) = printer.settle(request.options)
        untaken = request.untaken
        warnings = substitutions.joined(with: untaken).map(\.words)
        (name, ticket, pageRanges) = (request.name, request.ticket, request.pageRanges)
        (orientation, priority) = (request.orientation, request.priority)
        if printer.hasCutter, let cut = request.rollCut { rollCut = cut }
        choose(request.outputBin, of: printer)
    }

    /// The printer takes it up and reads its document.
    mutating func begin(at now: UnixTime) {
        state = .processing
        reasons = [.jobTransforming]
        message = "Reading the document"
        processingAt = processingAt ?? now
    }

    /// The printer is about to print a side.
    mutating func goOn() {
        guard !isStopping else { return }
        state = .processing
        reasons = [.jobPrinting]
        // After the last page there may be blank backs to come.
        let page =
            plan?.wordsOfNextPage(after: sidesCompleted, sidesPerSheet: sidesPerSheet)
            ?? plan?.progress(after: sidesCompleted, sidesPerSheet: sidesPerSheet)?.words
        message = page.map { "Printing \($0)" } ?? "Printing"
    }

    /// The printer has stopped in the middle of it.
    mutating func stop(for condition: StopCondition) {
        state = .processingStopped
        reasons = [.printerStopped]
        message = condition.message
    }

    /// Someone cancels it; whether it has ended by that.
    mutating func cancel(byOperator: Bool, at now: UnixTime) throws(SimulatorError) -> Bool {
        let reason: JobStateReason = byOperator ? .jobCanceledByOperator : .jobCanceledByUser
        switch state {
        case .pending, .pendingHeld:
            end(.canceled, [reason], at: now)
            return true
        case .processing, .processingStopped:
            guard !isStopping else {
                throw SimulatorError(.notPossible, "job \(id) is being canceled already")
            }
            // Paper is moving: it ends at the next side.
            state = .processing
            reasons = [.processingToStopPoint, reason]
            message = "Stopping"
            return false
        case .canceled, .aborted, .completed:
            throw SimulatorError(.notPossible, "job \(id) is \(state) and cannot be canceled: it has ended")
        }
    }

    /// It has come to the stop it was canceled to.
    mutating func endCanceled(at now: UnixTime) {
        let isByOperator = reasons.contains(.jobCanceledByOperator)
        end(
            .canceled, [isByOperator ? .jobCanceledByOperator : .jobCanceledByUser], at: now,
            message: impressions.map { "Canceled after \(impressionsCompleted) of \($0) sides" })
    }

    /// All of it is printed.
    mutating func complete(at now: UnixTime) {
        end(
            .completed, [warnings.isEmpty ? .jobCompletedSuccessfully : .jobCompletedWithWarnings], at: now,
            message: warnings.isEmpty ? nil : warnings.joined(separator: "; "))
    }

    /// It cannot be printed.
    mutating func abort(_ reason: JobStateReason, _ message: String, at now: UnixTime) {
        end(.aborted, reason == .abortedBySystem ? [reason] : [reason, .abortedBySystem], at: now, message: message)
    }

    /// Its document could not be read.
    mutating func abort(_ error: WorkError, at now: UnixTime) {
        let reason: JobStateReason =
            switch error.code {
            case .damaged: .documentFormatError
            case .unsupportedFormat: .unsupportedDocumentFormat
            case .passwordRequired: .documentPasswordError
            default: .abortedBySystem
            }
        abort(reason, error.message, at: now)
    }

    /// It is back in the queue after the printer was switched off before anything of it came out.
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
        // Whatever ends it, the printer does not leave what it has printed hanging.
        if rollCut != .never { pieces.cut() }
        self.state = state
        self.reasons = reasons
        self.message = message ?? ""
        completedAt = now
    }
}
