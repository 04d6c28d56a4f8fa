// A printer that is given another address while it has a job in hand.

import PrintModel
import PrintSpool

extension JobRun {
    /// The printer as the queue has it now, when it is elsewhere than where this run goes; nil when it is not.
    func printerElsewhere(_ job: Job) async throws -> ConfiguredPrinter? {
        let printers = try await store(job) { () throws(SpoolError) in try await spool.printers() }
        return printers.first { $0.name == printer.name && $0.deviceURI != printer.deviceURI }
    }

    /// Looks for a job at its printer's new address, when nobody answers any more where it was made.
    ///
    /// The same printer at another address knows the job, by id and `job-uuid`; another printer does not, and then nobody can
    /// know what became of it. While the new one is silent too, both go on being asked.
    ///
    /// - Throws: `Failure.moved`, `Failure.doubtful`.
    func lookElsewhere(for job: Job, _ remote: RemoteJob) async throws {
        guard let moved = try await printerElsewhere(job), let backend = try? await directory.backend(for: moved) else {
            return
        }
        let doubt = try await current(job).doubt
        let place = "nobody answers any more where \(printer.name) was (\(printer.deviceURI))"
        guard remote.uuid != nil else { throw Failure.doubtful("\(place), and \(doubt)") }
        switch try await ask({ () throws(BackendError) in try await backend.jobStatus(remote) }) {
        case .success(nil):
            throw Failure.doubtful("\(place), the job is not known where it is now (\(moved.deviceURI)), and \(doubt)")
        case .success: throw Failure.moved(moved, remote)
        case .failure: return
        }
    }

    /// The same run at another address of its printer.
    func at(_ printer: ConfiguredPrinter) -> JobRun {
        let moved = Preparer(
            spool: spool, directory: directory, worker: preparer.worker, printer: printer)
        return JobRun(
            spool: spool, preparer: moved, retry: retry, clock: clock, sleeper: sleeper, logger: logger, stop: stop,
            ready: ready)
    }

    /// The job as its record has it now.
    func current(_ job: Job) async throws -> Job {
        try await store(job) { () throws(SpoolError) in try await spool.job(job.id) } ?? job
    }
}
