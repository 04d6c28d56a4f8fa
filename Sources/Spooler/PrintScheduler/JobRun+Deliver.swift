// The first phases of a delivery: prepare the document, create the job at the printer, send the document.

import PrintModel
import PrintSpool

extension JobRun {
    /// Waits until the document is prepared for this printer.
    func prepare(_ job: Job, by preparation: Preparation) async throws -> Phase {
        guard let settlement = try await stop.stopping({ await preparation.settlement() }) else {
            preparation.cancel()
            await preparation.wait()
            return .end(.notPrinted)
        }
        try Task.checkCancellation()
        guard let outcome = settlement else { return .end(.overtaken(preparation)) }
        let prepared: Prepared
        do {
            prepared = try outcome.get()
        } catch let error as PreparationError {
            return .end(DeliveryOutcome(error))
        }
        // The preparation in advance has stored its page counts, and the scheduler knows that the worker is free.
        // A job with a quota is checked before the printer creates it.
        if preparation.earlier?.document != nil, ready.isGiven, job.ticket.limitedGroups == nil {
            return .create(prepared, unstored: [prepared.event])
        }
        ready.give()
        if try await record(prepared.event, of: job).state.isTerminal { return .end(.recorded) }
        return .create(prepared, unstored: [])
    }

    /// Creates an empty job at the printer.
    func create(
        _ job: Job, _ prepared: Prepared, by backend: any PrinterBackend, storing unstored: [JobStateMachine.Event]
    ) async throws -> Phase {
        if stop.isGiven { return .end(.notPrinted) }
        // The document was prepared for the old address, and the new address may be another printer.
        if try await printerAtNewAddress(job) != nil { return .end(.notPrinted) }
        let delivery = DeliveryRequest(
            jobID: job.id, name: job.name, owner: job.owner, options: prepared.plan.device,
            forwardedBy: (job.ticket.forwardedBy ?? []) + [spool.identity])
        try await waitForLease()
        switch try await answer({ () throws(BackendError) in try await backend.createJob(delivery) }) {
        case .success(let remote):
            await directory.noteRefusal(nil, of: printer)
            do {
                try await record(unstored + [.createdAtPrinter(remote)], of: job)
            } catch let error as SpoolError where error.code == .leaseLost {
                try await cancelUnknownJob(remote, by: backend)
                throw error
            }
            return .send(prepared, remote)
        case .failure(let error):
            // The printer has received no document, so nothing was printed. If the request created an empty job, the
            // printer deletes that job after a timeout (RFC 8011 §5.4.29).
            if error.code == .unreachable { await directory.forgetAnswers(of: printer) }
            if error.awaitsPerson { await directory.noteRefusal(error, of: printer) }
            return .end(DeliveryOutcome(error, prepared: prepared))
        }
    }

    /// Cancels the empty job that this run has created at the printer, because the other host does not know the job.
    ///
    /// After a restart of the printer, the job number can belong to a job of the other host. Therefore the function
    /// first checks that the printer still has the empty job.
    private func cancelUnknownJob(_ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        let found = try await answer { () throws(BackendError) in try await backend.jobStatus(remote) }
        guard case .success(let status?) = found, remote.uuid != nil || status.isWithoutDocument else { return }
        _ = try await answer { () throws(BackendError) in try await backend.cancelJob(remote) }
    }

    /// Sends the prepared document to the job at the printer.
    func send(
        _ job: Job, _ prepared: Prepared, _ remote: RemoteJob, by backend: any PrinterBackend
    ) async throws -> Phase {
        let delivery = prepared.plan.delivery ?? .pdf
        if delivery.pixels != nil { try await record(.sending(as: delivery.description), of: job) }
        let paths = delivery.files(of: spool.preparedPath(of: job.id), pages: prepared.document.impressions)
        try await waitForLease()
        let sent = try await stop.stopping {
            try await answer { () throws(BackendError) in
                try await backend.sendDocuments(paths, format: delivery.format, to: remote)
            }
        }
        switch sent {
        case .success: return .follow(remote, unstored: [.sent])
        case nil:
            // The job was canceled during the transfer. `follow` cancels the job at the printer and waits until the job
            // ends.
            return .follow(remote, unstored: [])
        case .failure(let error) where error.mayHaveBeenReceived:
            return .lookUp(remote, otherwise: DeliveryOutcome(error))
        case .failure(let error) where error.code == .refused:
            return .end(try await withdrawRefusedJob(job, remote, by: backend, error))
        case .failure(let error):
            // Leave the empty job at the printer, where the job times out. If this code canceled the empty job and then
            // crashed before it stored the outcome, a person would seem to have canceled the job at the printer. The
            // job would be lost.
            return .end(DeliveryOutcome(error))
        }
    }

    /// Cancels a job at the printer after the printer has rejected the job's document.
    ///
    /// If the printer no longer has the job, for example after a power cycle, the job number could belong to a
    /// different job. In that case the function sends no cancel request, and the job is retried.
    private func withdrawRefusedJob(
        _ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend, _ refusal: BackendError
    ) async throws -> DeliveryOutcome {
        switch try await answer({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
        case .success(nil), .failure: return .retryLater(refusal.message)
        // The printer aborted the empty job, for example because the document came too late. The printer accepts a new
        // job.
        case .success(let status?) where status.state == .aborted && status.isWithoutDocument:
            return .retryLater(refusal.message)
        case .success:
            // Stored before the cancel request: after a crash, the canceled job must not look as if a person had
            // canceled it.
            try await record(.withdrawing, of: job)
            _ = try await answer { () throws(BackendError) in try await backend.cancelJob(remote) }
            return DeliveryOutcome(refusal)
        }
    }
}
