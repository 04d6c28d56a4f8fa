// Handles printers whose address changes while a job is in progress.

import PrintModel
import PrintSpool

extension JobRun {
    /// Returns the printer's current configuration if the printer's address has changed since the delivery started.
    ///
    /// The result is nil if the address has not changed.
    func printerAtNewAddress(_ job: Job) async throws -> ConfiguredPrinter? {
        let printers = try await store(job) { () throws(SpoolError) in try await spool.printers() }
        return printers.first { $0.name == printer.name && $0.deviceURI != printer.deviceURI }
    }

    /// Looks up the job at the printer's new address, after the old address has stopped responding.
    ///
    /// If the new address belongs to the same printer, the printer has a job with the same ID and `job-uuid`. A
    /// different printer does not have this job. In that case, `printd` cannot determine whether the job was printed.
    ///
    /// - Returns: `.moved` or `.doubtful`; nil if the printer has no new address, or if the new address does not
    ///   respond either.
    func askNewAddress(about job: Job, _ remote: RemoteJob) async throws -> DeliveryOutcome? {
        guard let moved = try await printerAtNewAddress(job), let backend = try? await directory.backend(for: moved)
        else { return nil }
        let doubt = try await current(job).doubt
        let silence = "\(printer.name) no longer responds at \(printer.deviceURI)"
        guard remote.uuid != nil else { return .doubtful("\(silence), and \(doubt)") }
        switch try await answer({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
        case .success(nil):
            return .doubtful("\(silence), the printer at \(moved.deviceURI) does not have the job, and \(doubt)")
        case .success: return .moved(moved, remote)
        case .failure: return nil
        }
    }

    /// Returns a copy of the delivery for the same printer at a different address.
    func at(_ printer: ConfiguredPrinter) -> JobRun {
        let moved = Preparer(
            spool: spool, directory: directory, worker: preparer.worker, printer: printer)
        return JobRun(
            spool: spool, preparer: moved, retry: retry, clock: clock, sleeper: sleeper, logger: logger, stop: stop,
            ready: ready, lease: lease)
    }

    /// Returns the job's current record.
    func current(_ job: Job) async throws -> Job {
        try await store(job) { () throws(SpoolError) in try await spool.job(job.id) } ?? job
    }
}
