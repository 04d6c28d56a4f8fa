// The last phase of a delivery: poll the job at the printer until the job ends.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Polls the job at the printer until the job ends, and stores the progress of the job.
    ///
    /// - Parameter unstored: The events that happened before, which the function stores together with the first status.
    func follow(
        _ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, storing unstored: [JobStateMachine.Event]
    ) async throws -> DeliveryOutcome {
        var pause = Pause()
        var updater = RemotePrinterUpdater()
        var stored = StoredStatus()
        var unstored = unstored
        var cancelRequested = false
        while true {
            if stop.isGiven && !cancelRequested {
                cancelRequested = try await cancelAtPrinter(job, remote, by: backend)
                if cancelRequested { pause.reset() }
            }
            let status: RemoteJobStatus
            let isAfterSilence: Bool
            switch try await awaitStatus(of: job, remote, by: backend, storing: unstored) {
            case .known(let answer, let afterSilence): (status, isAfterSilence) = (answer, afterSilence)
            case .unknown: return try await unknownAtPrinter(job)
            case .gaveUp(let outcome): return outcome
            }
            if remote.uuid == nil, let last = stored.last, status.isBehind(last) {
                return try await unknownAtPrinter(job)
            }
            // In the record, the printer does not respond, so the status must be stored again.
            if isAfterSilence { (stored.last, stored.stopMessage, unstored) = (nil, nil, []) }
            if updater.isRequired(for: status) { updater.update(try await printerStatus(by: backend)) }
            if status != stored.last { pause.reset() }
            if let outcome = try await update(&stored, after: unstored, with: status, of: job, updater, backend) {
                return outcome
            }
            unstored = []
            if updater.isDue(atEnd: status.state.isTerminal) {
                updater.update(try await recordPrinterStatus(for: job, by: backend))
            }
            if status.state.isTerminal { return .recorded }
            let seconds = pause.next(isStopped: updater.stops(status))
            let isReported = try await wait(seconds, orNewsOf: remote, by: backend, cancelRequested: cancelRequested)
            updater.waited(seconds, isReported: isReported)
        }
    }

    /// The values from the printer's responses that are already stored in the job's record.
    private struct StoredStatus {
        var last: RemoteJobStatus?
        /// The time when the printer started the job, in seconds of the printer's clock; nil if unknown.
        var begunAt: Int?
        /// The reason why the printer has stopped, as a message; nil if the printer is not stopped.
        var stopMessage: String?

        /// Returns whether the printer has restarted the job since the last stored status.
        func isRestarted(in status: RemoteJobStatus) -> Bool {
            guard let begunAt, let again = status.begunAt else { return false }
            return again > begunAt
        }
    }

    /// Stores the differences between the job's last status and the new status.
    ///
    /// - Parameter earlier: The events that happened before the status.
    /// - Returns: The outcome that the caller must return immediately; nil if the delivery continues.
    private func update(
        _ stored: inout StoredStatus, after earlier: [JobStateMachine.Event], with status: RemoteJobStatus, of job: Job,
        _ updater: RemotePrinterUpdater, _ backend: any PrinterBackend
    ) async throws -> DeliveryOutcome? {
        let isRestarted = stored.isRestarted(in: status)
        var outcome: DeliveryOutcome?
        if updater.stops(status) {
            if !earlier.isEmpty { try await record(earlier, of: job) }
            if isRestarted { try await record(.restarted, of: job) }
            // A fast printer can print pages and stop between two requests.
            if let printed = status.impressionsCompleted, printed > stored.last?.impressionsCompleted ?? 0 {
                try await record(.progressed(impressions: printed, sheets: status.sheetsCompleted), of: job)
            }
            stored.stopMessage = try await recordStop(
                of: job, status, after: stored.stopMessage, updater.stopper(of: status), backend)
        } else if status != stored.last || stored.stopMessage != nil {
            var events = earlier
            if stored.last == nil || stored.stopMessage != nil { events.append(.printerResumed) }
            // The printer prints again, so its reasons for the stop no longer apply.
            if stored.stopMessage != nil { _ = await directory.tell([], of: printer) }
            stored.stopMessage = nil
            if isRestarted { events.append(.restarted) }
            outcome = try await recordProgress(status, after: events, of: job)
        }
        stored.begunAt = status.begunAt ?? stored.begunAt
        stored.last = status
        return outcome
    }

    /// Asks the printer to cancel the job, and returns whether the printer accepted the request.
    private func cancelAtPrinter(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws -> Bool {
        switch try await answer({ () throws(BackendError) in try await backend.cancelJob(remote) }) {
        case .success: return true
        case .failure(let error):
            logger.warning(
                "cannot cancel a job at its printer yet", metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
            return false
        }
    }

    /// Stores the progress of the job, and handles the outcome if the job has ended at the printer.
    ///
    /// - Parameter earlier: The events that happened before the progress.
    /// - Returns: The outcome that the caller must return immediately; nil if the delivery continues.
    private func recordProgress(
        _ status: RemoteJobStatus, after earlier: [JobStateMachine.Event], of job: Job
    ) async throws -> DeliveryOutcome? {
        // The printed sheets are counted before the end of the job is stored.
        var events =
            earlier + [.progressed(impressions: status.impressionsCompleted, sheets: status.sheetsCompleted)]
        if status.state == .completed {
            let hasWarning = status.reasons.contains { $0 != .jobCompletedSuccessfully }
            let message = status.message.isEmpty ? "Printed, with warnings" : status.message
            events.append(.delivered(warning: hasWarning ? message : nil))
        }
        try await record(events, of: job)
        switch status.state {
        case .aborted: return try await settleAbortedJob(status, job)
        case .canceled:
            try await record(.canceledAtPrinter(message: stop.isGiven ? "" : status.message), of: job)
        default: break
        }
        return nil
    }

    /// Stores a message about why the printer has stopped, unless the same message is already stored.
    ///
    /// - Parameters:
    ///   - earlier: The message that is already stored; nil if no message is stored.
    ///   - known: The status of the printer; if nil, the function requests the status from the printer.
    /// - Returns: The message that is stored now.
    private func recordStop(
        of job: Job, _ status: RemoteJobStatus, after earlier: String?, _ known: PrinterStatus?,
        _ backend: any PrinterBackend
    ) async throws -> String {
        var device = known
        if device == nil { device = try await printerStatus(by: backend) }
        let message = Self.stopMessage(status, device)
        // When a job stops, report the printer's reasons too.
        if let device, earlier == nil { _ = await directory.tell(device.reasons, of: printer) }
        if message != earlier {
            try await record(.printerStopped(message: message, reasons: device?.reasons ?? []), of: job)
        }
        return message
    }

    /// Returns the most precise explanation of why the printer has stopped: the printer's message, the printer's state
    /// reasons, or the job's message.
    private static func stopMessage(_ job: RemoteJobStatus, _ device: PrinterStatus?) -> String {
        if let device, device.state == .stopped {
            if !device.message.isEmpty { return device.message }
            if !device.text.isEmpty { return "The printer has stopped: \(device.text)" }
        }
        return job.message.isEmpty ? "The printer has stopped" : job.message
    }

    /// Appends the printer's status to the event log if the state reasons have changed.
    ///
    /// - Returns: The printer's status; nil if the printer does not respond.
    private func recordPrinterStatus(for job: Job, by backend: any PrinterBackend) async throws -> PrinterStatus? {
        guard let device = try await printerStatus(by: backend) else { return nil }
        let reported = await directory.tell(device.reasons, of: printer)
        if reported != device.reasons {
            let gone = reported.filter { !device.reasons.contains($0) }.joined(separator: ", ")
            let message = device.reasons.isEmpty ? "No longer: \(gone)" : device.text
            await directory.expireStatus(ofPrinterNamed: printer.name)
            try await store(job) { () throws(SpoolError) in
                try await spool.noteStatus(device, message: message, of: printer.name)
            }
        }
        return device
    }

    /// Returns the printer's status; nil if the printer does not respond.
    private func printerStatus(by backend: any PrinterBackend) async throws -> PrinterStatus? {
        let answer = try await answer { () throws(BackendError) in try await backend.status() }
        return try? answer.get()
    }
}

extension RemoteJobStatus {
    /// Returns whether the status has less progress than an earlier status, and therefore belongs to another job.
    ///
    /// A printer that has restarted its job numbers reports such a status.
    fileprivate func isBehind(_ earlier: RemoteJobStatus) -> Bool {
        let isBegun = earlier.state != .pending && earlier.state != .pendingHeld
        if isBegun && (state == .pending || state == .pendingHeld) { return true }
        return (impressionsCompleted ?? .max) < (earlier.impressionsCompleted ?? 0)
    }
}
