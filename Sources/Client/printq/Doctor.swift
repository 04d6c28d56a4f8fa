// The command `printq doctor`, which checks the spooler and its printers.

import ArgumentParser
import PrintqOutput
import SpoolReports
import SpoolerClient

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the spooler, its tools and its printers.",
        discussion: """
            Each check has the result ok, warning or error, and the command that fixes a problem. Exits with code 1 if \
            a check finds an error, otherwise with code 0. Does not start printd: if printd is not running, the \
            printers are not checked.

            With --bundle, writes an archive for people who help you: the results, versions, settings, printers, \
            events and the log. The archive contains no documents, passwords or tokens, and no names of users or jobs.
            """)

    /// The value of `--bundle` if the user gives no file name.
    private static let usualFile = "printq-support-TIME.tar.gz"

    @Option(
        defaultAsFlag: Self.usualFile, parsing: .next,
        help: ArgumentHelp("The path of a new support bundle.", valueName: "file"), completion: .file())
    var bundle: String?
    @Flag(help: "Keeps the names of users, jobs and documents in the bundle.")
    var withNames = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if withNames, bundle == nil { throw ValidationError("--with-names requires --bundle") }
    }

    func run() async throws {
        let place = try session.place
        let report = await DoctorRun(of: place).report()
        if let bundle { return try await write(report, place, to: bundle == Self.usualFile ? "" : bundle) }
        if output.json {
            StandardOutput.print(report.json)
        } else {
            StandardOutput.print(report.text(isStyled: StandardOutput.isStyled))
        }
        guard report.count(.error) == 0 else { throw ExitCode(SpoolerClientError.Code.notDone.exitCode) }
    }

    /// Writes the support bundle, and shows the path and the contents of the bundle.
    private func write(_ report: DoctorReport, _ place: SpoolLocation, to file: String) async throws {
        let bundle = SupportBundle(of: place, path: file, keepsNames: withNames, now: Session.now)
        let entries = try await bundle.write(report)
        if output.json {
            let files = entries.map { entry in
                JSONText.object([("name", .string(entry.name)), ("description", .string(entry.description))])
            }
            return StandardOutput.print(.object([("bundle", .string(bundle.path)), ("files", .array(files))]))
        }
        StandardOutput.print("\(report.summary)\nwrote \(bundle.path.printable), which contains:\n")
        StandardOutput.print(entries.map { "  \($0.name): \($0.description)\n" }.joined())
        let contents =
            withNames
            ? "names of users and jobs, but no documents or passwords"
            : "no documents, no passwords, and no names of users or jobs"
        StandardOutput.print("The bundle contains \(contents).\n")
    }
}
