// printq submit: documents into the queue.

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
            Several files make one job with several documents, as with lp; '-' is standard input. When printq returns, \
            the job is on the disk and will not be lost. Interrupting --wait leaves the job in the queue.
            """,
        aliases: ["print"])

    @Argument(help: "What to print; '-' is standard input.", completion: .file())
    var files: [String]

    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("The job's name (default: the first file's).", valueName: "name"))
    var title: String?
    @OptionGroup(title: "Print options") var options: JobOptions
    @Flag(help: "Wait until the job has ended, showing its progress; fails when it is not completed.")
    var wait = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let ticket = try options.ticket(now: Session.now)
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw SpoolerClientError(.usage, "standard input can be printed only once; name '-' once")
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
