// --wait: follows a job to its end.

import IPP
import PrintCommands
import PrintQueue

/// Follows jobs to their end, with a progress line on standard error.
struct Waiting {
    let queue: Queue
    let output: OutputChoice

    /// Follows a job, and says what became of it.
    ///
    /// - Throws: `CommandError` when it was not completed: with `badDocument` when its document is why, else `notDone`.
    func wait(for id: Int) async throws(CommandError) {
        let job = try await ended(id)
        if output.json {
            let names = JobView.followedNames
            Terminal.print(.of(try await queue.job(id, names), output: job.outputFolder.map(PrintOutput.init)))
        } else if job.state == .completed {
            Terminal.print(job.summary + "\n")
            if let folder = job.outputFolder { Terminal.print(PrintOutput(folder: folder).text) }
            if let file = job.outputFile { Terminal.print(file.printable + "\n") }
        }
        try job.checkCompleted()
    }

    /// The job when it has ended.
    func ended(_ id: Int) async throws(CommandError) -> JobView {
        var line = ProgressLine(width: Terminal.progressWidth)
        defer { Terminal.show(line.clear()) }
        return try await queue.follow(id) { job in
            if !job.hasEnded { Terminal.show(line.update(job, now: Session.now)) }
        }
    }
}
