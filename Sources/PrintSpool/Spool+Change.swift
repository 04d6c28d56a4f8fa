// What happens to jobs: the rule, its result and the event log, in one transaction.

import GRDB
public import PrintModel

extension Spool {
    /// Lets an event happen to a job: asks the rule, stores what comes out and logs it, in one transaction.
    ///
    /// A late or repeated event changes and logs nothing. With the job's end goes what was only needed to print it.
    ///
    /// - Returns: The job as it is then, and what must be done about it.
    /// - Throws: `noSuchJob`, `notPossible` for a wish that the job's state does not allow.
    @discardableResult
    public func change(
        _ id: Int, _ event: JobStateMachine.Event
    ) async throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        let (job, action, kept) = try await write(event.durability) { [self] db in
            let (job, action) = try apply(event, to: try JobRecord.job(id, in: db), in: db)
            return (job, action, action == .finish ? try Self.files(of: id, in: db) : nil)
        }
        if let kept { await store.tidyFolder(of: id, keeping: kept) }
        return (job, action)
    }

    /// Changes what was asked for, while the job waits (IPP `Set-Job-Attributes`, CUPS `CUPS-Move-Job`); nil leaves a
    /// value as it is.
    ///
    /// A job that is moved to another printer keeps its number and its place in the order of arrival, and is tried there
    /// at once; one that waits for a person's word can be moved too, and goes on waiting for it.
    ///
    /// - Throws: `noSuchJob`, `noSuchPrinter`, `notPossible` when the job does not wait any more.
    @discardableResult
    public func update(
        _ id: Int, printer: String? = nil, name: String? = nil, ticket: JobTicket? = nil, priority: Int? = nil
    ) async throws(SpoolError) -> Job {
        try await write { [self] db in
            let before = try JobRecord.job(id, in: db)
            var job = before
            if let printer {
                guard try fetchPrinter(printer, in: db) != nil else { throw SpoolError.noSuchPrinter(printer) }
                job = try handle(.moveRequested(to: printer), by: job).job
            }
            if name != nil || ticket != nil || priority != nil {
                guard job.state == .pending || job.state == .pendingHeld else {
                    throw SpoolError.notPossible(
                        "job \(id) is \(job.state) and cannot be changed: only a waiting job can")
                }
            }
            if ticket != nil, job.hasUnknownOptions { throw SpoolError.notPossible(Self.unknownOptions(of: id)) }
            job.name = name ?? job.name
            job.ticket = ticket ?? job.ticket
            job.priority = min(max(priority ?? ticket?.priority ?? job.priority, 1), 100)
            guard job != before else { return job }
            // What was counted ahead of its turn was counted for other options.
            if job.ticket != before.ticket { (job.impressions, job.sheets, job.sheetPlan) = (nil, nil, nil) }
            try store(job, since: before, in: db)
            let message = job.printer == before.printer ? "Changed" : "Moved from \(before.printer) to \(job.printer)"
            try appendEvent("job-config-changed", of: job, message: message, in: db)
            return job
        }
    }

    /// Lets an event happen to a loaded job.
    @discardableResult
    func apply(
        _ event: JobStateMachine.Event, to job: Job, in db: Database
    ) throws -> (job: Job, action: JobStateMachine.Action) {
        let (changed, action) = try handle(event, by: job)
        guard changed != job else { return (job, action) }
        try store(changed, since: job, in: db)
        if !job.state.isTerminal, let entry = AccountingEntry(changed) { try Self.account(entry, in: db) }
        // A document that cannot be read cannot be printed again either.
        let isUseless = changed.ticket.keepsDocuments == false || changed.reasons.contains(.documentFormatError)
        if action == .finish, isUseless { try forgetDocuments(of: changed.id, in: db) }
        try appendEvent(kind(of: changed, since: job), of: changed, message: words(event, changed), in: db)
        try appendPrinterEvent(of: changed, since: job, reasons: event.printerReasons, in: db)
        return (changed, action)
    }

    /// Stores what may change of a job, and notes that it may wait for the clock.
    ///
    /// - Parameter before: the job as it was read; nil for one whose reasons have not changed since.
    func store(_ job: Job, since before: Job? = nil, incomingUntil: UnixTime? = nil, in db: Database) throws {
        if incomingUntil != nil || job.waitsForClock { dueTimes.beginChange() }
        try JobRecord.update(
            job, keepsTicket: (before ?? job).hasUnknownOptions, incomingUntil: incomingUntil, in: db)
    }

    /// Asks the rule.
    private func handle(
        _ event: JobStateMachine.Event, by job: Job
    ) throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        var machine = JobStateMachine(job: job)
        do throws(JobStateMachine.NotPossible) {
            let action = try machine.handle(event, at: clock())
            return (machine.job, action)
        } catch {
            throw SpoolError.notPossible(error.description, cause: error)
        }
    }

    /// What the log says of an event: the job's own words, or what a person decided.
    private func words(_ event: JobStateMachine.Event, _ job: Job) -> String {
        guard case .resumeRequested = event else { return job.message }
        return "To go on with \(job.resumeWords ?? "page 1")"
    }

    /// The registered name of what happened (RFC 3995 §5.3.3.4.3).
    private func kind(of job: Job, since before: Job) -> String {
        if job.state.isTerminal && !before.state.isTerminal { return "job-completed" }
        return job.state != before.state || job.reasons != before.reasons ? "job-state-changed" : "job-progress"
    }
}

extension JobStateMachine.Event {
    /// Why the printer has stopped, in its own keywords.
    fileprivate var printerReasons: [String] {
        if case .printerStopped(_, let reasons) = self { reasons } else { [] }
    }
}

extension Job {
    /// Whether there is a moment at which it is set free: held until then, or to be tried again.
    var waitsForClock: Bool { heldUntil != nil || retryAt != nil }
}
