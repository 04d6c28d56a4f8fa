// What a failure means for the job, and what is done about it.

import PrintModel
import PrintSpool

extension JobRun {
    /// Puts the job off, gives it up or pauses its printer, as the printer's policy has it.
    func postpone(_ job: Job, _ message: String) async throws {
        if stop.isGiven { return try await note(job, .interrupted) }
        switch retry.decide(printer.errorPolicy, attempt: job.attempts + 1, now: clock()) {
        case .retry(let moment): try await note(job, .postponed(until: moment, message: message))
        case .abort: try await note(job, .failed(.abortedBySystem, message: message))
        case .stopPrinter:
            try await store(job) { () throws(SpoolError) in
                try await spool.pausePrinter(
                    named: printer.name,
                    message: "by its policy stop-printer, for job \(job.id) could not be delivered: \(message)")
            }
            try await note(job, .interrupted)
        }
    }

    /// Lets the job wait for a person, looking again now and then: no policy gives it up, for nothing is wrong with it.
    func waitForPerson(_ job: Job, _ message: String) async throws {
        if stop.isGiven { return try await note(job, .interrupted) }
        try await note(job, .postponed(until: clock() + retry.longest, message: message))
    }
}

// MARK: - Jobs that a printer gives up

extension JobRun {
    /// Decides about a job that its printer has aborted, once what came out of it is counted.
    ///
    /// Only a fault of the documents, or a person, ends the job. Anything else (power, a reset, a fault of the printer) suspends
    /// it, or has it go on, as the printer's setting says.
    ///
    /// - Throws: `Failure.doubtful`.
    func heedGivenUp(_ status: RemoteJobStatus, _ job: Job) async throws {
        let words = status.message.isEmpty ? "The printer gave the job up" : status.message
        if status.reasons.contains(where: \.isCancel) {
            return try await note(job, .canceledAtPrinter(message: stop.isGiven ? "" : status.message))
        }
        if let fault = status.reasons.first(where: \.isFaultOfDocuments) {
            return try await note(job, .failed(fault, message: words))
        }
        // Whoever canceled it has said already how to go on. The setting may have changed while the job printed.
        let setting = try await store(job) { () throws(SpoolError) in try await spool.printer(named: printer.name) }?
            .afterInterruption
        if setting == .abort || stop.isGiven {
            return try await note(job, .failed(status.reasons.first ?? .abortedBySystem, message: words))
        }
        guard setting == .continue, status.impressionsCompleted != nil else {
            throw try await interruption(of: job, words)
        }
        let tries = try await vainTries(of: job)
        guard tries < Self.mostVainTries else {
            throw try await interruption(of: job, "After \(tries) tries that printed no sheet: \(words)")
        }
        try await note(job, .continues(at: clock() + retry.delay(afterAttempt: tries + 1), message: words))
    }

    /// What to say about a job that its printer gave up.
    private func interruption(of job: Job, _ words: String) async throws -> Failure {
        // The ways on must fit into the message too.
        let said = words.count > 400 ? words.prefix(400) + "…" : words[...]
        return .doubtful("\(printer.name) gave the job up: \(said). \(try await current(job).doubt.firstUppercased)")
    }

    /// How often the job went on without a sheet printed since then.
    private func vainTries(of job: Job) async throws -> Int {
        let printed = try await current(job).impressionsOnWholeSheets
        let events = try await store(job) { () throws(SpoolError) in
            try await spool.events(after: 0, jobID: job.id, limit: .max)
        }
        return events.count {
            $0.reasons.contains(JobStateReason.jobResuming.rawValue) && ($0.impressionsCompleted ?? 0) >= printed
        }
    }

    /// How often a job goes on by itself without a sheet printed in between.
    private static let mostVainTries = 3
}

extension String {
    /// The text as the beginning of a sentence.
    fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}

extension JobRun.Failure {
    /// What a refused or failed request means, as long as nothing was printed.
    ///
    /// - Parameter prepared: What is ready for the next try.
    init(_ error: BackendError, prepared: Prepared? = nil) {
        self =
            switch error.code {
            case .refused: .final(.abortedBySystem, error.message)
            case .authenticationRequired, .untrusted: .awaitsPerson(error.message, prepared: prepared)
            default: .later(error.message, prepared: prepared)
            }
    }

    /// What a document that cannot be prepared means.
    init(_ error: WorkError) {
        switch error.code {
        case .unsupportedFormat: self = .final(.unsupportedDocumentFormat, error.message)
        case .damaged, .noPages: self = .final(.documentFormatError, error.message)
        case .passwordRequired: self = .final(.documentPasswordError, error.message)
        case .sandboxIncomplete: self = .awaitsPerson(error.message)
        case .workerUnavailable, .writeFailed, .canceled: self = .later(error.message)
        default: self = .final(.abortedBySystem, error.message)
        }
    }

    /// What it means that a printer takes nothing that is made here.
    init(_ printer: ConfiguredPrinter, takingOnly formats: [DocumentFormat]) {
        let names = formats.prefix(8).map(\.rawValue).joined(separator: ", ")
        self = .final(
            .unsupportedDocumentFormat,
            "\(printer.name) takes neither PDF nor PWG raster, Apple raster or JPEG, only \(names); "
                + "add it as a queue of CUPS that has a driver for it, or print on another printer")
    }

    /// What it means that a job has more pages than a printer of single images takes.
    init(_ printer: ConfiguredPrinter, pages: Int) {
        self = .final(
            .unsupportedDocumentFormat,
            "\(printer.name) takes only JPEG, one image a job, and this job has \(pages) pages; "
                + "print each page by itself, with --pages")
    }

    /// What documents that the spool cannot bring out mean.
    init(_ error: SpoolError) {
        self = error.mayPass ? .later(error.message) : .final(.abortedBySystem, error.message)
    }
}

extension Job {
    /// Whether somebody has canceled it, and it has not come to its stop.
    var isBeingCanceled: Bool { !state.isTerminal && reasons.contains(.processingToStopPoint) }
}

extension SpoolError {
    /// Whether waiting may cure it.
    var mayPass: Bool { code == .noSpace || code == .unwritable || code == .locked }
}
