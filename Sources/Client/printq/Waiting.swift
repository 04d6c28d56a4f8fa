// --wait: follows a job to its end.

import IPP
import PrintqOutput
import SpoolerClient

/// Follows jobs to their end, with a progress line on standard error.
struct Waiting {
    let queue: Spooler
    let output: OutputChoice

    /// Follows a job, and says what became of it.
    ///
    /// - Throws: `SpoolerClientError` when it was not completed: with `badDocument` when its document is why, else `notDone`.
    func wait(for id: Int) async throws(SpoolerClientError) {
        let job = try await ended(id)
        if output.json {
            let names = JobView.followedNames
            StandardOutput.print(.of(try await queue.job(id, names), output: job.outputFolder.map(PrintOutput.init)))
        } else if job.state == .completed {
            StandardOutput.print(job.summary + "\n")
            if let folder = job.outputFolder { StandardOutput.print(PrintOutput(folder: folder).text) }
            if let file = job.outputFile { StandardOutput.print(file.printable + "\n") }
        }
        try job.checkCompleted()
    }

    /// The job when it has ended.
    func ended(_ id: Int) async throws(SpoolerClientError) -> JobView {
        var line = ProgressLine(width: StandardOutput.progressWidth)
        defer { StandardOutput.show(line.clear()) }
        return try await queue.follow(id) { job in
            if !job.hasEnded { StandardOutput.show(line.update(job, now: Session.now)) }
        }
    }
}

extension OutputChoice {
    /// Says what became of a job that was accepted: at once, or when it has ended.
    ///
    /// - Throws: `SpoolerClientError` when it was waited for and not completed.
    func report(_ id: Int, in queue: Spooler, waiting: Bool) async throws(SpoolerClientError) {
        guard waiting else { return await report(id, queue) }
        try await Waiting(queue: queue, output: self).wait(for: id)
    }

    /// Says what the job is called; the job is kept already, so nothing fails here any more.
    private func report(_ id: Int, _ queue: Spooler) async {
        guard let group = try? await queue.job(id, JobView.followedNames) else {
            return json
                ? StandardOutput.print(.object([("job-id", .number(id))])) : StandardOutput.print("job \(id)\n")
        }
        if json { return StandardOutput.print(JSONText(group.attributes)) }
        let job = JobView(group)
        let state = job.stateWords(now: Session.now)
        StandardOutput.print("job \(id) on \(job.printer): \(job.name.printable) (\(state))\n")
    }
}
