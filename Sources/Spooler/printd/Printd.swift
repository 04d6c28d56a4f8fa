// Defines the command line of printd.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPPServer
import Logging
import PrintBackends
import PrintModel
import PrintSpool

@main
struct Printd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printd",
        abstract: "Manage the print queue of one spool.",
        discussion: """
            printq starts printd when necessary. Start printd yourself, or from systemd, to keep it running. When \
            printd is ready, it writes one line of JSON to standard output.
            """,
        version: Release.version)

    @Option(help: "The folder of the spool (default: $PRINTQ_SPOOL, $XDG_STATE_HOME/printq, ~/.local/state/printq).")
    var spool: String?

    @Option(
        help: """
            An additional TCP address on the loopback interface for lp and other clients: 127.0.0.1:PORT, [::1]:PORT, \
            or localhost:PORT for both (default: listen in printd.json5, else no TCP port). If the port is taken, \
            printd does not start.
            """)
    var listen: String?

    @Flag(help: "Listen only on the Unix socket, and ignore listen in printd.json5.")
    var noTCP = false

    @Option(help: "Exit after this many seconds without jobs and requests; 0 never exits.")
    var idleExit: Double = 0

    @Option(help: "The folder with the definitions of the simulated printers; passed to printsim.")
    var simulators: String?

    @Option(help: "The speed of the simulated printers: instant, x1 or xN; passed to printsim.")
    var simulatorSpeed: String?

    @Option(
        help: """
            The cupsd whose queues cups:NAME refers to: HOST[:PORT], or the path of a socket (default: $CUPS_SERVER, \
            else /run/cups/cups.sock).
            """)
    var cups: String?

    @Flag(
        help: """
            Use the options of this spool's last printd if it was killed, instead of the options given here, and start \
            without the TCP port if the port is taken. printq uses this flag.
            """)
    var asBefore = false

    func validate() throws {
        if let problem = options.problem { throw ValidationError(problem) }
    }

    /// The options from the command line.
    private var options: RunOptions {
        RunOptions(
            listen: listen, noTCP: noTCP, idleExit: idleExit, simulators: simulators.map(Self.absolute),
            simulatorSpeed: simulatorSpeed, cups: cups)
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.prepare()
        guard OpenFileLimit.current >= OpenFileLimit.least else {
            ReadyLine(message: "\(OpenFileLimit.words); printd requires at least \(OpenFileLimit.least)").print()
            throw ExitCode(71)
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let (folder, given) = (Self.spoolFolder(spool), options)
        chdir("/")  // do not keep the starting directory in use: it may be unmounted or removed
        do {
            let kept = try Self.settings(of: folder)
            let before = asBefore ? RunOptions.kept(in: folder) : nil
            let options = before ?? given
            let settings = SpoolerDaemon.Settings(
                spool: folder, options: options,
                tcp: options.noTCP ? nil : (options.listen ?? kept.listen).flatMap(TCPAddress.init),
                tcpIsDispensable: before?.listen != nil,
                cups: (options.cups ?? kept.cupsServer).flatMap(CUPSServer.init) ?? .usual, kept: kept)
            try await SpoolerDaemon(settings).run()
        } catch let error as SpoolerDaemon.StartError {
            ReadyLine(message: error.description).print()
            // This line is for users who start printd in a terminal; the JSON line is for programs.
            Notice.write("printd: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    private static func settings(of folder: String) throws -> SpoolSettings {
        let settings: SpoolSettings
        do throws(SpoolSettings.SettingsError) {
            settings = try SpoolSettings(folder: folder)
        } catch {
            throw SpoolerDaemon.StartError(description: error.description, exitCode: 78)
        }
        if let listen = settings.listen {
            guard let address = TCPAddress(listen) else {
                throw SpoolerDaemon.StartError(
                    description: "invalid value for listen in 'printd.json5': must be HOST:PORT", exitCode: 78)
            }
            guard address.isLoopback else {
                throw SpoolerDaemon.StartError(
                    description: "'printd.json5': \(RunOptions.onlyLoopback(listen))", exitCode: 78)
            }
        }
        guard settings.cupsServer.map({ CUPSServer($0) != nil }) ?? true else {
            throw SpoolerDaemon.StartError(
                description:
                    "invalid value for cupsServer in 'printd.json5': must be HOST[:PORT] or the path of a socket",
                exitCode: 78)
        }
        return settings
    }

    /// Returns the spool's absolute path, because child processes have another working directory.
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
