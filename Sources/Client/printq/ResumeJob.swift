// printq resume and printq reprint: how a job goes on, or is printed once more.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let a suspended job go on, from a page.",
        discussion: """
            A job is suspended when nobody but you can know how much of it was printed: its printer was lost or restarted \
            in the middle. Look at the paper; then 'resume' goes on with the first page that was not seen printed, \
            'resume --from 7' with page 7, 'reprint' prints all of it, 'cancel' gives it up. Pages are counted \
            over all copies in the order in which they are printed; with several pages on a side, the sides are counted. \
            Blank backs are not counted. On two-sided paper the whole sheet is printed. To let a paused printer go on, use \
            'printq printers resume'.
            """)

    @Argument(help: "The job's number.")
    var id: String
    @Option(help: ArgumentHelp("The page to go on with (default: the first not seen printed).", valueName: "page"))
    var from: Int?
    @OptionGroup var session: Session

    func validate() throws { try from?.checkPage() }

    func run() async throws {
        guard let id = JobID(argument: id)?.number else {
            throw SpoolerClientError(
                .usage,
                ConfiguredPrinter.isValidName(id)
                    ? "'\(id)' is no job's number; a printer goes on with 'printq printers resume \(id)'"
                    : "'\(id.printable)' is no job's number; see 'printq queue'")
        }
        let queue = try session.spooler
        try await queue.resume(id, from: from)
        let job = JobView(try await queue.job(id, JobView.resumedNames))
        StandardOutput.print("job \(id) goes on with \(job.resumeWords) on \(job.printer)\n")
    }
}

struct Reprint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a job that has ended once more.",
        discussion: """
            The documents that were kept become a new job, with the same options but for those given here. A suspended job \
            is printed from its beginning, as the same job.
            """)

    @Argument(help: "The job's number.")
    var id: JobID
    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("Begin with this page, as 'printq resume' counts them.", valueName: "page"))
    var from: Int?
    @Option(help: ArgumentHelp("The new job's name (default: the old one's).", valueName: "name"))
    var title: String?
    @OptionGroup(title: "Print options") var options: JobOptions
    @Flag(help: "Wait until the job has ended, showing its progress; fails when it is not completed.")
    var wait = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws { try from?.checkPage() }

    func run() async throws {
        var reprint = JobReprint(job: id.number, id: UUID().uuidString)
        reprint.printer = try choice.name
        reprint.title = title
        reprint.ticket = try options.ticket(now: Session.now)
        reprint.from = from
        let queue = try session.spooler
        try await SubmissionReport(spooler: queue, output: output).report(
            try await queue.reprint(reprint), waiting: wait)
    }
}

extension Int {
    /// Refuses what is no page's number.
    fileprivate func checkPage() throws {
        guard (1...Int(Int32.max)).contains(self) else {
            throw ValidationError("--from takes a page, counted from 1, not \(self)")
        }
    }
}
