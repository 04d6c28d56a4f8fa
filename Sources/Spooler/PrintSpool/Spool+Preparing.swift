// Changes jobs whose documents are prepared.

public import PrintModel

extension Spool {
    /// Applies an event to a waiting job if its state, printer, options and start page have not changed.
    ///
    /// The caller checks the queue afterwards, so the scheduler is not woken.
    ///
    /// - Parameter job: The job in the state that the caller last read.
    /// - Returns: The job after the event; nil when the job has changed and the event was not applied.
    @discardableResult
    public func change(_ job: Job, ifStillWaiting event: JobStateMachine.Event) async throws(SpoolError) -> Job? {
        let changed: Job? = try await write(event.durability, news: { _ in .none }) { [self] transaction in
            let current = try transaction.existingJob(job.id)
            guard current.isWaiting(as: job) else { return nil }
            return try apply(event, to: current, in: transaction).job
        }
        if let changed, changed.state.isTerminal { try await tidy(changed.id) }
        return changed
    }

    /// Stores the working time that the attempts to prepare a waiting or started job have used, in seconds.
    ///
    /// After a restart, the next attempt continues with this time.
    ///
    /// - Parameter lease: In a shared spool, the lease under which a started job is in progress.
    public func notePreparation(
        of job: Job, seconds: Double, under lease: PrinterLease? = nil
    ) async throws(SpoolError) {
        try await write(.ordered, news: { _ in .none }) { [self] transaction in
            var current = try transaction.existingJob(job.id)
            guard current.state == .pending || current.state == .processing, current.remote == nil,
                current.printer == job.printer, current.ticket == job.ticket
            else { return }
            if current.state == .processing, isShared {
                guard let lease, try transaction.isInProgress(current, under: lease) else { return }
            }
            current.preparationSeconds = seconds
            try store(current, in: transaction)
        }
    }

    /// Removes the prepared files of a job.
    ///
    /// The files can be created again.
    ///
    /// If the job has ended or was removed, also removes all other files of the job except its documents. A preparation
    /// may have created these files after the job ended.
    public func removePrepared(of jobID: Int) async {
        do throws(SpoolError) {
            if let job = try await self.job(jobID), !job.state.isTerminal {
                await store.removePrepared(of: jobID)
            } else {
                try await tidy(jobID)
            }
        } catch {
            // After an error, the hourly sweep removes the files.
        }
    }
}

extension Job {
    /// Returns whether the job is waiting and has the same printer, options and start page as `earlier`.
    package func isWaiting(as earlier: Job) -> Bool {
        state == .pending && id == earlier.id && printer == earlier.printer && ticket == earlier.ticket
            && resumeFrom == earlier.resumeFrom
    }
}

extension DocumentStore {
    /// Removes a prepared PDF, and the raster files that were rendered from this PDF.
    fileprivate func removePrepared(of jobID: Int) async {
        let path = folder(of: jobID)
        await files.perform {
            for name in files.names(in: path) where name.hasPrefix("prepared.") || name.hasPrefix("prepared-") {
                files.remove(path + "/" + name)
            }
        }
    }
}
