// The command `printq import`, which adds exported printers and settings to a spool.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import PrintModel
import PrintqOutput
import SpoolConfiguration
import SpoolExport
import SpoolerClient

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the printers and settings of an export.",
        discussion: """
            The whole file is checked before anything changes. Printers and settings that are not in the file are kept. \
            Existing printers and settings with other values are kept too, unless --replace is given. The command can \
            be repeated. Only administrators can import printers, and only root can change the settings of the system \
            spooler. Logins at printers are not in the file; 'printq printers login' saves them.

              printq import --dry-run printers.json
              printq import --replace printers.json
            """)

    @Argument(help: "The file; '-' for standard input.", completion: .file())
    var file: String
    @Flag(help: "Shows the changes, and changes nothing.")
    var dryRun = false
    @Flag(help: "Overwrites existing printers and settings whose values differ from the file.")
    var replace = false
    @Flag(help: "Imports only the printers.")
    var printersOnly = false
    @Flag(help: "Imports only the settings and document types.")
    var settingsOnly = false
    @Flag(help: "Queries each printer first, and stops if a printer does not respond.")
    var check = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var choice: ConfigurationChoice

    /// The maximum size of an export document in bytes.
    private static let largest = 16 << 20

    func validate() throws {
        if printersOnly, settingsOnly {
            throw ValidationError("--printers-only cannot be combined with --settings-only")
        }
    }

    func run() async throws {
        let bytes = try read()
        let path = try await choice.usedPath()
        var new: ExportedSpool
        do throws(ImportProblems) {
            new = try ExportedSpool(reading: bytes, configuration: path)
        } catch {
            for problem in error.problems {
                StandardOutput.show("\(file == "-" ? "standard input" : file): \(problem)\n")
            }
            let count = error.problems.count
            throw SpoolerClientError(
                .configuration, "nothing was imported: \(count == 1 ? "1 problem" : "\(count) problems")", cause: error)
        }
        if printersOnly { (new.settings, new.documentTypes, new.quotas) = ([:], [], []) }
        if settingsOnly { (new.printers, new.quotas) = ([], []) }
        let old = try await choice.exportedSpool { _ in }
        let plan = ImportPlan(new, into: old, replaces: replace)
        var run = ImportRun(plan, path: path, choice: choice, checks: check)
        if !dryRun { await run.carryOut() }
        StandardOutput.print(
            output.json ? run.json(isDryRun: dryRun).text + "\n" : run.text(isDryRun: dryRun))
        if let failure = run.failure { throw failure }
    }

    private func read() throws(SpoolerClientError) -> [UInt8] {
        let source = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure() }
        defer { close(source) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.largest else {
                throw SpoolerClientError(
                    .configuration, "'\(file.printable)' is larger than \(Self.largest >> 20) MiB")
            }
        }
    }

    private func failure() -> SpoolerClientError {
        let code = errno
        return SpoolerClientError(
            code == EACCES ? .noPermission : .noInput,
            "cannot read '\(file.printable)': \(String(cString: strerror(code)))")
    }
}
