// Helpers for commands that change several jobs.

import IPP
import PrintqOutput
import SpoolerClient

extension [JobID] {
    /// Changes each job and prints the result.
    ///
    /// A failure for one job does not prevent the changes of the other jobs.
    ///
    /// - Throws: The last failure, after all other failures have been reported.
    func changeEach(
        _ change: (Int) async throws(SpoolerClientError) -> String
    ) async throws(SpoolerClientError) {
        var failure: SpoolerClientError?
        for id in self {
            do throws(SpoolerClientError) {
                StandardOutput.print(try await change(id.number))
            } catch {
                if let failure { StandardOutput.complain(failure.message) }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension Spooler {
    /// Returns the state of a job as one line.
    func outcome(of id: Int) async throws(SpoolerClientError) -> String {
        let job = JobView(try await job(id, JobView.listedNames))
        return "job \(id) is \(job.stateWords(now: Session.now))\n"
    }
}
