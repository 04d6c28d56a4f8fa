// Finds a job at its printer after a crash or a lost response.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Determines whether the printer has the job's document.
    ///
    /// If the document is incomplete, the function cancels the job at the printer. The function then waits until the
    /// canceled job has ended or no longer exists at the printer. If nothing was printed, the delivery ends with the
    /// outcome `otherwise`.
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
                // The printer may have canceled the job although its response was lost. The loop repeats the request
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
        return .follow(remote, unstored: [.sent])
    }

    /// The result of looking up a job at the printer.
    enum StatusAnswer {
        /// A job that is at the printer.
        ///
        /// `isAfterSilence` is true if earlier requests failed.
        case known(RemoteJobStatus, isAfterSilence: Bool)
        /// A job that is not at the printer.
        case unknown
        /// A lookup to which the printer did not respond at its known address.
        ///
        /// The value is the outcome of the delivery.
        case gaveUp(DeliveryOutcome)
    }

    /// Requests the status of the job until the printer responds.
    ///
    /// For a job that is not canceled, the function repeats the request without a time limit. For a canceled job, the
    /// function stops one day after the cancellation, but sends at least 7 requests. Time during which `printd` does
    /// not run counts as a part of this day.
    ///
    /// - Parameter unstored: The events that the function stores together with the message that the printer does not
    ///   respond.
    func awaitStatus(
        of job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, storing unstored: [JobStateMachine.Event] = []
    ) async throws -> StatusAnswer {
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
                // A cancellation replaces the message in the record. Store the message again after a cancellation.
                if failures == 1 || failuresSinceStop == 1 {
                    let message = "Waiting for the printer's response: \(error.message)"
                    try await record(unstored + [.printerStopped(message: message)], of: job)
                }
            }
            if failures >= Self.failuresBeforeNewAddress, let outcome = try await askNewAddress(about: job, remote) {
                return .gaveUp(outcome)
            }
            guard failuresSinceStop > 0 else {
                try await wait(retry.delay(afterAttempt: failures))
                continue
            }
            if deadline == nil { deadline = try await cancelTime(of: job) + Self.cancelTimeout }
            // When a printer is removed, its jobs are canceled.
            if try await current(job).state.isTerminal { return .gaveUp(.notPrinted) }
            if failuresSinceStop >= Self.failuresAfterCancel, let deadline, clock() >= deadline {
                return .gaveUp(
                    .doubtful(
                        "\(printer.name) has not responded for a day and may still print the job; cancel job "
                            + "\(remote.id) at the printer too"))
            }
            try await wait(retry.delay(afterAttempt: failuresSinceStop))
        }
    }

    /// Returns the time at which the job was canceled, according to the event log.
    private func cancelTime(of job: Job) async throws -> UnixTime {
        let events = try await store(job) { () throws(SpoolError) in
            try await spool.events(after: 0, jobID: job.id, limit: .max)
        }
        return events.first { $0.reasons.contains(JobStateReason.processingToStopPoint.rawValue) }?.time ?? clock()
    }

    /// The number of failed status requests after which requests are also sent to the printer's new address.
    private static let failuresBeforeNewAddress = 3
    /// The time in seconds for which a canceled job is looked up at an unresponsive printer.
    private static let cancelTimeout = 86_400.0
    /// The minimum number of status requests about a canceled job to an unresponsive printer.
    private static let failuresAfterCancel = 7

    /// Returns the outcome for a job that no longer exists at the printer.
    func unknownAtPrinter(_ job: Job) async throws -> DeliveryOutcome {
        .doubtful("\(printer.name) no longer has the job, and \(try await current(job).doubt)")
    }

    /// Returns the outcome for a job without `job-uuid`.
    ///
    /// The job's number at the printer might now belong to another job.
    func unidentifiable(_ job: Job, _ remote: RemoteJob) -> DeliveryOutcome {
        .doubtful(
            "\(printer.name) identifies jobs only by number, so its job \(remote.id) may be a different job after the "
                + "interruption; \(job.doubt)")
    }
}

extension Job {
    /// The last part of a message about a job that may have been printed.
    ///
    /// The text contains the number of printed pages, and the commands that continue the job.
    var doubt: String { "\(printedSummary); check the printed sheets, then \(resumeCommands)" }
}

extension RemoteJobStatus {
    /// Whether the document is incomplete and no part of the document was printed (RFC 8011 §5.3.8).
    ///
    /// A printer can print during the transfer of the document. Therefore the state reason `job-incoming` is sufficient
    /// only for a job that the printer has not started.
    var isWithoutDocument: Bool {
        guard (impressionsCompleted ?? 0) == 0, state != .completed else { return false }
        if reasons.contains(.jobDataInsufficient) || reasons.contains(.multipleOperationTimeOut) { return true }
        return reasons.contains(.jobIncoming) && (state == .pending || state == .pendingHeld)
    }
}
