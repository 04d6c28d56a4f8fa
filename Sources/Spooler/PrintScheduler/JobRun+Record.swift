// How a run stores events, sends requests and waits.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Stores an event of the job, and repeats that until it succeeds.
    ///
    /// This is also where a run detects a cancel that reached the record first: the record is authoritative, and the
    /// signal is only faster.
    func record(_ event: JobStateMachine.Event, of job: Job) async throws {
        let changed = try await store(job) { () throws(SpoolError) in try await spool.change(job.id, event).job }
        if changed.isBeingCanceled { stop.give() }
        guard changed.state.isTerminal else { return }
        logger.info(
            "job ended",
            metadata: ["job": "\(job.id)", "state": "\(changed.state)", "message": "\(changed.message)"])
    }

    /// Gives the stop signal if the job was canceled before this run could receive the signal: between its claim and
    /// now, or before a restart.
    func stopIfCanceled(_ job: Job) async throws {
        if try await current(job).isBeingCanceled { stop.give() }
    }

    /// Calls a function of the spool until it succeeds, as long as a later attempt may succeed.
    ///
    /// A full disk gets free space, and a lock is released. Until then the run must remember which pages were printed.
    ///
    /// - Throws: `SpoolError` when no later attempt can succeed, `CancellationError`.
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
                    "a job's progress cannot be stored yet; trying again",
                    metadata: ["job": "\(job.id)", "error": "\(error)"])
            }
            try await sleeper.sleep(for: .seconds(retry.delay(afterAttempt: attempt)))
        }
    }

    /// Sends a request to the printer and returns the answer, or the printer's error.
    ///
    /// - Throws: `CancellationError`, because a request that fails for that reason is not an error of the printer.
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

    /// Waits until the printer may have news of the job, or until a cancel is requested.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait for a printer that does not send events.
    ///   - isToldToStop: Whether the printer has accepted the cancel request. If not, the caller repeats the request.
    /// - Returns: Whether the printer has sent an event.
    func wait(
        _ seconds: Double, orNewsOf remote: RemoteJob, by backend: any PrinterBackend, isToldToStop: Bool
    ) async throws -> Bool {
        let wait = { @Sendable [sleeper] in
            try await backend.waitForNews(of: remote, orAfter: .seconds(seconds), by: sleeper)
        }
        guard stop.isGiven else { return try await stop.stopping(wait) ?? false }
        if isToldToStop { return try await wait() }
        try await sleeper.sleep(for: .seconds(seconds))
        return false
    }

    /// Waits the given number of seconds, or until a cancel is requested.
    func wait(_ seconds: Double) async throws {
        guard !stop.isGiven else { return try await sleeper.sleep(for: .seconds(seconds)) }
        _ = try await stop.stopping { [sleeper] in try await sleeper.sleep(for: .seconds(seconds)) }
    }
}
