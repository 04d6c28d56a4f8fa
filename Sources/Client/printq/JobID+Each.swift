// What commands on several jobs have in common.

import IPP
import PrintqOutput
import SpoolerClient

extension [JobID] {
    /// Does something to each job and says what came of it; one that fails does not keep the others from it.
    ///
    /// - Throws: the last failure, when all the others have been told.
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
    /// How a job is now, as one line.
    func outcome(of id: Int) async throws(SpoolerClientError) -> String {
        let job = JobView(try await job(id, JobView.listedNames))
        return "job \(id) is \(job.stateWords(now: Session.now))\n"
    }
}
