// One job's way from the head of the queue to paper.

import Logging
import PrintModel
import PrintSpool

/// Sees one claimed job through: prepare, create at the printer, send, follow to the end.
///
/// Every step is stored before the next one begins, so that a crash between any two leaves a job that can be taken up
/// again without printing it twice. A job is left unsettled only when the run itself is ended; the next start then takes
/// it up.
struct JobRun: Sendable {
    let spool: Spool
    let directory: PrinterDirectory
    let worker: any DocumentWorking
    let retry: RetryPolicy
    let clock: @Sendable () -> UnixTime
    let sleeper: any Clock<Duration>
    let logger: Logger
    let printer: Printer
    let stop: StopSignal

    /// Where to take the job up.
    enum Step: Sendable {
        /// From the beginning.
        case prepare
        /// It was created at the printer before a crash: find it there.
        case lookUp(RemoteJob)
    }

    /// Sees the job through, or stops where the task is cancelled; nothing is thrown, for the job's record tells all.
    func see(_ job: Job, from step: Step) async {
        do {
            do {
                try await go(job, from: step)
            } catch let failure as Failure {
                try await end(job, with: failure)
            }
        } catch is CancellationError {
            return  // the next start takes it up
        } catch {
            logger.error("job cannot be stored", metadata: ["job": "\(job.id)", "error": "\(error)"])
        }
    }

    private func go(_ job: Job, from step: Step) async throws {
        try await heedEarlierCancel(of: job)
        let backend: any PrinterBackend
        do {
            backend = try await directory.backend(for: printer)
        } catch {
            throw Failure.final(.abortedBySystem, "\(printer.deviceURI) is no way to a printer: \(error)")
        }
        switch step {
        case .prepare: try await deliver(job, options: try await prepare(job), by: backend)
        case .lookUp(let remote): try await lookUp(job, remote, by: backend, orElse: .unprinted)
        }
    }

    // MARK: - Ends

    /// What ends a job's way before its printer says so.
    enum Failure: Error {
        /// It can never be printed.
        case final(JobStateReason, String)
        /// It may go better later; nothing of it was printed.
        case later(String)
        /// Nothing of it was printed: it goes back to its place in the queue, or is canceled if somebody wants that.
        case unprinted
        /// Only a person can know whether it was printed.
        case doubtful(String)
    }

    private func end(_ job: Job, with failure: Failure) async throws {
        switch failure {
        case .final(let reason, let message): try await note(job, .failed(reason, message: message))
        case .later(let message): try await postpone(job, message)
        case .unprinted: try await note(job, .interrupted)
        case .doubtful(let message): try await note(job, .doubted(message: message))
        }
    }

    private func postpone(_ job: Job, _ message: String) async throws {
        if stop.isRequested { return try await note(job, .interrupted) }
        switch retry.decide(printer.errorPolicy, attempt: job.attempts + 1, now: clock()) {
        case .retry(let moment): try await note(job, .postponed(until: moment, message: message))
        case .abort: try await note(job, .failed(.abortedBySystem, message: message))
        case .stopPrinter:
            try await store(job) { () throws(SpoolError) in
                try await spool.pausePrinter(named: printer.name, message: message)
            }
            try await note(job, .interrupted)
        }
    }
}

extension JobRun.Failure {
    /// What a refused or failed request means, as long as nothing was printed.
    init(_ error: BackendError) {
        self = error.code == .refused ? .final(.abortedBySystem, error.message) : .later(error.message)
    }

    /// What a document that cannot be prepared means.
    init(_ error: WorkError) {
        switch error.code {
        case .unsupportedFormat: self = .final(.unsupportedDocumentFormat, error.message)
        case .damaged, .noPages: self = .final(.documentFormatError, error.message)
        case .passwordRequired: self = .final(.documentPasswordError, error.message)
        case .workerUnavailable, .writeFailed, .canceled: self = .later(error.message)
        default: self = .final(.abortedBySystem, error.message)
        }
    }

    /// What documents that the spool cannot bring out mean.
    init(_ error: SpoolError) {
        self = error.mayPass ? .later(error.message) : .final(.abortedBySystem, error.message)
    }
}
