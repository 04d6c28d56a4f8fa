// The command `printq submit`, which prints documents.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Submit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print documents.",
        discussion: """
            Several files become one job with several documents, as with lp. '-' is standard input. When the command \
            returns, the job is stored on disk. Interrupting --wait leaves the job in the queue.
            """,
        aliases: ["print"])

    @Argument(help: "The files to print; '-' is standard input.", completion: .file())
    var files: [String]

    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("The job name (default: the name of the first file).", valueName: "name"))
    var title: String?
    @OptionGroup(title: "Print options") var options: JobOptions
    @Flag(help: "Wait until the job ends and show its progress; fail if the job is not completed.")
    var wait = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let ticket = try options.ticket(now: Session.now)
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw SpoolerClientError(.usage, "standard input can be printed only once; give '-' once")
        }
        let printer = try choice.name
        let documents = try files.map { try DocumentFile.named($0) }
        var submission = JobSubmission(documents: documents, id: UUID().uuidString)
        submission.printer = printer
        submission.title = title
        submission.ticket = ticket
        let queue = try session.spooler
        try await SubmissionReport(spooler: queue, output: output).report(
            try await queue.submit(submission), waiting: wait)
    }
}
