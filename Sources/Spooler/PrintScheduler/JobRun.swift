// One job's way from the head of the queue to paper.

import Logging
import PrintModel
import PrintSpool
import AsyncPrimitives

/// Sees one claimed job through: prepare, create at the printer, send, follow to the end.
///
/// Every step is stored before the next one begins, so that a crash between any two leaves a job that can be taken up
/// again without printing it twice. A job is left unsettled only when the run itself is ended; the next start then takes
/// it up.
struct JobRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let retry: RetryPolicy
    let clock: @Sendable () -> UnixTime
    let sleeper: any Clock<Duration>
    let logger: Logger
    /// Given when somebody wants the job stopped.
    let stop: Signal
    /// Given when the worker is done with the job, and free for the next one's document.
    let ready: Signal

    var printer: ConfiguredPrinter { preparer.printer }
    var directory: PrinterDirectory { preparer.directory }

    /// Where to take the job up.
    enum Step: Sendable {
        /// From the beginning, with what was made ahead of its turn.
        case prepare(ahead: Preparation?)
        /// It was created at the printer before a crash: find it there.
        case lookUp(RemoteJob)
    }

    /// Sees the job through, or stops where the task is cancelled; nothing is thrown, for the job's record tells all.
    ///
    /// - Returns: What is ready for the job's next try; nil when there is none, or it must be prepared anew.
    func see(_ job: Job, from step: Step) async -> Prepared? {
        do {
            do {
                try await go(job, from: step)
            } catch let failure as Failure {
                if let prepared = try await end(job, with: failure) { return prepared }
                await spool.removePrepared(of: job.id)
            }
        } catch is CancellationError {
            return nil  // the next start takes it up
        } catch {
            logger.error("job cannot be stored", metadata: ["job": "\(job.id)", "error": "\(error)"])
        }
        return nil
    }

    private func go(_ job: Job, from step: Step) async throws {
        try await heedEarlierCancel(of: job)
        switch step {
        case .prepare(let ahead):
            let backend = try await backend { .final(.abortedBySystem, $0) }
            try await deliver(job, try await prepare(job, ahead: ahead), by: backend)
        case .lookUp(let remote):
            // It was made at the printer once: what stands in the way came since.
            let backend = try await backend { .doubtful("\($0), and \(job.doubt)") }
            guard remote.uuid != nil else { throw stranger(job, remote) }
            try await lookUp(job, remote, by: backend, orElse: .unprinted)
        }
    }

    private func backend(orElse failure: (String) -> Failure) async throws -> any PrinterBackend {
        do {
            return try await directory.backend(for: printer)
        } catch {
            throw failure("\(printer.deviceURI) is no way to a printer: \(error)")
        }
    }

    // MARK: - Ends

    /// What ends a job's way before its printer says so.
    enum Failure: Error {
        /// It can never be printed.
        case final(JobStateReason, String)
        /// It may go better later; nothing of it was printed, and what was made ready for it is still good, if it is given.
        case later(String, prepared: Prepared? = nil)
        /// It goes on when a person has done something; nothing of it was printed.
        case awaitsPerson(String, prepared: Prepared? = nil)
        /// Nothing of it was printed: it goes back to its place in the queue, or is canceled if somebody wants that.
        case unprinted
        /// Only a person can know whether it was printed.
        case doubtful(String)
        /// The printer has another address, and knows the job there.
        case moved(ConfiguredPrinter, RemoteJob)
    }

    private func end(_ job: Job, with failure: Failure) async throws -> Prepared? {
        switch failure {
        case .final(let reason, let message): try await note(job, .failed(reason, message: message))
        case .later(let message, let prepared):
            try await postpone(job, message)
            return prepared
        case .awaitsPerson(let message, let prepared):
            try await waitForPerson(job, message)
            return prepared
        case .unprinted: try await note(job, .interrupted)
        case .doubtful(let message): try await note(job, .doubted(message: message))
        case .moved(let printer, let remote):
            return await at(printer).see(try await current(job), from: .lookUp(remote))
        }
        return nil
    }
}
