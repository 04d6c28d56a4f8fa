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
        let group = try await session.spooler.job(id.number, JobExplanation.attributeNames)
        if session.json { return StandardOutput.print(JSONText(group.attributes)) }
        StandardOutput.print("\(JobExplanation(group))\n")
    }
}
