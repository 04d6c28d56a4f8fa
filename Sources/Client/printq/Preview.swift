// The command `printq preview`, which prints the paths of a job's page images.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the paths of a job's page images.",
        discussion: """
            A file is printed on a simulated printer first. The command refuses to print it on a physical printer. If \
            the name of the file is a number, write it with its folder: ./12.
            """)

    @Argument(help: "The job number or the file.", completion: .file())
    var subject: String
    @OptionGroup var choice: PrinterChoice
    @OptionGroup(title: "Print options, for a file") var options: JobOptions
    @Flag(help: "Open the first page in the desktop's image viewer.")
    var open = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let queue = try session.spooler
        let job: JobView
        if subject.allSatisfy({ $0.isASCII && $0.isNumber }), let id = JobID(argument: subject) {
            job = JobView(try await queue.job(id.number, JobView.followedNames))
        } else {
            job = try await printed(queue)
        }
        guard let folder = job.outputFolder else {
            throw SpoolerClientError(
                .notDone,
                "job \(job.id) has no page images because no simulated printer has printed it; "
                    + "see 'printq show \(job.id)'")
        }
        let pages = PrintOutput(folder: folder).pagePaths
        guard !pages.isEmpty else {
            throw SpoolerClientError(.notDone, "job \(job.id) has no page images yet; see 'printq why \(job.id)'")
        }
        StandardOutput.print(
            output.json
                ? JSONText.object([("job-id", .number(job.id)), ("printq-output-pages", .strings(pages))]).text + "\n"
                : pages.map { $0 + "\n" }.joined())
        if open { try Viewer.open(pages[0]) }
    }

    /// Prints the file on a simulated printer and waits for the pages.
    private func printed(_ queue: Spooler) async throws -> JobView {
        let ticket = try options.ticket(now: Session.now)
        let document = try DocumentFile.named(subject)
        let printer = PrinterView(try await queue.printer(choice.name, PrinterView.attributeNames))
        guard printer.isSimulated else {
            throw SpoolerClientError(
                .usage,
                "\(printer.name) is not a simulated printer; choose a simulated printer with -d")
        }
        var submission = JobSubmission(documents: [document], id: UUID().uuidString)
        submission.printer = printer.name
        submission.ticket = ticket
        let id = try await queue.submit(submission)
        let job = try await SubmissionReport(spooler: queue, output: output).ended(id)
        try job.checkCompleted()
        return job
    }
}
