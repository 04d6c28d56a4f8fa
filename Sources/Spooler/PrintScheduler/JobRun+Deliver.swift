// From the job's documents to a document at the printer.

import PrintModel
import PrintSpool

extension JobRun {
    /// Has the PDF for this printer made, unless it was made ahead for what is to be printed now.
    func prepare(_ job: Job, ahead: Preparation?) async throws -> Prepared {
        // Whatever is made ahead makes the same file: it must have come to its end.
        let made = try await unlessStopped(ahead) { await ahead?.outcome() }
        let plan = try await unlessStopped { [preparer] in try await preparer.plan(for: job) }
        let prepared: Prepared
        if let made, made.isGood(for: printer, plan) {
            prepared = made
        } else {
            prepared = try await unlessStopped { [preparer] in try await preparer.prepare(job, plan) }
        }
        ready.give()
        try await note(job, prepared.event)
        return prepared
    }

    private func unlessStopped<Answer: Sendable>(
        _ ahead: Preparation? = nil, _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let answer = try await stop.stopping(work) else {
            ahead?.stop.give()
            throw Failure.unprinted
        }
        return answer
    }

    /// Creates the job at its printer, sends the PDF or what was made of it, and follows it to its end.
    func deliver(_ job: Job, _ prepared: Prepared, by backend: any PrinterBackend) async throws {
        if stop.isGiven { throw Failure.unprinted }
        // What was made ready for where the printer was may not do for where it is.
        if try await printerElsewhere(job) != nil { throw Failure.unprinted }
        let delivery = DeliveryRequest(
            jobID: job.id, name: job.name, owner: job.owner, options: prepared.plan.device,
            forwardedBy: (job.ticket.forwardedBy ?? []) + [spool.identity])
        switch try await ask({ () throws(BackendError) in try await backend.createJob(delivery) }) {
        case .success(let remote):
            await directory.noteRefusal(nil, of: printer)
            try await note(job, .createdAtPrinter(remote))
            try await send(job, prepared, remote, by: backend)
        case .failure(let error):
            // Without its document nothing can have been printed, whatever became of the request; an empty job that it
            // may have left at the printer times out there (RFC 8011 §5.4.29).
            if error.code == .unreachable { await directory.forgetAnswers(of: printer) }
            if error.awaitsPerson { await directory.noteRefusal(error, of: printer) }
            throw Failure(error, prepared: prepared)
        }
    }

    private func send(
        _ job: Job, _ prepared: Prepared, _ remote: RemoteJob, by backend: any PrinterBackend
    ) async throws {
        let delivery = prepared.plan.delivery ?? .pdf
        if delivery.pixels != nil { try await note(job, .sending(as: delivery.description)) }
        let paths: [String]
        do throws(SpoolError) {
            paths = delivery.files(of: try spool.preparedPath(of: job.id), pages: prepared.document.impressions)
        } catch {
            throw Failure(error)
        }
        let sent = try await stop.stopping {
            try await ask { () throws(BackendError) in
                try await backend.sendDocuments(paths, format: delivery.format, to: remote)
            }
        }
        switch sent {
        case .success:
            try await note(job, .sent)
            try await follow(job, remote, by: backend)
        case nil:
            // Canceled in the middle: the printer is told so, and says how it ended.
            try await follow(job, remote, by: backend)
        case .failure(let error) where error.mayHaveBeenReceived:
            try await lookUp(job, remote, by: backend, orElse: Failure(error))
        case .failure(let error) where error.code == .refused:
            try await heedForgottenJob(job, remote, by: backend, error)
            throw Failure(error)
        case .failure(let error):
            // The empty job at the printer times out by itself. Were it canceled here, a crash before that is stored would
            // make it look canceled at the printer, and the job be lost.
            throw Failure(error)
        }
    }

    /// Looks why a document was refused: a printer that was switched off and on no longer knows the job it made, and takes
    /// the document with a new one.
    ///
    /// What it still knows is withdrawn. Its number alone could be someone else's job by now.
    private func heedForgottenJob(
        _ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, _ refusal: BackendError
    ) async throws {
        switch try await ask({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
        case .success(nil), .failure: throw Failure.later(refusal.message)
        // Switched off and on, or impatient, it gave the empty job up, and takes the document with a new one.
        case .success(let status?) where status.state == .aborted && status.isWithoutDocument:
            throw Failure.later(refusal.message)
        case .success:
            // Stored first: found canceled after a crash, it must not look as if someone at the printer had done it.
            try await note(job, .withdrawing)
            _ = try await ask { () throws(BackendError) in try await backend.cancelJob(remote) }
        }
    }
}
