// Finds a job at its printer after a crash or a lost answer.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Finds out whether the printer has the job's document.
    ///
    /// A job whose document is incomplete is canceled at the printer. When the printer reports that this job has ended
    /// and that nothing was printed, the delivery ends with `otherwise`.
    func lookUp(
        _ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, otherwise: DeliveryOutcome
    ) async throws -> Phase {
        var pause = Pause()
        // This run, or the run before a crash, has canceled the job at the printer.
        var isWithdrawn = job.reasons.contains(.submissionInterrupted)
        while !stop.isGiven {
            let status: RemoteJobStatus
            switch try await awaitStatus(of: job, remote, by: backend) {
            case .known(let answer, _): status = answer
            case .unknown: return try await .end(isWithdrawn ? otherwise : unknownAtPrinter(job))
            case .gaveUp(let outcome): return .end(outcome)
            }
            if status.isWithoutDocument {
                if status.state.isTerminal { return .end(otherwise) }
                if !isWithdrawn { try await record(.withdrawing, of: job) }
                isWithdrawn = true
                // The printer may have canceled the job although its answer was lost. The loop repeats the request
                // until the job has ended.
                _ = try await answer { () throws(BackendError) in try await backend.cancelJob(remote) }
            } else if !isWithdrawn || status.state == .completed {
                break
            } else if status.state.isTerminal {
                // The document may have arrived before the cancel request.
                return try await .end(status.impressionsCompleted == 0 ? otherwise : unknownAtPrinter(job))
            }
            try await wait(pause.next())
        }
        try await record(.sent, of: job)
        return .follow(remote)
    }

    /// The answer to a status request that is repeated until the printer answers.
    enum StatusAnswer {
        /// The printer knows the job. `isAfterSilence` tells whether earlier requests failed.
        case known(RemoteJobStatus, isAfterSilence: Bool)
        /// The printer does not know the job.
        case unknown
        /// The printer is not asked any more.
        case gaveUp(DeliveryOutcome)
    }

    /// Asks for the status of the job until the printer answers.
    ///
    /// A job that was sent waits for its printer without a time limit. A canceled job waits for one day after the
    /// cancel. The day includes the time in which `printd` does not run, but the printer is asked several times in any
    /// case.
    func awaitStatus(of job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws -> StatusAnswer {
        var failures = 0
        var failuresSinceStop = 0
        var deadline: UnixTime?
        while true {
            switch try await answer({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
            case .success(let status):
                guard let status else { return .unknown }
                return .known(status, isAfterSilence: failures > 0)
            case .failure(let error):
                failures += 1
                if stop.isGiven { failuresSinceStop += 1 }
                // A cancel replaces the message in the record, so the message is stored again after it.
                if failures == 1 || failuresSinceStop == 1 {
                    let message = "Waiting for the printer's answer: \(error.message)"
                    try await record(.printerStopped(message: message), of: job)
                }
            }
            if failures >= Self.failuresBeforeNewAddress, let outcome = try await askNewAddress(about: job, remote) {
                return .gaveUp(outcome)
            }
            guard failuresSinceStop > 0 else {
                try await wait(retry.delay(afterAttempt: failures))
                continue
            }
            if deadline == nil { deadline = try await cancelTime(of: job) + Self.patienceAfterCancel }
            // If the printer was removed, the job was canceled with it.
            if try await current(job).state.isTerminal { return .gaveUp(.notPrinted) }
            if failuresSinceStop >= Self.failuresAfterCancel, let deadline, clock() >= deadline {
                return .gaveUp(
                    .doubtful(
                        "\(printer.name) has not answered for a day and may still print the job; cancel job "
                            + "\(remote.id) at the printer too"))
            }
            try await wait(retry.delay(afterAttempt: failuresSinceStop))
        }
    }

    /// Returns when the job was canceled, according to the event log.
    private func cancelTime(of job: Job) async throws -> UnixTime {
        let events = try await store(job) { () throws(SpoolError) in
            try await spool.events(after: 0, jobID: job.id, limit: .max)
        }
        return events.first { $0.reasons.contains(JobStateReason.processingToStopPoint.rawValue) }?.time ?? clock()
    }

    /// The number of failed requests after which the printer's new address is asked too.
    private static let failuresBeforeNewAddress = 3
    /// How long a silent printer is asked about a canceled job, in seconds.
    private static let patienceAfterCancel = 86_400.0
    /// How often a silent printer is asked about a canceled job at least.
    private static let failuresAfterCancel = 7

    /// Returns the outcome for a job that its printer no longer knows.
    func unknownAtPrinter(_ job: Job) async throws -> DeliveryOutcome {
        .doubtful("\(printer.name) no longer knows the job, and \(try await current(job).doubt)")
    }

    /// Returns the outcome for a job without `job-uuid`, whose number at the printer may belong to another job by now.
    func unidentifiable(_ job: Job, _ remote: RemoteJob) -> DeliveryOutcome {
        .doubtful(
            "\(printer.name) identifies its jobs only by number, so its job \(remote.id) may be another job after the "
                + "interruption, and \(job.doubt)")
    }
}

extension Job {
    /// The end of a sentence about a doubtful job: the pages that were seen printed, and the commands that continue the
    /// job.
    var doubt: String { "\(seenPrinted); look at the paper, then \(waysOn)" }
}

extension RemoteJobStatus {
    /// Whether the document is incomplete and nothing of it was printed (RFC 8011 §5.3.8).
    ///
    /// A printer that has started the job, or that prints while it receives (`job-incoming` alone), may have moved
    /// paper.
    var isWithoutDocument: Bool {
        guard (impressionsCompleted ?? 0) == 0, state != .completed else { return false }
        if reasons.contains(.jobDataInsufficient) || reasons.contains(.multipleOperationTimeOut) { return true }
        return reasons.contains(.jobIncoming) && (state == .pending || state == .pendingHeld)
    }
}
