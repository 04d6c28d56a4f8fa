// Stores events, sends requests and waits during a delivery.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Stores an event of the job, and retries after temporary errors.
    ///
    /// This function also detects a cancellation in the job's record if the delivery has not received the stop signal
    /// yet. The record is authoritative. The signal only makes the delivery stop earlier.
    ///
    /// - Returns: The job after the event.
    @discardableResult
    func record(_ event: JobStateMachine.Event, of job: Job) async throws -> Job { try await record([event], of: job) }

    /// Stores several events of the job in one transaction, like `record(_:of:)` for one event.
    @discardableResult
    func record(_ events: [JobStateMachine.Event], of job: Job) async throws -> Job {
        if !events.allSatisfy(\.isProgress) { await directory.expireStatus(ofPrinterNamed: printer.name) }
        // After the preparation, the scheduler prepares the next jobs. The end of the run also wakes the scheduler.
        let wakesScheduler = events.count == 1 && events[0].isPreparation
        let changed = try await store(job) { () throws(SpoolError) in
            try await spool.change(job.id, events, under: lease, wakesScheduler: wakesScheduler).job
        }
        if changed.isBeingCanceled { stop.give() }
        return changed
    }

    /// Waits until this process may send a request that starts or continues a printout.
    ///
    /// In a shared spool, another host may print the job after the lease has ended. If the lease has expired, this
    /// function waits, because the lease may still be renewed.
    ///
    /// - Throws: `LeaseEnded` if this process has ended the lease, or another host has taken the printer.
    func waitForLease() async throws {
        guard let lease else { return }
        while true {
            switch spool.state(of: lease) {
            case .valid: return
            case .lost: throw LeaseEnded()
            case .expired: try await sleeper.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Sends the stop signal if the job was canceled before this delivery started.
    ///
    /// The job may have been canceled after the scheduler claimed the job, or before a restart of `printd`.
    func stopIfCanceled(_ job: Job) async throws {
        if try await current(job).isBeingCanceled { stop.give() }
    }

    /// Calls a function of the spool, and retries after temporary errors until the function succeeds.
    ///
    /// A full disk and a locked database are temporary errors. Until the function succeeds, the number of printed pages
    /// exists only in memory.
    ///
    /// - Throws: `SpoolError` for a permanent error, or `CancellationError`.
    func store<Value: Sendable>(
        _ job: Job, _ body: () async throws(SpoolError) -> Value
    ) async throws -> Value {
        var attempt = 0
        while true {
            do throws(SpoolError) {
                return try await body()
            } catch {
                guard error.mayPass else { throw error }
                attempt += 1
                logger.error(
                    "the progress of a job cannot be stored yet; trying again",
                    metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
            }
            try await sleeper.sleep(for: .seconds(retry.delay(afterAttempt: attempt)))
        }
    }

    /// Sends a request to the printer, and returns the response or the printer's error.
    ///
    /// - Throws: `CancellationError` if the task was canceled, because a canceled request is not an error of the
    ///   printer.
    func answer<Answer: Sendable>(
        _ request: () async throws(BackendError) -> Answer
    ) async throws(CancellationError) -> Result<Answer, BackendError> {
        do throws(BackendError) {
            return .success(try await request())
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return .failure(error)
        }
    }

    /// Waits until the printer sends an event, `seconds` have passed, or a user requests the cancellation of the job.
    ///
    /// - Parameters:
    ///   - seconds: The maximum time to wait, in seconds.
    ///   - cancelRequested: Whether the printer has accepted the cancel request. If the printer has not accepted the
    ///     request, the caller repeats the request.
    /// - Returns: `true` if the printer has sent an event.
    func wait(
        _ seconds: Double, orNewsOf remote: RemoteJob, by backend: any PrinterBackend, cancelRequested: Bool
    ) async throws -> Bool {
        let wait = { @Sendable [sleeper] in
            try await backend.waitForNews(of: remote, orAfter: .seconds(seconds), by: sleeper)
        }
        guard stop.isGiven else { return try await stop.stopping(wait) ?? false }
        if cancelRequested { return try await wait() }
        try await sleeper.sleep(for: .seconds(seconds))
        return false
    }

    /// Waits for the given number of seconds, or until a user requests the cancellation of the job.
    func wait(_ seconds: Double) async throws {
        guard !stop.isGiven else { return try await sleeper.sleep(for: .seconds(seconds)) }
        _ = try await stop.stopping { [sleeper] in try await sleeper.sleep(for: .seconds(seconds)) }
    }
}

/// The error of a delivery whose printer this process no longer drives.
struct LeaseEnded: Error {}

extension JobStateMachine.Event {
    /// Whether the event reports the end of the preparation.
    fileprivate var isPreparation: Bool {
        if case .prepared = self { true } else { false }
    }

    /// Whether the event only reports printed sides, so that the state of the printer has not changed.
    fileprivate var isProgress: Bool {
        if case .progressed = self { true } else { false }
    }
}
