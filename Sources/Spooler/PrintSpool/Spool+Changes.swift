// Changes jobs with the state machine. One transaction stores the result and appends an event to the log.

public import PrintModel

extension Spool {
    /// Applies an event to a job with `JobStateMachine`.
    ///
    /// In the same transaction, stores the result and appends the event to the event log.
    ///
    /// A late or repeated event does not change the job, and is not logged. After the job has ended, its prepared files
    /// are removed (`finishRemovals`).
    ///
    /// - Parameter lease: In a shared spool, the lease under which the caller delivers the job; nil for requests of
    ///   users.
    /// - Returns: The changed job, and the action that the caller must take.
    /// - Throws: `noSuchJob`, or `notPossible` when the state of the job does not allow the request; `leaseLost` if the
    ///   job is no longer in progress under `lease`. After each of these errors, the job is unchanged.
    @discardableResult
    public func change(
        _ id: Int, _ event: JobStateMachine.Event, under lease: PrinterLease? = nil
    ) async throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        try await change(id, [event], under: lease)
    }

    /// Applies several events to a job, in order and in one transaction, like `change(_:_:under:)` for one event.
    ///
    /// - Parameter wakesScheduler: Whether the scheduler checks the queue after an event that can let another job start.
    /// - Returns: The changed job, and the action of the last event.
    @discardableResult
    public func change(
        _ id: Int, _ events: [JobStateMachine.Event], under lease: PrinterLease? = nil, wakesScheduler: Bool = true
    ) async throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        let durability = events.contains { $0.durability == .forced } ? Durability.forced : .ordered
        // In strict order, the end of a job concerns every host.
        let isWanted = wakesScheduler || heldLeases.isStrict.load(ordering: .relaxed)
        let isNews = isWanted && events.contains(where: \.concernsScheduler)
        let news = { @Sendable (result: (Job, JobStateMachine.Action, Set<String>?)) -> News in
            isNews ? .jobs(of: [result.0.printer]) : .none
        }
        let (job, action, kept) = try await write(durability, news: news) { [self] transaction in
            let job = try transaction.existingJob(id)
            if let lease { try check(lease, of: job, in: transaction) }
            let (changed, action) = try apply(events, to: job, in: transaction)
            return (changed, action, action == .finish ? try transaction.documentFiles(of: id) : nil)
        }
        if let kept { store.tidyFoldersLater(keeping: [id: kept]) }
        if action == .finish, job.hasSecrets { await overwriteLog() }
        return (job, action)
    }

    /// Applies an event to each of several jobs, in transactions of at most 200 jobs (`changeStep`).
    ///
    /// A job that does not exist, or whose state does not allow its event, remains unchanged.
    ///
    /// - Returns: The changed jobs, and the actions that the caller must take.
    @discardableResult
    public func change(
        _ changes: [(id: Int, event: JobStateMachine.Event)]
    ) async throws(SpoolError) -> [(job: Job, action: JobStateMachine.Action)] {
        var changed: [(job: Job, action: JobStateMachine.Action)] = []
        for step in changes.steps(of: Self.changeStep) {
            let (results, kept) = try await write { [self] transaction in
                let results = try step.compactMap { id, event in
                    try ifPossible { try apply(event, to: transaction.existingJob(id), in: transaction) }
                }
                let ended = results.filter { $0.action == .finish }.map(\.job.id)
                return (results, try ended.isEmpty ? [:] : transaction.documentFiles(ofEndedJobs: ended))
            }
            store.tidyFoldersLater(keeping: kept)
            if results.contains(where: { $0.action == .finish && $0.job.hasSecrets }) { await overwriteLog() }
            changed += results
        }
        return changed
    }

    /// The maximum number of jobs that one transaction changes.
    ///
    /// A forced commit for each job would take minutes for a long queue. One transaction for all jobs would delay the
    /// submissions of other users.
    private static let changeStep = 200

    /// Returns the result of a change of a job; nil if the job does not exist or its state does not allow the change.
    ///
    /// The change must throw these errors before it changes data.
    @discardableResult
    private func ifPossible<Result>(_ change: () throws -> Result) throws -> Result? {
        do {
            return try change()
        } catch let error as SpoolError where [.notPossible, .noSuchJob].contains(error.code) {
            return nil
        }
    }

    /// Throws an error if a job is no longer in progress under a lease.
    private func check(_ lease: PrinterLease, of job: Job, in transaction: any SpoolTransaction) throws {
        guard try transaction.isInProgress(job, under: lease) else { throw SpoolError.leaseLost(lease) }
    }

    /// Changes the printer, the name, the options or the priority of a waiting job (IPP `Set-Job-Attributes`, CUPS
    /// `CUPS-Move-Job`).
    ///
    /// If a parameter is nil, the value does not change. A job that is moved to another printer keeps its id and its
    /// position in the queue. The job can start at the new printer without a retry delay. A suspended job can be moved
    /// too, and remains suspended.
    ///
    /// - Throws: `noSuchJob`, `noSuchPrinter`, or `notPossible` when the job is no longer waiting.
    @discardableResult
    public func update(
        _ id: Int, printer: String? = nil, name: String? = nil, ticket: JobTicket? = nil, priority: Int? = nil
    ) async throws(SpoolError) -> Job {
        try await write { [self] transaction in
            let before = try transaction.existingJob(id)
            var job = before
            if let printer {
                guard try transaction.printer(named: printer) != nil else { throw SpoolError.noSuchPrinter(printer) }
                job = try handle(.moveRequested(to: printer), by: job).job
            }
            if name != nil || ticket != nil || priority != nil {
                guard job.state == .pending || job.state == .pendingHeld else {
                    throw SpoolError.notPossible(
                        "job \(id) is \(job.state); only waiting jobs can be changed")
                }
            }
            if let ticket { try admit(ticket, of: job, in: transaction) }
            if ticket != nil, job.hasUnknownOptions { throw SpoolError.notPossible(Self.unknownOptions(of: id)) }
            job.name = name ?? job.name
            job.ticket = ticket ?? job.ticket
            job.ticket.limitedGroups = before.ticket.limitedGroups
            job.priority = min(max(priority ?? ticket?.priority ?? job.priority, 1), 100)
            // The page counts are only valid for the old options.
            if job.ticket != before.ticket {
                (job.impressions, job.sheets, job.sheetPlan, job.preparationSeconds) = (nil, nil, nil, 0)
            }
            try storeUpdate(of: job, since: before, in: transaction)
            return job
        }
    }

    /// Moves several waiting jobs to another printer, in transactions of at most 200 jobs (`changeStep`).
    ///
    /// A job that does not exist, or that cannot be moved, remains unchanged.
    ///
    /// - Throws: `noSuchPrinter`.
    public func move(_ ids: [Int], to printer: String) async throws(SpoolError) {
        for step in ids.steps(of: Self.changeStep) {
            try await write { [self] transaction in
                for id in step {
                    try ifPossible {
                        let job = try transaction.existingJob(id)
                        let moved = try handle(.moveRequested(to: printer), by: job).job
                        try storeUpdate(of: moved, since: job, in: transaction)
                    }
                }
                // As in `update`, the jobs are locked before the printer.
                guard try transaction.printer(named: printer) != nil else { throw SpoolError.noSuchPrinter(printer) }
            }
        }
    }

    /// Stores a job that was updated or moved by a user, and appends an event to the event log.
    private func storeUpdate(of job: Job, since before: Job, in transaction: any SpoolTransaction) throws {
        guard job != before else { return }
        try store(job, since: before, in: transaction)
        let message = job.printer == before.printer ? "Changed" : "Moved from \(before.printer) to \(job.printer)"
        try appendEvent("job-config-changed", of: job, message: message, in: transaction)
    }

    /// Applies an event to a loaded job, stores the result, and appends the event to the event log.
    @discardableResult
    func apply(
        _ event: JobStateMachine.Event, to job: Job, in transaction: any SpoolTransaction
    ) throws -> (job: Job, action: JobStateMachine.Action) {
        try apply([event], to: job, in: transaction)
    }

    /// Applies several events to a loaded job, stores the last result, and appends the events to the event log.
    ///
    /// - Returns: The changed job, and the action of the last event.
    private func apply(
        _ events: [JobStateMachine.Event], to job: Job, in transaction: any SpoolTransaction
    ) throws -> (job: Job, action: JobStateMachine.Action) {
        var steps: [(event: JobStateMachine.Event, before: Job, after: Job)] = []
        var (last, action) = (job, JobStateMachine.Action.none)
        for event in try limited(events, of: job, in: transaction) {
            let before = last
            (last, action) = try handle(event, by: before)
            if last != before { steps.append((event, before, last)) }
        }
        guard !steps.isEmpty else { return (job, action) }
        try store(last, since: job, in: transaction)
        if !job.state.isTerminal, let entry = AccountingEntry(last) { try transaction.record(entry) }
        // A job whose document is damaged or too large for its converter cannot be reprinted, so its documents are not
        // kept.
        let isUseless =
            last.ticket.keepsDocuments == false || last.hasReleasePassword
            || last.reasons.contains(.documentFormatError) || last.reasons.contains(.documentUnprintableError)
        if action == .finish, isUseless { try forgetDocuments(of: last.id, in: transaction) }
        // The owner knows the password again.
        if last.hasReleasePassword, events.contains(.releaseRequested) {
            try transaction.setPasswordFailures(0, of: last.id)
        }
        // The database has deleted the password.
        if last.state.isTerminal, last.hasSecrets {
            forgottenDocuments.add(1, ordering: .relaxed)
        }
        for (event, before, after) in steps {
            try appendEvent(
                kind(of: after, since: before), of: after, message: message(of: event, after), in: transaction)
            try appendPrinterEvent(of: after, since: before, reasons: event.printerReasons, in: transaction)
        }
        return (last, action)
    }

    /// Stores the changeable fields of a job, and invalidates the cached due times if the job waits for a point in
    /// time.
    ///
    /// - Parameter before: The job before the change; nil if the state reasons and the options of the job have not
    ///   changed.
    func store(
        _ job: Job, since before: Job? = nil, incomingUntil: UnixTime? = nil, in transaction: any SpoolTransaction
    ) throws {
        if incomingUntil != nil || job.waitsForClock { dueTimes.beginChange() }
        let keepsTicket = (before ?? job).hasUnknownOptions || (before ?? job).ticket == job.ticket
        try transaction.update(job, keepsTicket: keepsTicket, incomingUntil: incomingUntil)
    }

    /// Applies an event with the state machine, without storing the result.
    private func handle(
        _ event: JobStateMachine.Event, by job: Job
    ) throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        var machine = JobStateMachine(job: job)
        do throws(JobStateMachine.InvalidTransition) {
            let action = try machine.handle(event, at: clock())
            return (machine.job, action)
        } catch {
            throw SpoolError.notPossible(error.description, cause: error)
        }
    }

    /// Returns the message that the event log stores for an event.
    private func message(of event: JobStateMachine.Event, _ job: Job) -> String {
        switch event {
        case .resumeRequested: "Continues with \(job.resumeText ?? "page 1")"
        // A job that is prepared in advance keeps the message that explains why the job waits.
        case .prepared(_, _, let notice?, _, _) where job.state != .processing: notice
        default: job.stateMessage
        }
    }

    /// Returns the IPP keyword of the event for a changed job (RFC 3995 §5.3.3.4.3).
    private func kind(of job: Job, since before: Job) -> String {
        if job.state.isTerminal && !before.state.isTerminal { return "job-completed" }
        return job.state != before.state || job.reasons != before.reasons ? "job-state-changed" : "job-progress"
    }
}

extension JobStateMachine.Event {
    /// The state reasons of the stopped printer (IPP keywords); empty if the event does not report a stopped printer.
    fileprivate var printerReasons: [String] {
        if case .printerStopped(_, let reasons) = self { reasons } else { [] }
    }
}

extension Job {
    /// Whether the job waits for a point in time: the end of a hold, or a retry.
    var waitsForClock: Bool { heldUntil != nil || retryAt != nil }
}

extension Array {
    /// Returns the elements in slices of at most `count` elements.
    fileprivate func steps(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}

// MARK: - Unreadable jobs

extension Spool {
    /// Aborts the job that caused `UnreadableJob`, so that the caller can repeat its query.
    ///
    /// Rethrows any other error.
    ///
    /// The job's message explains the problem, and an event of the job contains the damaged row. Throws an error if the
    /// row is still unreadable after the repair.
    func setAside(after error: SpoolError) async throws(SpoolError) {
        guard let job = error.cause as? UnreadableJob else { throw error }
        try await write { [self] transaction in
            guard let repaired = try transaction.repairJob(job.id, now: clock()) else { return }
            try appendEvent(
                "job-config-changed", of: repaired.job, message: "The damaged record was: \(repaired.damaged)",
                in: transaction)
            if !repaired.hadEnded {
                try appendEvent("job-completed", of: repaired.job, message: repaired.job.message, in: transaction)
            }
            // Documents that must not be kept are deleted if the damaged ticket still contains the option.
            if repaired.deletesDocuments { try forgetDocuments(of: job.id, in: transaction) }
        }
    }
}

// MARK: - Options of a newer version

extension Spool {
    /// Returns the message for a job with unknown options.
    static func unknownOptions(of id: Int) -> String {
        "The job is held because the job has options that this version of printq does not support; "
            + "install the newer version, then run 'printq release \(id)'"
    }

    /// Holds a waiting job with options that this version does not support.
    ///
    /// The stored options do not change.
    func holdUnknown(_ job: Job, in transaction: any SpoolTransaction) throws {
        guard job.state == .pending else { return }
        var held = job
        held.state = .pendingHeld
        held.reasons = [.jobHoldUntilSpecified, .unsupportedAttributesOrValues]
        held.message = Self.unknownOptions(of: job.id)
        held.retryAt = nil
        try store(held, since: job, in: transaction)
        try appendEvent("job-state-changed", of: held, message: held.message, in: transaction)
    }
}
