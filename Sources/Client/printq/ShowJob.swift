// printq show and printq why: one job.

import ArgumentParser
import IPP
import PrintqOutput
import SpoolerClient

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show everything about a job: its state, its options, what happened to it.")

    @Argument(help: "The job's number.")
    var id: JobID
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let group = try await session.spooler.job(id.number, JobDetails.attributeNames)
        if output.json {
            let folder = JobView(group).outputFolder
            return StandardOutput.print(.of(group, output: folder.map(PrintOutput.init)))
        }
        StandardOutput.print(JobDetails(group).text(now: Session.now))
    }
}

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why a job waits, and what will happen next.")

    @Argument(help: "The job's number.")
    var id: JobID
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let names = ["job-id", "job-state", "job-state-reasons", "job-state-message", "printq-why"]
        let group = try await session.spooler.job(id.number, names)
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let job = JobView(group)
        let words = job.why.isEmpty ? job.message : job.why
        let state = "job \(id.number) is \(job.stateWords(now: Session.now))"
        let isWithheld = group["printq-why"] == nil && group["job-state-message"] == nil
        let rest = isWithheld ? "; only its owner and administrators are told why" : ""
        StandardOutput.print((words.isEmpty ? state + rest : words) + "\n")
    }
}
