// What commands on several jobs have in common.

import IPP
import PrintCommands
import PrintQueue

extension [JobID] {
    /// Does something to each job and says what came of it; one that fails does not keep the others from it.
    ///
    /// - Throws: the last failure, when all the others have been told.
    func changeEach(
        _ change: (Int) async throws(CommandError) -> String
    ) async throws(CommandError) {
        var failure: CommandError?
        for id in self {
            do throws(CommandError) {
                Terminal.print(try await change(id.number))
            } catch {
                if let failure { Terminal.complain(failure.message) }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension Queue {
    /// How a job is now, as one line.
    func outcome(of id: Int) async throws(CommandError) -> String {
        let job = JobView(try await job(id, JobView.listedNames))
        return "job \(id) is \(job.stateWords(now: Session.now))\n"
    }
}
