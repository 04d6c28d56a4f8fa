// What a run writes down, and how it waits.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Writes down what happened to the job, however long that takes.
    ///
    /// Whoever canceled the job meanwhile is heard here too: the record is the truth, the signal only the quicker way.
    func note(_ job: Job, _ event: JobStateMachine.Event) async throws {
        let changed = try await store(job) { () throws(SpoolError) in try await spool.change(job.id, event).job }
        if changed.isBeingCanceled { stop.give() }
        guard changed.state.isTerminal else { return }
        logger.info(
            "job ended",
            metadata: ["job": "\(job.id)", "state": "\(changed.state)", "message": "\(changed.message)"])
    }

    /// Asks for the stop when the job was canceled before this run could be told: between its claim and now, or before
    /// a restart.
    func heedEarlierCancel(of job: Job) async throws {
        let current = try await store(job) { () throws(SpoolError) in try await spool.job(job.id) }
        if current?.isBeingCanceled == true { stop.give() }
    }

    /// Stores something as often as it takes: a full disk is mended, a lock is released, and what has happened to paper
    /// must not be forgotten meanwhile.
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

    /// Asks the printer; what fails because the run is being ended is no fault of the printer's.
    func ask<Answer: Sendable>(
        _ question: () async throws(BackendError) -> Answer
    ) async throws(CancellationError) -> Result<Answer, BackendError> {
        do throws(BackendError) {
            return .success(try await question())
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return .failure(error)
        }
    }

    /// Waits until the printer may have news of a job, or until somebody begins to want it stopped.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait for a printer that does not tell.
    ///   - isToldToStop: Whether the printer knows that the job is unwanted; one that does not is told again.
    /// - Returns: Whether the printer has told of something.
    func rest(
        _ seconds: Double, untilNewsOf remote: RemoteJob, by backend: any PrinterBackend, isToldToStop: Bool
    ) async throws -> Bool {
        let wait = { @Sendable [sleeper] in
            try await backend.waitForNews(of: remote, orAfter: .seconds(seconds), by: sleeper)
        }
        guard stop.isGiven else { return try await stop.stopping(wait) ?? false }
        if isToldToStop { return try await wait() }
        try await sleeper.sleep(for: .seconds(seconds))
        return false
    }

    /// Waits that many seconds, or until somebody begins to want the job stopped.
    func rest(_ seconds: Double) async throws {
        guard !stop.isGiven else { return try await sleeper.sleep(for: .seconds(seconds)) }
        _ = try await stop.stopping { [sleeper] in try await sleeper.sleep(for: .seconds(seconds)) }
    }
}
