// The command `printq init`, which creates a private spool.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput
import SpoolConfiguration
import SpoolerClient

struct InitSpool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a private spool.",
        discussion: """
            A private spool has its own printers, jobs and settings, and only you can use it. To use it instead of \
            the system spooler, set PRINTQ_SPOOL to its folder. The first command that requires printd starts printd.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder (default: $PRINTQ_SPOOL, else $XDG_STATE_HOME/printq, else ~/.local/state/printq).",
            valueName: "folder"))
    var folder: String?
    @OptionGroup var output: OutputChoice

    func run() throws {
        let place = try SpoolLocation.privatePlace(named: folder)
        let path = place.path.printable
        guard !place.isSystem else {
            throw SpoolerClientError(
                .usage, "'\(path)' is the folder of the system spooler; choose another folder")
        }
        let selection = "export PRINTQ_SPOOL=\(Self.quoted(place.path))"
        let names = try? FileManager.default.contentsOfDirectory(atPath: place.path)
        if let names, names.contains("spool.sqlite") || names.contains("printd.json5") {
            throw SpoolerClientError(
                .notDone, "'\(path)' is already a spool, and was not changed; '\(selection)' selects the spool")
        }
        guard names?.isEmpty ?? true else {
            throw SpoolerClientError(.usage, "the folder '\(path)' is not empty; choose an empty or new folder")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: place.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SpoolerClientError(.output, "cannot create the folder '\(path)'; choose another folder", cause: error)
        }
        // An existing empty folder may be open to others, or belong to another user.
        let folder = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        var status = stat()
        guard fstat(folder, &status) == 0, status.st_uid == geteuid() || geteuid() != 0,
            fchmod(folder, 0o700) == 0
        else {
            let isForeign = folder >= 0 && status.st_uid != geteuid()
            let reason = isForeign ? "it belongs to another user" : String(cString: strerror(errno))
            throw SpoolerClientError(.noPermission, "cannot make the folder '\(path)' private: \(reason)")
        }
        do throws(ConfigurationFile.ChangeError) {
            try ConfigurationFile(path: place.configuration).write(Setting.sampleFile)
        } catch {
            throw SpoolerClientError(.output, error.description.printable, cause: error)
        }
        if output.json {
            return StandardOutput.print(
                .object([("spool", .string(place.path)), ("configuration", .string(place.configuration))]))
        }
        StandardOutput.print(
            """
            created the private spool '\(path)'
              select it      \(selection)
              configuration  \(place.configuration.printable)

            """)
    }

    /// Returns a path, quoted for a shell if necessary.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
                || "/._-+:@".utf8.contains(byte)
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
