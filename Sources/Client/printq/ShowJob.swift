// The commands `printq show` and `printq why`, which describe one job.

import ArgumentParser
import IPP
import PrintqOutput
import SpoolerClient

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the state, options and events of a job.")

    @Argument(help: "The job number.", completion: .jobs)
    var id: JobID
    @OptionGroup var session: ReportChoice

    func run() async throws {
        let names = session.json ? JobDetails.jsonNames : JobDetails.attributeNames
        let group = try await session.spooler.job(id.number, names)
        if session.json { return StandardOutput.print(.of(group, output: PrintOutput(group))) }
        StandardOutput.print(JobDetails(group).text(now: Session.now))
    }
}

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain why a job is waiting and what happens next.")

    @Argument(help: "The job number.", completion: .jobs)
    var id: JobID
    @OptionGroup var session: ReportChoice

    func run() async throws {
        let names = [
            "job-id", "job-state", "job-state-reasons", "job-state-message", "printq-why", "printq-condition",
        ]
        let group = try await session.spooler.job(id.number, names)
        if session.json { return StandardOutput.print(JSONText(group.attributes)) }
        let job = JobView(group)
        let words = job.explanation
        let state = "job \(id.number) is \(job.stateText(now: Session.now))"
        let isWithheld = group["printq-why"] == nil && group["job-state-message"] == nil
        let rest = isWithheld ? "; only the job's owner and administrators may see the reason" : ""
        StandardOutput.print((words.isEmpty ? state + rest : words) + "\n")
    }
}
