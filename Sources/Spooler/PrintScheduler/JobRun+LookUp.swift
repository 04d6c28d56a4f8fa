// Finding a job at its printer again.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Finds a job at its printer after a crash or a lost answer, and goes on from what is seen there.
    ///
    /// A job whose document never arrived whole is withdrawn from the printer. Only when the printer says that it has
    /// ended, with nothing printed, is `failure` thrown, which has it printed by a job of its own.
    func lookUp(
        _ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, orElse failure: Failure
    ) async throws {
        var pause = Pause()
        // What we began to withdraw before a crash was not canceled by anybody else.
        var isWithdrawn = job.reasons.contains(.submissionInterrupted)
        while !stop.isGiven {
            guard let status = try await sight(of: job, remote, by: backend).status else {
                if isWithdrawn { throw failure }
                throw try await doubt(job)
            }
            if status.isWithoutDocument {
                if status.state.isTerminal { throw failure }
                if !isWithdrawn { try await note(job, .withdrawing) }
                isWithdrawn = true
                // Whatever is answered, it may have been done; as long as it has not, it is asked for again.
                _ = try await ask { () throws(BackendError) in try await backend.cancelJob(remote) }
            } else if !isWithdrawn || status.state == .completed {
                break
            } else if status.state.isTerminal {
                // Its document may have come in while it was being withdrawn.
                guard status.impressionsCompleted == 0 else { throw try await doubt(job) }
                throw failure
            }
            try await rest(pause.next())
        }
        try await note(job, .sent)
        try await follow(job, remote, by: backend)
    }

    /// How the job is doing, asked until the printer answers: a job that has been sent is never given up for silence.
    ///
    /// One that was canceled is, a day after that: nobody should have to keep a printer for the sake of a job. The day goes on
    /// while we are not running, but the printer is asked some times all the same.
    func sight(
        of job: Job, _ remote: RemoteJob, by backend: any PrinterBackend
    ) async throws -> (status: RemoteJobStatus?, isAfterSilence: Bool) {
        var failures = 0
        var failuresSinceStop = 0
        var end: UnixTime?
        while true {
            switch try await ask({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
            case .success(let status): return (status, failures > 0)
            case .failure(let error):
                failures += 1
                if stop.isGiven { failuresSinceStop += 1 }
                // A cancel has words of its own in the record; what it waits for is said again.
                if failures == 1 || failuresSinceStop == 1 {
                    try await note(job, .printerStopped(message: "Waiting for the printer's answer: \(error.message)"))
                }
            }
            if failures >= Self.failuresBeforeLookingElsewhere { try await lookElsewhere(for: job, remote) }
            guard failuresSinceStop > 0 else {
                try await rest(retry.delay(afterAttempt: failures))
                continue
            }
            if end == nil { end = try await cancelTime(of: job) + Self.patienceAfterCancel }
            // Its printer may have been removed meanwhile, and it with that.
            if try await current(job).state.isTerminal { throw Failure.unprinted }
            if failuresSinceStop >= Self.failuresAfterCancel, let end, clock() >= end {
                throw Failure.doubtful(
                    "\(printer.name) has not answered for a day since then, and may still print it when it is there again; "
                        + "cancel it there too (job \(remote.id) of the printer)")
            }
            try await rest(retry.delay(afterAttempt: failuresSinceStop))
        }
    }

    /// When a job was canceled, by the log of events.
    private func cancelTime(of job: Job) async throws -> UnixTime {
        let events = try await store(job) { () throws(SpoolError) in
            try await spool.events(after: 0, jobID: job.id, limit: .max)
        }
        return events.first { $0.reasons.contains(JobStateReason.processingToStopPoint.rawValue) }?.time ?? clock()
    }

    /// How often a printer is asked before it is looked for at another address that it was given meanwhile.
    private static let failuresBeforeLookingElsewhere = 3
    /// How long a silent printer is asked about a job that was canceled, in seconds.
    private static let patienceAfterCancel = 86_400.0
    /// How often it is asked at least.
    private static let failuresAfterCancel = 7

    /// What to say about a job that its printer does not know any more.
    func doubt(_ job: Job) async throws -> Failure {
        let current = try await store(job) { () throws(SpoolError) in try await spool.job(job.id) }
        return .doubtful("\(printer.name) no longer knows the job, and \((current ?? job).doubt)")
    }

    /// What to say about a job whose number at the printer may be another job's by now.
    func stranger(_ job: Job, _ remote: RemoteJob) -> Failure {
        .doubtful(
            "\(printer.name) names its jobs by numbers only, so that job \(remote.id) there may be another one after the "
                + "interruption, and \(job.doubt)")
    }
}

extension Job {
    /// The end of a sentence about a doubtful job: what is known, and what a person can do.
    var doubt: String { "\(seenPrinted); look at the paper, then \(waysOn)" }
}

extension RemoteJobStatus {
    /// Whether its document never arrived whole, so that nothing of it was printed (RFC 8011 §5.3.8).
    ///
    /// A printer that has begun, and one that takes the document while it prints (`job-incoming` alone), may have moved
    /// paper.
    var isWithoutDocument: Bool {
        guard (impressionsCompleted ?? 0) == 0, state != .completed else { return false }
        if reasons.contains(.jobDataInsufficient) || reasons.contains(.multipleOperationTimeOut) { return true }
        return reasons.contains(.jobIncoming) && (state == .pending || state == .pendingHeld)
    }
}
