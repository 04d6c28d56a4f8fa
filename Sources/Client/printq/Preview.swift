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
        commandName: "preview",
        abstract: "Show documents as they would be printed, or the pages of a job.",
        discussion: """
            Nothing is printed. On a terminal, the pages are shown one by one: n and p show the next and the previous \
            page, Tab and P the next and the previous file, t shows thumbnails, q quits. Otherwise the command lists \
            the types, pages and papers of the files.

            A job number shows the sides of the job's sheets, for the owner of the job and administrators. Programs \
            get the paths of the page images of a simulated printer, if they can read the spool; otherwise --output \
            writes images of at most 96 dots per inch. If the name of a file is a number, write it with its folder: \
            ./12.
            """)

    @Argument(help: "The files, or a job number; '-' is standard input.", completion: .file())
    var subjects: [String]
    @OptionGroup var choice: PrinterChoice
    @OptionGroup(title: "Print options, for files") var options: JobOptions
    @OptionGroup var secret: PasswordChoice
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "The folder for the page images; the command lists the paths of the images.", valueName: "folder"))
    var outputFolder: String?
    @Option(help: ArgumentHelp("The resolution of the page images, in dots per inch.", valueName: "dpi"))
    var resolution = 100
    @Option(help: ArgumentHelp("The maximum number of page images for each file.", valueName: "sides"))
    var limit = 100
    @Flag(help: "Replaces the page images of an earlier preview in the folder (with --output).")
    var force = false
    @Flag(help: "Lists the files with thumbnails, instead of showing one page after another.")
    var list = false
    @Flag(help: "Opens the first page in the desktop's image viewer.")
    var open = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        guard (10...600).contains(resolution) else {
            throw SpoolerClientError(
                .usage, "invalid value '\(resolution)' for --resolution; expected 10 to 600 dots per inch")
        }
        guard (1...10_000).contains(limit) else {
            throw SpoolerClientError(.usage, "invalid value '\(limit)' for --limit; expected 1 to 10000 sides")
        }
        if subjects.count == 1, subjects[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let id = JobID(argument: subjects[0])
        {
            return try await showJob(id.number)
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
        let screen = screen()
        let work = try PreviewWork(
            files: subjects, password: try secret.read(isInputTaken: subjects.contains("-")), ticket: ticket,
            printer: printer, spool: try? session.place.path, folder: outputFolder,
            replaces: force,
            resolution: resolution, limit: screen.imageLimit(limit))
        defer { work.end() }
        try screen.show(work)
    }

    private func screen() -> PreviewScreen {
        PreviewScreen(
            list: list, json: output.json, hasFolder: outputFolder != nil, opens: open,
            readsInput: subjects.contains("-"))
    }

    /// Shows the pages of a job.
    ///
    /// If the output is a list of paths, and the user can read the output folder of the simulated printer, this method
    /// lists the page images in the folder. Otherwise printd draws the pages.
    private func showJob(_ number: Int) async throws {
        let group = try await session.spooler.job(number, JobView.followedNames)
        let screen = screen()
        let files = outputFolder == nil && screen.listsPaths ? PrintOutput(group)?.pagePaths ?? [] : []
        guard files.isEmpty else { return try show(files, of: number) }
        let temporary = try TemporaryFolder.make()
        defer { TemporaryFolder.remove(temporary) }
        let download = JobPageDownload(ofJob: number, at: try session.place, folder: temporary)
        let pages = try await download.pages()
        let preview = JobPreview(
            job: JobView(group), download: download, pages: pages,
            folder: try outputFolder.map(PreviewWork.makeFolder) ?? temporary, resolution: resolution, replaces: force)
        let result = try await untilInterrupted { [limit] () async -> Result<Void, any Error> in
            do {
                return .success(try await screen.show(preview, limit: limit))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Writes the paths of the page images in the output folder to standard output.
    private func show(_ files: [String], of job: Int) throws {
        StandardOutput.print(
            output.json
                ? JSONText.object([("job-id", .number(job)), ("printq-output-pages", .strings(files))]).text + "\n"
                : files.map { $0 + "\n" }.joined())
        if open { try Viewer.open(files[0]) }
    }
}
