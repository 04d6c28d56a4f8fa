// The commands `printq resume` and `printq reprint`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Continue a suspended job, optionally from a specified side.",
        discussion: """
            printd suspends a job that was interrupted, for example by a restart of the printer, because printd \
            cannot know how many sides were printed. Check the printed sheets. Then 'resume' continues with the first \
            side that was not reported as printed, 'resume --from 7' continues with side 7, 'reprint' prints the whole \
            job, and 'cancel' cancels the job. Sides are counted over all copies in the order of printing, without \
            blank backs; with one copy and one page on each side, side 7 is page 7. With two-sided printing, the whole \
            sheet is printed. To resume a paused printer, use 'printq printers resume'.
            """)

    @Argument(help: "The job number.")
    var id: String
    @Option(
        help: ArgumentHelp(
            "The side to continue with (default: the first side that the printer has not reported as printed).",
            valueName: "side"))
    var from: Int?
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws { try from?.checkPage() }

    func run() async throws {
        guard let id = JobID(argument: id)?.number else {
            throw SpoolerClientError(
                .usage,
                ConfiguredPrinter.isValidName(id)
                    ? "'\(id)' is not a job number; resume a printer with 'printq printers resume \(id)'"
                    : "'\(id.printable)' is not a job number; see 'printq queue'")
        }
        let queue = try session.spooler
        try await queue.resume(id, from: from)
        let group = try await queue.job(id, JobView.resumedNames)
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let job = JobView(group)
        StandardOutput.print("job \(id) continues with \(job.resumeText) on \(job.printer)\n")
    }
}

struct Reprint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reprint",
        abstract: "Print an ended job again.",
        discussion: """
            The stored documents become a new job with the same options; options given here override them. A suspended \
            job is not copied: it is printed again from its beginning.
            """)

    @Argument(help: "The job number.", completion: .endedJobs)
    var id: JobID
    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("The side to begin with, counted as in 'printq resume'.", valueName: "side"))
    var from: Int?
    @Option(help: ArgumentHelp("The name of the new job (default: the old name).", valueName: "name"))
    var title: String?
    @OptionGroup var secret: PasswordChoice
    @OptionGroup(title: "Print options") var options: JobOptions
    @Flag(help: "Waits until the job ends and shows the progress; fails if the job is not completed.")
    var wait = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws { try from?.checkPage() }

    func run() async throws {
        var reprint = JobReprint(job: id.number)
        reprint.printer = try choice.name
        reprint.title = title
        reprint.ticket = try options.ticket(now: Session.now)
        reprint.from = from
        reprint.documentPassword = try secret.read(isInputTaken: false)
        let queue = try session.spooler
        try await SubmissionReport(spooler: queue, json: output.json).report(
            try await queue.reprint(reprint), waiting: wait)
    }
}

extension Int {
    /// Throws `ValidationError` if the number is not a valid value of the option `--from`.
    fileprivate func checkPage() throws {
        guard (1...Int(Int32.max)).contains(self) else {
            throw ValidationError("invalid value '\(self)' for --from; expected 1 or more")
        }
    }
}
