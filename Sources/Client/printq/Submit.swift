// The command `printq submit`, which prints documents.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Submit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Print documents.",
        discussion: """
            Several files become one job with several documents, as with lp. '-' is standard input. An http:, https: \
            or data: address is fetched first, with the resources of the page. When the command returns, the job is \
            stored on disk. Interrupting --wait leaves the job in the queue. A password opens every encrypted file; \
            printd deletes it when the job ends. With --pin, the job waits until 'printq release' or a release station \
            releases it, and its documents are deleted when it ends.
            """,
        aliases: ["print"])

    @Argument(help: "The files or web addresses to print; '-' is standard input.", completion: .file())
    var files: [String]

    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("The job name (default: the name of the first file).", valueName: "name"))
    var title: String?
    @OptionGroup var secret: PasswordChoice
    @OptionGroup var release: PinChoice
    @Flag(help: "Allows web addresses of this machine and of private networks.")
    var allowPrivate = false
    @OptionGroup(title: "Print options") var options: JobOptions
    @Flag(help: "Waits until the job ends and shows the progress; fails if the job is not completed.")
    var wait = false
    @OptionGroup var session: ReportChoice

    func run() async throws {
        let ticket = try options.ticket(now: Session.now, acceptsPin: true)
        guard files.filter({ $0 == "-" }).count < 2 else {
            throw SpoolerClientError(.usage, "standard input can be printed only once; give '-' once")
        }
        let printer = try choice.name
        let password = try secret.read(isInputTaken: files.contains("-"))
        let pin = try release.read(isInputTaken: files.contains("-")) ?? options.pin()
        // The fetched files are removed with these objects.
        var pages: [WebDocumentFile] = []
        defer { withExtendedLifetime(pages) {} }
        let documents = try files.map { argument in
            guard WebDocumentFile.isAddress(argument) else { return try DocumentFile.named(argument) }
            let size = ticket.media.map { (width: $0.width.points, height: $0.height.points) }
            let page = try WebDocumentFile(argument, allowsPrivate: allowPrivate, pageSize: size)
            for notice in page.notices { StandardOutput.complain(notice) }
            pages.append(page)
            return try DocumentFile(path: page.path)
        }
        var submission = JobSubmission(documents: documents, id: UUID().uuidString)
        submission.printer = printer
        (submission.documentPassword, submission.pin) = (password, pin)
        submission.title = title
        submission.ticket = ticket
        let queue = try session.spooler
        let (id, job) = try await SubmissionReport.submit(submission, to: queue, showsProgress: wait)
        try await SubmissionReport(spooler: queue, json: session.json).report(id, accepted: job, waiting: wait)
    }
}
