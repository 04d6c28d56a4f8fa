// What is done for a job before its turn.

public import PrintModel

extension Spool {
    /// Lets an event happen to a waiting job, if it still is what somebody began to work on: waiting, on that printer,
    /// with those options.
    ///
    /// - Parameter job: The job as it was then.
    /// - Returns: The job as it is after the event; nil when it is not what it was, and nothing happened.
    @discardableResult
    public func change(_ job: Job, ifStillWaiting event: JobStateMachine.Event) async throws(SpoolError) -> Job? {
        let changed: Job? = try await write { [self] db in
            let current = try JobRecord.job(job.id, in: db)
            guard current.isWaiting(as: job) else { return nil }
            return try apply(event, to: current, in: db).job
        }
        if let changed, changed.state.isTerminal { try await tidy(changed.id) }
        return changed
    }

    /// Removes what was made ready for the printer of a job, which can be made again.
    ///
    /// Of a job that has ended, or is gone, everything goes that it does not keep: the work on it may have brought back
    /// what was removed at its end.
    public func removePrepared(of jobID: Int) async {
        do throws(SpoolError) {
            if let job = try await self.job(jobID), !job.state.isTerminal {
                await store.removePrepared(of: jobID)
            } else {
                try await tidy(jobID)
            }
        } catch {
            // The sweep finds it within the hour.
        }
    }
}

extension Job {
    /// Whether the job waits, to be printed on the printer and in the way that it was to be at an earlier moment.
    package func isWaiting(as earlier: Job) -> Bool {
        state == .pending && id == earlier.id && printer == earlier.printer && ticket == earlier.ticket
            && resumeFrom == earlier.resumeFrom
    }
}

extension DocumentStore {
    /// Removes the PDF for the printer, and the pixels that were made of it.
    fileprivate func removePrepared(of jobID: Int) async {
        let path = folder(of: jobID)
        await files.perform {
            for name in files.names(in: path) where name.hasPrefix("prepared.") || name.hasPrefix("prepared-") {
                files.remove(path + "/" + name)
            }
        }
    }
}
