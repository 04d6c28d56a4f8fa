// Reports submitted jobs immediately, or with --wait when the jobs have ended.

import ArgumentParser
import Glibc
import IPP
import PrintqOutput
import SpoolerClient

/// A reporter that writes the states of submitted jobs to standard output.
struct SubmissionReport {
    let spooler: Spooler
    let json: Bool

    /// Submits a job, and returns its number and its state.
    ///
    /// - Parameter showsProgress: Whether a progress line shows the upload on a terminal.
    static func submit(
        _ submission: JobSubmission, to spooler: Spooler, showsProgress: Bool
    ) async throws(SpoolerClientError) -> (id: Int, job: JobView?) {
        var line = ProgressLine(width: showsProgress ? StandardOutput.progressWidth : nil)
        StandardOutput.show(line.update(uploading: submission.documents.map(\.name)))
        defer { StandardOutput.show(line.clear()) }
        let answer = try await spooler.accepted(submission)
        return (try Spooler.jobID(answer), answer[.job].map(JobView.init))
    }

    /// Shows the state of an accepted job.
    ///
    /// If `waiting` is true, the function waits until the job ends, and then shows the result.
    ///
    /// - Parameter accepted: The job in the response to its submission.
    /// - Throws: An error only if `waiting` is true: `SpoolerClientError` if the job is not completed, or `ExitCode`
    ///   with 130 if the user interrupts the wait.
    func report(_ id: Int, accepted: JobView? = nil, waiting: Bool) async throws {
        if waiting { try await reportEnd(of: id) } else { await reportState(of: id, accepted: accepted) }
    }

    /// Follows a job until the job ends, and shows its final state.
    ///
    /// - Throws: `SpoolerClientError` if the job is not completed (`badDocument` if the document is the cause,
    ///   otherwise `notDone`); `ExitCode` with 130 if the user interrupts the wait.
    private func reportEnd(of id: Int) async throws {
        let job = try await ended(id)
        if json {
            let group = try await spooler.job(id, JobView.endedNames)
            StandardOutput.print(.of(group, output: PrintOutput(group)))
        } else if job.state == .completed {
            StandardOutput.print(job.summary + "\n")
            if job.outputFolder != nil { try await reportFiles(of: id) }
            if let file = job.outputFile { StandardOutput.print(file.printable + "\n") }
        }
        try job.checkCompleted()
    }

    /// Lists the files that a simulated printer has written for a job.
    ///
    /// The list is written to standard output.
    private func reportFiles(of id: Int) async throws {
        guard let files = PrintOutput(try await spooler.job(id, JobView.endedNames)) else { return }
        StandardOutput.print(files.text)
        guard access(files.folder, R_OK) != 0, !files.pagePaths.isEmpty else { return }
        StandardOutput.print("  only printd can read this folder; 'printq preview \(id)' shows the pages\n")
    }

    /// Follows a job until the job ends, with a progress line on standard error.
    ///
    /// Returns the ended job.
    ///
    /// If the user interrupts the wait, the job stays in the queue.
    func ended(_ id: Int) async throws -> JobView {
        do {
            return try await untilInterrupted { () async -> Result<JobView, SpoolerClientError> in
                var line = ProgressLine(width: StandardOutput.progressWidth)
                defer { StandardOutput.show(line.clear()) }
                do throws(SpoolerClientError) {
                    return .success(
                        try await spooler.follow(
                            id, onPast: { StandardOutput.show(line.update($0, now: Session.now)) },
                            onLook: { job in
                                if !job.hasEnded { StandardOutput.show(line.update(job, now: Session.now)) }
                            }))
                } catch {
                    return .failure(error)
                }
            }.get()
        } catch let code as ExitCode {
            StandardOutput.complain(
                "interrupted; job \(id) stays in the queue: 'printq watch \(id)' follows the job, "
                    + "'printq cancel \(id)' cancels the job")
            throw code
        }
    }

    /// Shows the number and the state of a job.
    ///
    /// printd has already stored the job. Therefore the command succeeds even if this function fails.
    private func reportState(of id: Int, accepted: JobView?) async {
        // The time until which a job is held is not in the response to the submission.
        if !json, let job = accepted, job.state != .pendingHeld, !job.printer.isEmpty { return show(job) }
        guard let group = try? await spooler.job(id, JobView.followedNames) else {
            return json
                ? StandardOutput.print(.object([("job-id", .number(id))])) : StandardOutput.print("job \(id)\n")
        }
        if json { return StandardOutput.print(JSONText(group.attributes)) }
        show(JobView(group))
    }

    private func show(_ job: JobView) {
        let state = job.stateText(now: Session.now)
        StandardOutput.print("job \(job.id) on \(job.printer): \(job.name.printable) (\(state))\n")
    }
}
