// The command `printq migrate`.

import ArgumentParser
import Glibc
import SpoolConfiguration
import SpoolerClient

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copy the queue to a PostgreSQL database, or back to SQLite.",
        discussion: """
            Copies all jobs with their history and documents, the printers and the accounting to an empty database. \
            Job numbers and event numbers do not change. printd must not run. The old database does not change, and \
            nothing is visible in the new database until the copy is complete. Afterwards, the setting 'store' \
            selects the new database.

              printq migrate --to postgresql://printq@db1/printq
              printq migrate --to sqlite
            """)

    @Option(
        help: ArgumentHelp(
            "The new store: sqlite, or the URI of a PostgreSQL database without a password.", valueName: "store"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database to copy from, with --to sqlite (default: the setting 'store').", valueName: "uri"))
    var from: String?

    @Flag(help: "Moves an existing SQLite database to another folder, with --to sqlite.")
    var force = false

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if to != "sqlite" {
            try Self.check(to, "--to", "sqlite or ")
            if from != nil { throw ValidationError("--from requires --to sqlite") }
            if force { throw ValidationError("--force requires --to sqlite; use an empty PostgreSQL database") }
        }
        if let from { try Self.check(from, "--from", "") }
    }

    /// Checks the URI of a database.
    ///
    /// The error message does not contain the URI, because the URI may contain a password.
    private static func check(_ uri: String, _ option: String, _ other: String) throws {
        guard (try? Setting.store.value(ofArgument: uri)) != nil else {
            throw ValidationError("invalid value for \(option): must be \(other)\(Setting.store.range)")
        }
    }

    func run() throws {
        let place = try session.place
        var options = ["--migrate-to=\(to)"]
        if let from { options.append("--migrate-from=\(from)") }
        if force { options.append("--force") }
        if output.json { options.append("--json") }
        let configuration = place.configuration
        if place.isSystem, access(configuration, F_OK) == 0 { options.append("--configuration=\(configuration)") }
        try session.becomePrintd(options)
    }
}

extension Session {
    /// Replaces this process with `printd`, which contains the database libraries.
    ///
    /// `printd` inherits the standard streams of this process.
    func becomePrintd(_ options: [String]) throws -> Never {
        guard let program = DaemonLauncher.program() else {
            throw SpoolerClientError(
                .unavailable, "cannot find printd; install printd in the folder of printq or in a folder of PATH")
        }
        let words = [program, "--spool", try place.path] + options
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        execv(program, &arguments)
        let number = errno
        throw SpoolerClientError(.unavailable, "cannot start '\(program)': \(String(cString: strerror(number)))")
    }
}
