// What happens to jobs: the rule, its result and the event log, in one transaction.

import GRDB
public import PrintModel

extension Spool {
    /// Lets an event happen to a job: asks the rule, stores what comes out and logs it, in one transaction.
    ///
    /// A late or repeated event changes and logs nothing.
    ///
    /// - Returns: The job as it is then, and what must be done about it.
    /// - Throws: `noSuchJob`, `notPossible` for a wish that the job's state does not allow.
    @discardableResult
    public func change(
        _ id: Int, _ event: JobStateMachine.Event
    ) async throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        try await write { [self] db in try apply(event, to: try JobRecord.job(id, in: db), in: db) }
    }

    /// Changes what was asked for, while the job waits (IPP `Set-Job-Attributes`, CUPS `CUPS-Move-Job`); nil leaves a
    /// value as it is.
    ///
    /// A job that is moved to another printer is tried there at once.
    ///
    /// - Throws: `noSuchJob`, `noSuchPrinter`, `notPossible` when the job does not wait any more.
    @discardableResult
    public func update(
        _ id: Int, printer: String? = nil, name: String? = nil, ticket: JobTicket? = nil, priority: Int? = nil
    ) async throws(SpoolError) -> Job {
        try await write { [self] db in
            var job = try JobRecord.job(id, in: db)
            guard job.state == .pending || job.state == .pendingHeld else {
                throw SpoolError.notPossible("job \(id) is \(job.state) and cannot be changed: only a waiting job can")
            }
            let before = job
            if let printer, printer != job.printer {
                guard try fetchPrinter(printer, in: db) != nil else { throw SpoolError.noSuchPrinter(printer) }
                job.printer = printer
                job.retryAt = nil
                job.attempts = 0
                if job.state == .pending { (job.reasons, job.message) = ([], "") }
            }
            job.name = name ?? job.name
            job.ticket = ticket ?? job.ticket
            job.priority = min(max(priority ?? ticket?.priority ?? job.priority, 1), 100)
            guard job != before else { return job }
            // What was counted ahead of its turn was counted for another printer or other options.
            if job.printer != before.printer || job.ticket != before.ticket {
                (job.impressions, job.sheets) = (nil, nil)
            }
            try JobRecord.update(job, in: db)
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
        var machine = JobStateMachine(job: job)
        let action: JobStateMachine.Action
        do { action = try machine.handle(event, at: clock()) } catch {
            throw SpoolError.notPossible(error.description, cause: error)
        }
        let changed = machine.job
        guard changed != job else { return (job, action) }
        try JobRecord.update(changed, in: db)
        try appendEvent(kind(of: changed, since: job), of: changed, message: changed.message, in: db)
        return (changed, action)
    }

    /// The registered name of what happened (RFC 3995 §5.3.3.4.3).
    private func kind(of job: Job, since before: Job) -> String {
        if job.state.isTerminal && !before.state.isTerminal { return "job-completed" }
        return job.state != before.state || job.reasons != before.reasons ? "job-state-changed" : "job-progress"
    }

    /// Appends a job's event to the log.
    func appendEvent(_ kind: String, of job: Job, message: String, in db: Database) throws {
        try appendEvent(
            kind, jobID: job.id, printer: job.printer, state: job.state.rawValue, message: message, in: db)
    }

    /// Appends an event to the log.
    func appendEvent(
        _ kind: String, jobID: Int?, printer: String, state: Int?, message: String, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: "INSERT INTO events (job_id, printer, time, kind, state, message) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [jobID, printer, clock(), kind, state, message])
    }
}
