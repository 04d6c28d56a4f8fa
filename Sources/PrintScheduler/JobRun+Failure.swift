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
    init(_ printer: Printer, takingOnly formats: [DocumentFormat]) {
        let names = formats.prefix(8).map(\.rawValue).joined(separator: ", ")
        self = .final(
            .unsupportedDocumentFormat,
            "\(printer.name) takes neither PDF nor PWG raster, Apple raster or JPEG, only \(names); "
                + "add it as a queue of CUPS that has a driver for it, or print on another printer")
    }

    /// What it means that a job has more pages than a printer of single images takes.
    init(_ printer: Printer, pages: Int) {
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
