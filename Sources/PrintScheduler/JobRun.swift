// One job's way from the head of the queue to paper.

import Logging
import PrintModel
import PrintSpool

/// Sees one claimed job through: prepare, create at the printer, send, follow to the end.
///
/// Every step is stored before the next one begins, so that a crash between any two leaves a job that can be taken up
/// again without printing it twice.
struct JobRun: Sendable {
    let spool: Spool
    let directory: PrinterDirectory
    let worker: any DocumentWorking
    let retry: RetryPolicy
    let clock: @Sendable () -> UnixTime
    let logger: Logger
    let printer: Printer
    let stop: StopSignal

    /// Where to take the job up.
    enum Step: Sendable {
        /// From the beginning.
        case prepare
        /// It was created at the printer before a crash: find it there.
        case lookUp
    }

    /// Sees the job through, or stops where the task is cancelled; nothing is thrown, for the job's record tells all.
    func see(_ job: Job, from step: Step) async {
        do {
            let backend = try await backend()
            switch step {
            case .prepare:
                guard let options = try await prepare(job) else { return }
                try await deliver(job, options: options, by: backend)
            case .lookUp:
                guard let remote = job.remote else { return try await note(job, .interrupted) }
                try await lookUp(job, remote, by: backend)
            }
        } catch is CancellationError {
            return  // the next start takes it up
        } catch let failure as Failure {
            await end(job, with: failure)
        } catch {
            logger.error("job cannot be stored", metadata: ["job": "\(job.id)", "error": "\(error)"])
        }
    }

    /// What stops a job's way.
    enum Failure: Error {
        /// It can never be printed.
        case final(JobStateReason, String)
        /// It may go better later; nothing of it was printed.
        case later(String)
        /// It was stopped because somebody canceled it.
        case stopped
    }

    // MARK: - Prepare

    /// Makes the PDF for this printer; nil when the job was canceled meanwhile.
    private func prepare(_ job: Job) async throws -> DeviceOptions? {
        let capabilities: PrinterCapabilities
        do {
            capabilities = try await directory.capabilities(of: printer)
        } catch let error as BackendError {
            throw error.isTransient ? Failure.later(error.message) : Failure.final(.abortedBySystem, error.message)
        }
        let plan = job.ticket.plan(for: capabilities)
        let request = PrepareRequest(
            documents: try await spool.documents(of: job.id), imposition: plan.imposition,
            output: try spool.preparedPath(of: job.id))
        let prepared = try await stoppable {
            do throws(WorkError) {
                return try await worker.prepare(request) { _ in }
            } catch {
                throw Failure(error)
            }
        }
        let impressions = prepared.impressions * plan.device.copies
        let sheets = prepared.sheets * plan.device.copies
        let notices = plan.conflicts.map(\.description) + prepared.notices
        try await note(
            job,
            .prepared(
                impressions: impressions, sheets: sheets,
                notice: notices.isEmpty ? nil : notices.joined(separator: "; ")))
        return plan.device
    }

    /// Runs work that is cancelled as soon as somebody cancels the job.
    private func stoppable<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                await stop.wait()
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                try Task.checkCancellation()
                throw Failure.stopped
            }
            return result
        }
    }

    // MARK: - Deliver

    private func deliver(_ job: Job, options: DeviceOptions, by backend: any PrinterBackend) async throws {
        if stop.isRequested { throw Failure.stopped }
        let remote: RemoteJob
        do throws(BackendError) {
            remote = try await backend.createJob(
                DeliveryRequest(jobID: job.id, name: job.name, owner: job.owner, options: options))
        } catch {
            // Without its document nothing can have been printed, whatever became of the request.
            throw Failure(error)
        }
        try await note(job, .createdAtPrinter(remote))
        try await send(job, remote, by: backend)
    }

    private func send(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        do throws(BackendError) {
            try await backend.sendDocument(try preparedPath(of: job), format: .pdf, to: remote)
        } catch {
            guard error.mayHaveBeenReceived else {
                // The empty job at the printer is of no use to anyone; it would time out by itself.
                try? await backend.cancelJob(remote)
                throw Failure(error)
            }
            return try await lookUp(job, remote, by: backend)
        }
        try await note(job, .sent)
        try await follow(job, remote, by: backend)
    }

    private func preparedPath(of job: Job) throws(BackendError) -> String {
        do throws(SpoolError) {
            return try spool.preparedPath(of: job.id)
        } catch {
            throw BackendError(.documentMissing, error.message)
        }
    }

    // MARK: - Follow

    /// Finds a job at its printer after a crash or a lost answer, and goes on from what is seen there.
    private func lookUp(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        guard let status = try await status(of: job, remote, by: backend) else { return try await doubt(job) }
        let isIncoming = status.reasons.contains(.jobIncoming) || status.reasons.contains(.jobDataInsufficient)
        if isIncoming && !status.state.isTerminal {
            // The document never arrived whole: nothing was printed. Begin again, with a job of its own.
            do throws(BackendError) {
                try await backend.cancelJob(remote)
            } catch {
                throw Failure(error)
            }
            return try await note(job, .interrupted)
        }
        try await note(job, .sent)
        try await follow(job, remote, by: backend)
    }

    /// Follows the job at the printer to its end, with its pages as they come.
    private func follow(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        var pause = Pause()
        var last: RemoteJobStatus?
        var toldToStop = false
        while true {
            if stop.isRequested && !toldToStop {
                do throws(BackendError) {
                    try await backend.cancelJob(remote)
                    toldToStop = true
                } catch {
                    logger.warning(
                        "a job could not be canceled yet", metadata: ["job": "\(job.id)", "error": "\(error)"])
                }
                pause.reset()
            }
            guard let status = try await status(of: job, remote, by: backend) else { return try await doubt(job) }
            if status != last {
                try await report(status, of: job, before: last, by: backend)
                pause.reset()
                last = status
            }
            if status.state.isTerminal { return }
            try await pause.wait(unless: toldToStop ? nil : stop)
        }
    }

    private func report(
        _ status: RemoteJobStatus, of job: Job, before: RemoteJobStatus?, by backend: any PrinterBackend
    ) async throws {
        let wasStopped = before?.state == .processingStopped
        switch status.state {
        case .completed:
            try await note(job, .progressed(impressions: status.impressionsCompleted, sheets: status.sheetsCompleted))
            let hasWarning = status.reasons.contains { $0 != .jobCompletedSuccessfully }
            let words = status.message.isEmpty ? "Printed, with warnings" : status.message
            try await note(job, .delivered(warning: hasWarning ? words : nil))
        case .aborted:
            let words = status.message.isEmpty ? "The printer gave the job up" : status.message
            try await note(job, .failed(status.reasons.first ?? .abortedBySystem, message: words))
        case .canceled: try await note(job, .canceledAtPrinter(message: stop.isRequested ? "" : status.message))
        case .processingStopped where !wasStopped:
            let printerStatus = try? await backend.status()
            try await note(job, .printerStopped(message: Self.words(status, printerStatus)))
        case .processingStopped: break
        default:
            if wasStopped { try await note(job, .printerResumed) }
            try await note(job, .progressed(impressions: status.impressionsCompleted, sheets: status.sheetsCompleted))
        }
    }

    /// How the job is doing, asked until the printer answers: a job that has been sent is never given up for silence.
    private func status(
        of job: Job, _ remote: RemoteJob, by backend: any PrinterBackend
    ) async throws -> RemoteJobStatus? {
        var attempt = 0
        var recovered: RemoteJobStatus?
        while true {
            let failure: BackendError
            do throws(BackendError) {
                let status = try await backend.jobStatus(remote)
                if attempt == 0 { return status }
                recovered = status
                break
            } catch {
                failure = error
            }
            attempt += 1
            if attempt == 1 {
                try await note(job, .printerStopped(message: "Waiting for the printer's answer: \(failure.message)"))
            }
            try await Task.sleep(for: .seconds(retry.delay(afterAttempt: attempt)))
        }
        try await note(job, .printerResumed)
        return recovered
    }

    private func doubt(_ job: Job) async throws {
        if stop.isRequested { return try await note(job, .backendStopped) }
        let pages = (try await spool.job(job.id))?.impressionsCompleted ?? 0
        let seen = pages > 0 ? "\(pages) pages were seen printed" : "it may have been printed"
        try await note(
            job,
            .doubted(
                message: "\(printer.name) no longer knows the job, and \(seen); "
                    + "look at the paper, then 'printq release \(job.id)' to print it again or 'printq cancel \(job.id)'"
            ))
    }

    // MARK: - Ends

    private func end(_ job: Job, with failure: Failure) async {
        do {
            switch failure {
            case .final(let reason, let message): try await note(job, .failed(reason, message: message))
            case .stopped: try await note(job, .backendStopped)
            case .later(let message): try await postpone(job, message)
            }
        } catch {
            logger.error("job cannot be stored", metadata: ["job": "\(job.id)", "error": "\(error)"])
        }
    }

    private func postpone(_ job: Job, _ message: String) async throws {
        if stop.isRequested { return try await note(job, .backendStopped) }
        switch retry.decide(printer.errorPolicy, attempt: job.attempts + 1, now: clock()) {
        case .retry(let moment): try await note(job, .postponed(until: moment, message: message))
        case .abort: try await note(job, .failed(.abortedBySystem, message: message))
        case .stopPrinter:
            try await spool.pausePrinter(named: printer.name, message: message)
            try await note(job, .interrupted)
        }
    }

    private func note(_ job: Job, _ event: JobStateMachine.Event) async throws {
        let (changed, _) = try await spool.change(job.id, event)
        guard changed.state.isTerminal else { return }
        logger.info(
            "job ended",
            metadata: ["job": "\(job.id)", "state": "\(changed.state)", "message": "\(changed.message)"])
    }

    private func backend() async throws -> any PrinterBackend {
        do {
            return try await directory.backend(for: printer)
        } catch {
            throw Failure.final(.abortedBySystem, "\(printer.deviceURI) is no way to a printer: \(error)")
        }
    }

    /// Why the printer has stopped, in the best words there are.
    private static func words(_ job: RemoteJobStatus, _ printer: PrinterStatus?) -> String {
        if let printer, !printer.message.isEmpty { return printer.message }
        if let reason = printer?.reasons.first { return "The printer has stopped: \(reason)" }
        return job.message.isEmpty ? "The printer has stopped" : job.message
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
        case .workerUnavailable, .writeFailed: self = .later(error.message)
        case .canceled: self = .stopped
        default: self = .final(.abortedBySystem, error.message)
        }
    }
}

/// The time between two looks at a job: short at first and after each news, then longer.
struct Pause: Sendable {
    private static let shortest = 0.02
    private static let longest = 0.5
    private var seconds = shortest

    mutating func reset() { seconds = Self.shortest }

    /// Waits, or returns at once when somebody wants the job stopped.
    mutating func wait(unless stop: StopSignal?) async throws {
        let pause = seconds
        seconds = min(seconds * 1.5, Self.longest)
        guard let stop else { return try await Task.sleep(for: .seconds(pause)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Task.sleep(for: .seconds(pause)) }
            group.addTask { await stop.wait() }
            try await group.next()
            group.cancelAll()
        }
    }
}
