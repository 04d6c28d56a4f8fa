// The command `printq preview`, which shows documents before they are printed, and the page images of a job.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintIPP
import PrintqOutput
import PrintModel
import SpoolerClient
import TerminalImages

struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show documents as they would be printed, or the paths of a job's page images.",
        discussion: """
            Nothing is printed. On a terminal, the pages are shown one by one: n and p show the next and the previous \
            page, Tab and P the next and the previous file, t shows thumbnails, q quits. Otherwise the command lists \
            the types, pages and papers of the files.

            A job number shows the paths of the page images that a simulated printer has printed. If the name of a \
            file is a number, write it with its folder: ./12.
            """)

    @Argument(help: "The files, or a job number; '-' is standard input.", completion: .file())
    var subjects: [String]
    @OptionGroup var choice: PrinterChoice
    @OptionGroup(title: "Print options, for files") var options: JobOptions
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("Write the page images to a folder, and print their paths.", valueName: "folder"))
    var outputFolder: String?
    @Option(help: ArgumentHelp("The resolution of the page images, in dots per inch.", valueName: "dpi"))
    var resolution = 100
    @Option(help: ArgumentHelp("The maximum number of page images for each file.", valueName: "sides"))
    var limit = 100
    @Flag(help: "List the files with thumbnails, instead of showing one page after another.")
    var list = false
    @Flag(help: "Open the first page in the desktop's image viewer.")
    var open = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        if subjects.count == 1, subjects[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let id = JobID(argument: subjects[0])
        {
            return try await showJob(id.number)
        }
        guard (10...600).contains(resolution) else {
            throw SpoolerClientError(.usage, "the resolution must be between 10 and 600 dots per inch")
        }
        guard (1...10_000).contains(limit) else {
            throw SpoolerClientError(.usage, "the limit must be between 1 and 10000 sides")
        }
        guard subjects.filter({ $0 == "-" }).count < 2 else {
            throw SpoolerClientError(.usage, "standard input can be shown only once; give '-' once")
        }
        let ticket = try options.ticket(now: Session.now)
        var printer: PrinterCapabilities?
        if let name = try choice.name {
            printer = PrinterCapabilities(
                attributes: try await session.spooler.printer(name, PrinterCapabilities.attributeNames))
        }
        let screen = PreviewScreen(
            list: list, json: output.json, hasFolder: outputFolder != nil, opens: open,
            readsInput: subjects.contains("-"))
        let work = try PreviewWork(
            files: subjects, ticket: ticket, printer: printer, folder: outputFolder, resolution: resolution,
            limit: screen.imageLimit(limit))
        defer { work.end() }
        try screen.show(work)
    }

    /// Prints the paths of the page images of a job.
    private func showJob(_ number: Int) async throws {
        let job = JobView(try await session.spooler.job(number, JobView.followedNames))
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
}
