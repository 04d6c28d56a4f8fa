// Resumes, reprints and moves jobs.

import IPP
import PrintModel
package import SpoolerClient

extension Spooler {
    /// Resumes a suspended job from a side, counted from 1 over all copies; nil means the first side not reported as
    /// printed.
    package func resume(_ id: Int, from impression: Int?) async throws(SpoolerClientError) {
        try await ask(.resumeJob, job: id, attributes: impression.map { [.resumeFrom($0)] } ?? [])
    }

    /// Prints a job again, and returns the number of the resulting job.
    ///
    /// An ended job becomes a new job with a new number. A suspended job keeps its number.
    package func reprint(_ reprint: JobReprint) async throws(SpoolerClientError) -> Int {
        let job = JobView(try await job(reprint.job, JobView.listedNames))
        guard job.isSuspended else {
            // The submission id makes the request idempotent, so it can be repeated.
            return try Self.jobID(try await send(reprint.request(user: user), isRepeatable: true))
        }
        guard !reprint.changesSomething else {
            throw SpoolerClientError(
                .notDone,
                "job \(job.id) is suspended and can only be reprinted without new options; omit the options, "
                    + "or use 'printq resume' or 'printq move'")
        }
        try await ask(.restartJob, job: job.id)
        return job.id
    }

    /// Moves a waiting job to another printer.
    package func move(_ id: Int, to printer: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, job: id, attributes: [.destination(printer)])
    }

    /// Moves all waiting jobs of a printer to another printer.
    package func move(to printer: String, fromPrinter source: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, printer: source, attributes: [.destination(printer)])
    }
}
