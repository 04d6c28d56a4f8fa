// Handles jobs that could not be delivered, and jobs that the printer aborted.

import PrintModel
import PrintSpool

// MARK: - Jobs that could not be delivered

extension JobRun {
    /// Postpones the job, aborts the job, or pauses the printer.
    ///
    /// The printer's error policy determines the action.
    ///
    /// - Returns: The time at which the job was postponed; nil for another action.
    func postpone(_ job: Job, _ message: String) async throws -> UnixTime? {
        if stop.isGiven {
            try await record(.interrupted, of: job)
            return nil
        }
        let now = clock()
        switch retry.decide(printer.errorPolicy, attempt: job.attempts + 1, now: now) {
        case .retry(let moment):
            try await record(.postponed(until: moment, message: message), of: job)
            return now
        case .abort: try await record(.failed(.abortedBySystem, message: message), of: job)
        case .stopPrinter:
            try await store(job) { () throws(SpoolError) in
                try await spool.pausePrinter(
                    named: printer.name,
                    message: "error policy 'stop-printer', because job \(job.id) could not be delivered: \(message)")
            }
            try await record(.interrupted, of: job)
        }
        return nil
    }

    /// Postpones the job until a person fixes the problem, and retries the job after the longest retry interval.
    ///
    /// The printer's error policy does not apply, because the job has no error.
    func waitForPerson(_ job: Job, _ message: String) async throws {
        let event = JobStateMachine.Event.postponed(until: clock() + retry.longest, message: message)
        try await record(stop.isGiven ? .interrupted : event, of: job)
    }
}

// MARK: - Jobs whose progress cannot be stored

extension JobRun {
    /// Ends the delivery of a job after a permanent error of the spool.
    ///
    /// A job that was created at the printer is suspended, because its printed sheets are unknown. Any other job waits
    /// for the longest retry interval. The function tries until one of these changes is stored. Otherwise the job would
    /// remain in progress without a delivery.
    func giveUp(_ job: Job, _ message: String) async {
        var attempt = 0
        while !Task.isCancelled {
            do throws(SpoolError) {
                guard let current = try await spool.job(job.id) else { return }
                let event: JobStateMachine.Event =
                    current.remote == nil
                    ? .postponed(until: clock() + retry.longest, message: message)
                    : .doubted(message: "\(message); \(current.doubt)")
                try await spool.change(job.id, event, under: lease)
                return
            } catch {
                if error.code == .leaseLost { return }
                attempt += 1
                logger.error(
                    "a job in progress cannot be ended yet; trying again",
                    metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
            }
            try? await sleeper.sleep(for: .seconds(retry.delay(afterAttempt: attempt)))
        }
    }
}

// MARK: - Jobs that the printer aborted

extension JobRun {
    /// Ends, suspends or continues a job that its printer has aborted.
    ///
    /// Call this function after the number of printed sheets is stored. An error in the documents or a cancellation
    /// ends the job. For any other reason, such as a power loss, the printer's setting `after-interruption` determines
    /// whether the job ends, is suspended or continues.
    ///
    /// - Returns: The outcome that the caller must return; nil if the delivery continues.
    func settleAbortedJob(_ status: RemoteJobStatus, _ job: Job) async throws -> DeliveryOutcome? {
        let message = status.message.isEmpty ? "The printer aborted the job" : status.message
        if status.reasons.contains(where: \.isCancel) {
            try await record(.canceledAtPrinter(message: stop.isGiven ? "" : status.message), of: job)
            return nil
        }
        if let fault = status.reasons.first(where: \.isFaultOfDocuments) {
            try await record(.failed(fault, message: message), of: job)
            return nil
        }
        // The setting may have changed since the job started to print.
        let setting = try await store(job) { () throws(SpoolError) in try await spool.printer(named: printer.name) }?
            .afterInterruption
        // A canceled job needs no decision.
        if setting == .abort || stop.isGiven {
            try await record(.failed(status.reasons.first ?? .abortedBySystem, message: message), of: job)
            return nil
        }
        guard setting == .continue, status.impressionsCompleted != nil else {
            return try await interrupted(job, message)
        }
        let attempts = try await attemptsWithoutSheet(of: job)
        guard attempts < Self.mostAttemptsWithoutSheet else {
            return try await interrupted(job, "no sheet was printed in \(attempts) attempts; last message: \(message)")
        }
        try await record(.continues(at: clock() + retry.delay(afterAttempt: attempts + 1), message: message), of: job)
        return nil
    }

    /// Returns the outcome for a job that the printer aborted and that a person must check.
    private func interrupted(_ job: Job, _ message: String) async throws -> DeliveryOutcome {
        // The message must have space for the commands that continue the job.
        let shortened = message.count > 400 ? message.prefix(400) + "…" : message[...]
        let doubt = try await current(job).doubt.firstUppercased
        return .doubtful("\(printer.name) aborted the job: \(shortened). \(doubt)")
    }

    /// Returns the number of times that the job was continued since its last printed sheet.
    private func attemptsWithoutSheet(of job: Job) async throws -> Int {
        let printed = try await current(job).impressionsOnWholeSheets
        let events = try await store(job) { () throws(SpoolError) in
            try await spool.events(after: 0, jobID: job.id, limit: .max)
        }
        return events.count {
            $0.reasons.contains(JobStateReason.jobResuming.rawValue) && ($0.impressionsCompleted ?? 0) >= printed
        }
    }

    /// The maximum number of automatic continuations of a job since its last printed sheet.
    private static let mostAttemptsWithoutSheet = 3
}

extension String {
    /// The text with the first letter in upper case.
    fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}

extension Job {
    /// Whether a user has requested the cancellation of the job and the printer has not stopped the job yet.
    var isBeingCanceled: Bool { !state.isTerminal && reasons.contains(.processingToStopPoint) }
}

extension SpoolError {
    /// Whether a later attempt may succeed after this error.
    var mayPass: Bool { [.noSpace, .unwritable, .locked, .unavailable].contains(code) }

    /// Whether a change of another job would fail too, because the whole database cannot be changed now.
    var concernsAllJobs: Bool { [.noSpace, .locked, .unavailable, .closed].contains(code) }
}
