// Delivers one job to its printer.

import AsyncPrimitives
import Logging
import PrintModel
import PrintSpool

/// The delivery of one claimed job.
///
/// The phases prepare the document, create the job at the printer, send the document, and poll the job until the job
/// ends. Each phase stores its result before the next phase begins. After a crash between two phases, the next start of
/// `printd` can continue the job without printing the job twice. After the delivery, the job is still in progress only
/// if the task was canceled, or another host has taken over the printer.
struct JobRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let retry: RetryPolicy
    let clock: @Sendable () -> UnixTime
    let sleeper: any Clock<Duration>
    let logger: Logger
    /// The signal that stops the delivery of a canceled job.
    let stop: Signal
    /// The signal that the document of this job is prepared.
    ///
    /// After the signal, the worker can prepare the next job's document.
    let ready: Signal
    /// The lease under which this run delivers the job; nil if the spool is not shared.
    let lease: PrinterLease?

    var printer: ConfiguredPrinter { preparer.printer }
    var directory: PrinterDirectory { preparer.directory }

    /// The first phase of a delivery.
    enum Start: Sendable {
        /// The preparation of the document, for a job that starts a new delivery attempt.
        case prepare(Preparation)
        /// The lookup at the printer, for a job that was created at the printer earlier.
        case lookUp(RemoteJob)
    }

    /// The end of a delivery.
    struct Ended: Sendable {
        /// The prepared document, if the job's next attempt can use this document.
        var prepared: Prepared?
        /// The preparation in progress of a job that other jobs overtake.
        var overtaken: Preparation?
        /// Whether the job is still in progress, although this process had ended the lease of the printer.
        var isInterrupted = false
        /// The time at which the job was postponed because the printer could not be reached; otherwise nil.
        var unreachableSince: UnixTime?
    }

    /// A phase of the delivery, with the values that the phase requires.
    enum Phase: Sendable {
        /// The preparation of the PDF, and of raster data for a printer that does not accept PDF.
        case prepare(Preparation)
        /// The creation of an empty job at the printer.
        ///
        /// `unstored` contains the events that the phase stores together with its result.
        case create(Prepared, unstored: [JobStateMachine.Event])
        /// The transfer of the prepared document to the job at the printer.
        case send(Prepared, RemoteJob)
        /// The lookup that determines whether the printer has the document.
        ///
        /// If nothing was printed, the delivery ends with `otherwise`.
        case lookUp(RemoteJob, otherwise: DeliveryOutcome)
        /// The repeated status requests to the printer until the job ends.
        ///
        /// `unstored` contains the events that the phase stores together with the first status.
        case follow(RemoteJob, unstored: [JobStateMachine.Event])
        /// The end of the delivery, with the outcome.
        case end(DeliveryOutcome)
    }

    /// Delivers the job and stores the outcome, unless the task is canceled first.
    ///
    /// The function throws no errors: the job's record describes the result.
    func run(_ job: Job, from start: Start) async -> Ended {
        do {
            return try await settle(job, after: try await deliver(job, from: start))
        } catch is CancellationError {
            // The next start of the scheduler continues the job.
        } catch let error as SpoolError where error.code == .leaseLost {
            logger.notice("another host continues a job", metadata: job.logFields)
        } catch is LeaseEnded {
            logger.notice("the lease of a printer has ended during a job", metadata: job.logFields)
            return Ended(isInterrupted: true)
        } catch {
            logger.error(
                "the state of a job cannot be stored", metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
            await giveUp(job, "The progress of the job could not be stored: \(error)")
        }
        return Ended()
    }

    /// Runs the phases of the delivery.
    ///
    /// Each phase returns the next phase.
    ///
    /// - Throws: `CancellationError`, or `SpoolError` when the job cannot be stored.
    private func deliver(_ job: Job, from start: Start) async throws -> DeliveryOutcome {
        if case .lookUp = start { try await stopIfCanceled(job) }
        let backend: any PrinterBackend
        do {
            backend = try await directory.backend(for: printer)
        } catch {
            let message = "\(printer.deviceURI) is not a usable printer address: \(error)"
            return start.outcome(of: job, withoutBackend: message)
        }
        var phase = firstPhase(of: job, start)
        while true {
            switch phase {
            case .prepare(let preparation): phase = try await prepare(job, by: preparation)
            case .create(let prepared, let unstored):
                phase = try await create(job, prepared, by: backend, storing: unstored)
            case .send(let prepared, let remote): phase = try await send(job, prepared, remote, by: backend)
            case .lookUp(let remote, let otherwise):
                phase = try await lookUp(job, remote, by: backend, otherwise: otherwise)
            case .follow(let remote, let unstored):
                phase = .end(try await follow(job, remote, by: backend, storing: unstored))
            case .end(let outcome): return outcome
            }
        }
    }

    private func firstPhase(of job: Job, _ start: Start) -> Phase {
        switch start {
        case .prepare(let preparation): .prepare(preparation)
        case .lookUp(let remote) where remote.uuid == nil: .end(unidentifiable(job, remote))
        case .lookUp(let remote): .lookUp(remote, otherwise: .notPrinted)
        }
    }

    private func settle(_ job: Job, after outcome: DeliveryOutcome) async throws -> Ended {
        var ended = Ended()
        switch outcome {
        case .recorded: return ended
        case .failed(let reason, let message): try await record(.failed(reason, message: message), of: job)
        case .retryLater(let message, let prepared, let isUnreachable):
            let moment = try await postpone(job, message)
            ended = Ended(prepared: prepared, unreachableSince: isUnreachable ? moment : nil)
        case .awaitsPerson(let message, let prepared):
            try await waitForPerson(job, message)
            ended.prepared = prepared
        case .notPrinted: try await record(.interrupted, of: job)
        case .overtaken(let preparation):
            try await record(.overtaken, of: job)
            return Ended(overtaken: preparation)
        case .doubtful(let message): try await record(.doubted(message: message), of: job)
        case .moved(let printer, let remote):
            ended = await at(printer).run(try await current(job), from: .lookUp(remote))
        }
        if ended.prepared == nil { await spool.removePrepared(of: job.id) }
        return ended
    }
}

extension JobRun.Start {
    /// Returns the outcome for a job whose printer has an unusable device URI.
    fileprivate func outcome(of job: Job, withoutBackend message: String) -> DeliveryOutcome {
        switch self {
        case .prepare: .failed(.abortedBySystem, message)
        // The job was created when the URI was usable, so the job may have been printed.
        case .lookUp: .doubtful("\(message), and \(job.doubt)")
        }
    }
}
