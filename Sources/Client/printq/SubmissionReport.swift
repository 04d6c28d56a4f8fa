// Reports submitted jobs immediately, or with --wait when the jobs have ended.

import IPP
import PrintqOutput
import SpoolerClient

/// A reporter of submitted jobs on standard output.
struct SubmissionReport {
    let spooler: Spooler
    let output: OutputChoice

    /// Reports a job that printd has accepted: immediately, or when the job has ended.
    ///
    /// - Throws: `SpoolerClientError` if the command waits and the job is not completed.
    func report(_ id: Int, waiting: Bool) async throws(SpoolerClientError) {
        if waiting { try await reportEnd(of: id) } else { await reportState(of: id) }
    }

    /// Follows a job until it ends, and reports the result.
    ///
    /// - Throws: `SpoolerClientError` if the job is not completed: with `badDocument` if the document is the cause,
    ///   otherwise with `notDone`.
    private func reportEnd(of id: Int) async throws(SpoolerClientError) {
        let job = try await ended(id)
        if output.json {
            let names = JobView.followedNames
            StandardOutput.print(.of(try await spooler.job(id, names), output: job.outputFolder.map(PrintOutput.init)))
        } else if job.state == .completed {
            StandardOutput.print(job.summary + "\n")
            if let folder = job.outputFolder { StandardOutput.print(PrintOutput(folder: folder).text) }
            if let file = job.outputFile { StandardOutput.print(file.printable + "\n") }
        }
        try job.checkCompleted()
    }

    /// Follows a job until it ends, with a progress line on standard error, and returns the ended job.
    func ended(_ id: Int) async throws(SpoolerClientError) -> JobView {
        var line = ProgressLine(width: StandardOutput.progressWidth)
        defer { StandardOutput.show(line.clear()) }
        return try await spooler.follow(id) { job in
            if !job.hasEnded { StandardOutput.show(line.update(job, now: Session.now)) }
        }
    }

    /// Reports the number and the state of a job.
    ///
    /// printd has already stored the job, so a failure of this function is not a failure of the command.
    private func reportState(of id: Int) async {
        guard let group = try? await spooler.job(id, JobView.followedNames) else {
            return output.json
                ? StandardOutput.print(.object([("job-id", .number(id))])) : StandardOutput.print("job \(id)\n")
        }
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let job = JobView(group)
        let state = job.stateWords(now: Session.now)
        StandardOutput.print("job \(id) on \(job.printer): \(job.name.printable) (\(state))\n")
    }
}
