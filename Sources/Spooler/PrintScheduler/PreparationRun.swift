// Prepares a job's document, before the job starts or as its first step.

import AsyncPrimitives
import Logging
import PrintModel
import PrintSpool

/// The preparation of a job's document.
///
/// If the preparation of a waiting job fails, the document is prepared again when the job starts. If that preparation
/// fails too, the job's message explains the error. The preparation aborts a waiting job immediately only if the document
/// can never be printed.
struct PreparationRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let sleeper: any Clock<Duration>
    let logger: Logger
    /// The lease of the printer; nil if the spool is not shared.
    let lease: PrinterLease?
    /// A function that makes the scheduler check the queue.
    let wake: @Sendable () -> Void

    /// The time after which jobs of other owners may overtake the job.
    private static let timeout = Duration.seconds(5)
    /// The interval at which the working time is stored, so that the time limit holds after a restart.
    private static let interval = Duration.seconds(10)

    /// Prepares the document, or stops when the result is no longer required.
    ///
    /// If the preparation of a waiting job has produced no document, the function removes the files of the preparation.
    func run(_ preparation: Preparation) async {
        let job = preparation.job
        let outcome: Preparation.Outcome
        do {
            outcome = .success(try await watched(preparation))
        } catch {
            logger.debug("a job could not be prepared", metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
            outcome = .failure(error)
        }
        if case .failure = outcome, preparation.isAhead { await spool.removePrepared(of: job.id) }
        preparation.end(outcome)
    }

    /// Prepares the document, and reports a preparation that takes long.
    ///
    /// - Throws: `CancellationError` when the result is no longer required, and the errors of the preparation.
    private func watched(_ preparation: Preparation) async throws -> Prepared {
        try await withThrowingTaskGroup(of: Prepared?.self) { group in
            group.addTask { try await prepare(preparation) }
            group.addTask {
                await preparation.stop.wait()
                return nil
            }
            group.addTask {
                try await watch(preparation)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let prepared = first else { throw CancellationError() }
            return prepared
        }
    }

    /// Reports and stores that the preparation takes long, until the task is canceled.
    private func watch(_ preparation: Preparation) async throws {
        try await sleeper.sleep(for: Self.timeout)
        preparation.noteSlowness()
        wake()
        var stored = preparation.job.preparationSeconds
        while true {
            try await sleeper.sleep(for: Self.interval)
            let seconds = preparation.time.seconds
            guard seconds >= stored + Self.interval / .seconds(1) else { continue }
            stored = seconds
            // Without the stored time, the next attempt after a restart has more time.
            try? await spool.notePreparation(of: preparation.job, seconds: seconds, under: lease)
        }
    }

    private func prepare(_ preparation: Preparation) async throws -> Prepared {
        let job = preparation.job
        do {
            await preparation.earlier?.wait()
            try Task.checkCancellation()
            if let failure = preparation.earlier?.permanentFailure { throw failure }
            let prepared = try await WorkTime.$current.withValue(preparation.time) {
                try await preparer.prepare(job, reusing: preparation.earlier?.document)
            }
            preparation.time.reset()
            if preparation.isAhead { try await spool.change(job, ifStillWaiting: prepared.event) }
            return prepared
        } catch let error as PreparationError {
            if preparation.isAhead, let fault = error.permanentFault {
                try await spool.change(job, ifStillWaiting: .failed(fault, message: error.message))
            }
            throw error
        }
    }
}
