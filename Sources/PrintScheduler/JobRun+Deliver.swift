// From the job's documents to a document at the printer.

import PrintModel
import PrintSpool

extension JobRun {
    /// Makes the PDF for this printer, and says what the printer is asked to do with it.
    func prepare(_ job: Job) async throws -> DeviceOptions {
        let capabilities = try await unlessStopped { [directory, printer] in
            do {
                return try await directory.capabilities(of: printer)
            } catch let error as BackendError {
                try Task.checkCancellation()
                throw Failure(error)
            }
        }
        let plan = job.ticket.plan(for: capabilities, from: job.resumeFrom)
        let request = try await request(job, plan.imposition)
        let prepared = try await unlessStopped { [worker] in
            do throws(WorkError) {
                return try await worker.prepare(request) { _ in }
            } catch {
                try Task.checkCancellation()
                throw Failure(error)
            }
        }
        let notices = plan.conflicts.map(\.description) + prepared.notices
        let omitted = plan.imposition.resumePoint
        try await note(
            job,
            .prepared(
                impressions: prepared.impressions * plan.device.copies + omitted.impressionsBefore,
                sheets: prepared.sheets * plan.device.copies + omitted.sheetsBefore,
                notice: notices.isEmpty ? nil : notices.joined(separator: "; ")))
        return plan.device
    }

    private func unlessStopped<Answer: Sendable>(
        _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let answer = try await stoppable(work) else { throw Failure.unprinted }
        return answer
    }

    private func request(_ job: Job, _ imposition: Imposition) async throws -> PrepareRequest {
        do throws(SpoolError) {
            return PrepareRequest(
                documents: try await spool.documents(of: job.id), imposition: imposition,
                output: try spool.preparedPath(of: job.id))
        } catch {
            throw Failure(error)
        }
    }

    /// Creates the job at its printer, sends the PDF, and follows it to its end.
    func deliver(_ job: Job, options: DeviceOptions, by backend: any PrinterBackend) async throws {
        if stop.isRequested { throw Failure.unprinted }
        let delivery = DeliveryRequest(jobID: job.id, name: job.name, owner: job.owner, options: options)
        // Without its document nothing can have been printed, whatever became of a request that failed.
        let remote = try await ask { () throws(BackendError) in try await backend.createJob(delivery) }
            .mapError(Failure.init).get()
        try await note(job, .createdAtPrinter(remote))
        try await send(job, remote, by: backend)
    }

    private func send(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        let path: String
        do throws(SpoolError) {
            path = try spool.preparedPath(of: job.id)
        } catch {
            throw Failure(error)
        }
        let sent = try await stoppable {
            try await ask { () throws(BackendError) in
                try await backend.sendDocument(path, format: .pdf, to: remote)
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
            try await heedForgottenJob(remote, by: backend, error)
            throw Failure(error)
        case .failure(let error):
            // The empty job at the printer is of no use to anyone; if this fails, it times out by itself.
            _ = try await ask { () throws(BackendError) in try await backend.cancelJob(remote) }
            throw Failure(error)
        }
    }

    /// Looks why a document was refused: a printer that was switched off and on no longer knows the job it made, and takes
    /// the document with a new one.
    ///
    /// What it still knows is withdrawn. Its number alone could be someone else's job by now.
    private func heedForgottenJob(
        _ remote: RemoteJob, by backend: any PrinterBackend, _ refusal: BackendError
    ) async throws {
        switch try await ask({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
        case .success(nil), .failure: throw Failure.later(refusal.message)
        case .success: _ = try await ask { () throws(BackendError) in try await backend.cancelJob(remote) }
        }
    }
}
