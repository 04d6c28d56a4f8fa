// What people do with a job that did not go well: resume, reprint, move.

import IPP
import PrintModel
package import SpoolerClient

extension Spooler {
    /// Lets a suspended job go on from a side, counted over all copies from 1; nil is the first one not seen printed.
    package func resume(_ id: Int, from impression: Int?) async throws(SpoolerClientError) {
        try await ask(.resumeJob, job: id, attributes: impression.map { [.resumeFrom($0)] } ?? [])
    }

    /// Prints a job once more, and gives the number of the job that does: a new one, or the same if it was suspended.
    package func reprint(_ reprint: JobReprint) async throws(SpoolerClientError) -> Int {
        let job = JobView(try await job(reprint.job, JobView.listedNames))
        guard job.isSuspended else {
            // The submission id makes it safe to send the same again.
            return try Self.jobID(try await send(reprint.request(user: user), isRepeatable: true))
        }
        guard !reprint.changesSomething else {
            throw SpoolerClientError(
                .notDone,
                "job \(job.id) is suspended, and is reprinted as it was submitted; leave the options out, "
                    + "or use 'printq resume' or 'printq move'")
        }
        try await ask(.restartJob, job: job.id)
        return job.id
    }

    /// Moves a waiting job to another printer.
    package func move(_ id: Int, to printer: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, job: id, attributes: [.destination(printer)])
    }

    /// Moves all waiting jobs of a printer to another one.
    package func move(to printer: String, fromPrinter source: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, printer: source, attributes: [.destination(printer)])
    }
}
