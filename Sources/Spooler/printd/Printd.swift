// Defines the command line of printd.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPPServer
import Logging
import PrintBackends
import PrintModel
import PrintSpool
import ProcessLaunch
import SpoolConfiguration
import Systemd

@main
struct Printd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printd",
        abstract: "Manage the print queue of one spool.",
        discussion: """
            printq starts printd when necessary. Start printd yourself, or from systemd, to keep it running. When \
            printd is ready, it writes one line of JSON to standard output.
            """,
        version: Release.text(of: "printd"))

    @Option(help: "The folder of the spool (default: $PRINTQ_SPOOL, $XDG_STATE_HOME/printq, ~/.local/state/printq).")
    var spool: String?

    @Option(help: "The path of the Unix socket for printq (default: printd.sock in the spool).")
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The configuration file (default: printd.json5 in the folder of the spool).", valueName: "file"))
    var configuration: String?

    @Option(
        help: """
            An additional TCP address on the loopback interface for lp and other clients: 127.0.0.1:PORT, [::1]:PORT, \
            or localhost:PORT for both (default: listen in the configuration, else no TCP port). If the port is \
            taken, printd does not start.
            """)
    var listen: String?

    @Flag(help: "Disables TCP, also for the Print Center; printd ignores 'listen' in the configuration.")
    var noTCP = false

    @Option(
        help: ArgumentHelp(
            """
            The PostgreSQL database for the queue and its documents, without a password: \
            postgresql://USER@HOST/DATABASE (default: store in the configuration, else SQLite in the spool).
            """, valueName: "uri"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            The unique name of this host among the hosts that share the database (default: hostName in the \
            configuration, else the host name of this machine).
            """, valueName: "name"))
    var hostName: String?

    @Option(
        help: """
            The time in seconds without jobs and requests after which printd exits; with 0, printd never exits \
            (default: idleExitSeconds in the configuration).
            """)
    var idleExit: Double?

    @Option(help: "The folder with the definitions of the simulated printers; printd passes the folder to printsim.")
    var simulators: String?

    @Option(help: "The speed of the simulated printers: instant, x1 or xN; printd passes the speed to printsim.")
    var simulatorSpeed: String?

    @Option(
        help: """
            The address of the cupsd for cups:NAME printers: HOST[:PORT], or the path of a socket (default: \
            $CUPS_SERVER, else /run/cups/cups.sock).
            """)
    var cups: String?

    @Flag(
        help: """
            Starts printd for a client. printd exits after 600 seconds without jobs and requests, unless \
            idleExitSeconds is configured. If the previous printd of this spool was killed, printd ignores the given \
            options and uses the options of the previous printd. In that case, printd also starts if the TCP port is \
            in use. printq uses this flag.
            """)
    var onDemand = false

    @Flag(help: "Writes the number of unfinished jobs in the spool and exits; printd must not be running.")
    var countJobs = false

    @Flag(
        help: """
            Checks the workers and the converters, writes the results to standard output as JSON, and exits without \
            opening the spool. 'printq doctor' uses this flag if printd is not running.
            """)
    var check = false

    @Option(
        help: ArgumentHelp(
            "The backup from which printd restores the spool before it exits; '-' is standard input. 'printq restore' "
                + "uses this option.",
            valueName: "file"))
    var restore: String?

    @Option(
        help: ArgumentHelp(
            """
            The store to which printd copies the queue before it exits: sqlite, or the URI of an empty PostgreSQL \
            database. 'printq migrate' uses this option.
            """, valueName: "store"))
    var migrateTo: String?

    @Option(
        help: ArgumentHelp(
            """
            The PostgreSQL database from which --migrate-to copies the queue (default: store in the configuration).
            """, valueName: "uri"))
    var migrateFrom: String?

    @Flag(
        help: """
            Renames the folder of an existing spool (with --restore), or moves an existing SQLite database to another \
            folder (with --migrate-to sqlite).
            """)
    var force = false

    @Flag(help: "Writes the result as JSON (with --migrate-to).")
    var json = false

    func validate() throws {
        if force, restore == nil, migrateTo != "sqlite" {
            throw ValidationError("--force requires --restore or --migrate-to sqlite")
        }
        if json, migrateTo == nil { throw ValidationError("--json requires --migrate-to") }
        if migrateFrom != nil, migrateTo != "sqlite" {
            throw ValidationError("--migrate-from requires --migrate-to sqlite")
        }
        if let migrateTo, migrateTo != "sqlite" { try Self.check(migrateTo, "--migrate-to", "sqlite or ") }
        if let migrateFrom { try Self.check(migrateFrom, "--migrate-from", "") }
        if let problem = options.problem { throw ValidationError(problem) }
    }

    /// Checks the URI of a database.
    ///
    /// The error message does not contain the URI, because the URI may contain a password.
    private static func check(_ uri: String, _ option: String, _ other: String) throws {
        guard (try? Setting.store.value(ofArgument: uri)) == nil else { return }
        throw ValidationError("invalid value for \(option): must be \(other)\(Setting.store.range)")
    }

    /// The run options from the command line.
    private var options: RunOptions {
        RunOptions(
            listen: listen, socket: socket.map(Self.absolute), store: store,
            hostName: hostName, noTCP: noTCP, idleExit: idleExit,
            simulators: simulators.map(Self.absolute), simulatorSpeed: simulatorSpeed, cups: cups)
    }

    static func main() async {
        EarlySignals.exitCleanly()
        await main(nil)
    }

    func run() async throws {
        if countJobs || check || restore != nil || migrateTo != nil { EarlySignals.kill() }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGHUP, SIG_IGN)  // until HangupService handles the signal
        let notifier = ServiceNotifier.receive()
        let sockets = Result { () throws(SystemdError) in try ActivationSocket.receive() }
        OpenFiles.prepare()
        guard OpenFileLimit.current >= OpenFileLimit.least else {
            ReadyLine(message: "\(OpenFileLimit.message); printd requires at least \(OpenFileLimit.least)").print()
            throw ExitCode(71)
        }
        if countJobs {
            let folder = Self.spoolFolder(spool)
            guard FolderOwnership.objection(to: folder) == nil, let count = try? Spool.unfinishedJobs(in: folder) else {
                throw ExitCode(69)
            }
            print(count)
            return
        }
        let (folder, given) = (Self.spoolFolder(spool), options)
        if let restore { return try await Restoration(of: folder, replaces: force).run(restore) }
        let file = configuration.map(Self.absolute)
        if let migrateTo { return try migrate(to: migrateTo, file, of: folder, given) }
        if let objection = FolderOwnership.objection(to: folder) {
            ReadyLine(message: objection).print()
            notifier.send(.status(objection))
            Notice.write("printd: \(objection)")
            throw ExitCode(77)
        }
        Self.startLogging(of: folder)
        chdir("/")  // do not keep the starting directory in use: it may be unmounted or removed
        if check { return await Self.runChecks(file, of: folder, given) }
        do {
            try SpoolerDaemon.checkVersion(ofSpoolIn: folder)
            let before = onDemand ? RunOptions.stored(in: folder) : nil
            let options = before ?? given
            let configuration = try Self.configuration(file, of: folder, options, isOnDemand: onDemand)
            let settings = SpoolerDaemon.Settings(
                spool: folder, options: options, isOnDemand: onDemand, tcpIsDispensable: before?.listen != nil,
                cups: configuration.settings.cupsServer.flatMap(CUPSServer.init) ?? .usual,
                configuration: configuration, sockets: try PassedSockets(sockets), notifier: notifier)
            try await SpoolerDaemon(settings).run()
        } catch let error as SpoolerDaemon.StartError {
            ReadyLine(message: error.description).print()
            notifier.send(.status(error.description))
            // This line is for users who start printd in a terminal; the JSON line is for programs.
            // A spool of another version must not change, not even its log.
            if !error.leavesSpoolUnchanged || !Notice.isWritten(to: "\(folder)/printd.log") {
                Notice.write("printd: \(error.description)")
            }
            throw ExitCode(error.exitCode)
        }
    }

    /// Copies the queue to another store.
    private func migrate(to store: String, _ file: String?, of folder: String, _ options: RunOptions) throws {
        guard FolderOwnership.becomeOwner(of: folder) else {
            Notice.write("printq: cannot copy the queue as the owner of '\(folder)'; run the command as that user")
            throw ExitCode(77)
        }
        let settings: SpoolSettings
        do throws(SpoolerDaemon.StartError) {
            settings = try Self.configuration(file, of: folder, options, isOnDemand: false).settings
        } catch {
            Notice.write("printq: \(error.description)")
            throw ExitCode(error.exitCode)
        }
        let migration = QueueMigration(
            folder: folder, target: store == "sqlite" ? .folder : .database(store),
            database: migrateFrom ?? settings.store, host: settings.hostName ?? ProcessInfo.processInfo.hostName,
            replaces: force, writesJSON: json)
        try migration.run()
    }

    /// Sends log messages to the journal if standard error is connected to the journal, otherwise to standard error.
    private static func startLogging(of spool: String) {
        guard let journal = Journal.ofStandardError() else {
            return LoggingSystem.bootstrap(StreamLogHandler.standardError)
        }
        LoggingSystem.bootstrap { _ in
            JournalLogHandler(journal: journal, identifier: "printd", fields: [("PRINTQ_SPOOL", spool)])
        }
    }

    /// Writes the findings of the health checks that do not require a running `printd` to standard output.
    private static func runChecks(_ file: String?, of folder: String, _ options: RunOptions) async {
        let configuration: LiveConfiguration
        do throws(SpoolerDaemon.StartError) {
            configuration = try self.configuration(file, of: folder, options, isOnDemand: false)
        } catch {
            return DocumentHealth.write([
                HealthFinding(
                    .daemon, "settings", .error, "printd does not start: \(error)",
                    advice: "correct the file; 'printq config check' lists its problems")
            ])
        }
        await DocumentHealth.printFindings(
            settings: SpoolerDaemon.Settings(
                spool: folder, options: options, isOnDemand: false, tcpIsDispensable: false, cups: .usual,
                configuration: configuration))
    }

    /// The default idle time, in seconds, of a `printd` process that `printq` started.
    private static let onDemandIdleSeconds = 600

    /// Reads the configuration file.
    ///
    /// - Parameter file: The path from the command line; nil means `printd.json5` in the spool.
    private static func configuration(
        _ file: String?, of folder: String, _ options: RunOptions, isOnDemand: Bool
    ) throws(SpoolerDaemon.StartError) -> LiveConfiguration {
        do throws(LiveConfiguration.Problems) {
            let configuration = try LiveConfiguration(
                file: file ?? "\(folder)/printd.json5", isRequired: file != nil,
                standards: isOnDemand ? [.idleExitSeconds: .integer(onDemandIdleSeconds)] : [:],
                commandLine: options.settings)
            if let server = configuration.settings.cupsServer, CUPSServer(server) == nil {
                throw LiveConfiguration.Problems(list: [
                    ConfigurationProblem(
                        file: configuration.file, line: nil,
                        message: "invalid value '\(server)' for cupsServer: must be HOST[:PORT] or the path of a socket"
                    )
                ])
            }
            return configuration
        } catch {
            throw SpoolerDaemon.StartError(description: error.description, exitCode: 78)
        }
    }

    /// Returns the spool's absolute path, because child processes have a different working directory.
    static func spoolFolder(_ option: String?) -> String {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            option ?? environment["PRINTQ_SPOOL"] ?? environment["XDG_STATE_HOME"].map { "\($0)/printq" }
            ?? "\(environment["HOME"] ?? "/var/lib")/.local/state/printq"
        return absolute(folder)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}
