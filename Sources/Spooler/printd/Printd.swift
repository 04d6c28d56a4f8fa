// The spooler's command line.

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
        abstract: "Keeps the print queue of one spool, and prints it.",
        discussion: """
            printd is started by printq when it is needed; start it yourself to keep it running, or from systemd. When it \
            listens it says so in one line of JSON on standard output.
            """,
        version: Release.version)

    @Option(help: "The spool's folder (default: $PRINTQ_SPOOL, $XDG_STATE_HOME/printq, ~/.local/state/printq).")
    var spool: String?

    @Option(
        help: """
            An address of the loopback interface to listen on beside the Unix socket, for lp and other clients: \
            127.0.0.1:PORT, [::1]:PORT, or localhost:PORT for both (default: as printd.json5 says, else none). When the \
            port is taken, printd does not start.
            """)
    var listen: String?

    @Flag(help: "Listen on the Unix socket only, whatever printd.json5 says.")
    var noTCP = false

    @Option(help: "Leave after so many seconds without a job and without a request; 0 stays for ever.")
    var idleExit: Double = 0

    @Option(help: "The folder with the simulated printers' files, passed on to printsim.")
    var simulators: String?

    @Option(help: "How fast the simulated printers print: instant, x1 or xN; passed on to printsim.")
    var simulatorSpeed: String?

    @Option(
        help: """
            The cupsd that printers at cups:NAME are queues of: HOST[:PORT], or the path of its socket (default: \
            $CUPS_SERVER, /run/cups/cups.sock).
            """)
    var cups: String?

    @Flag(
        help: """
            Go on with the options of the printd of this spool that was killed, if one was, instead of those given here; for \
            printq, which starts printd so. A port that is taken is done without then.
            """)
    var asBefore = false

    func validate() throws {
        if let problem = options.problem { throw ValidationError(problem) }
    }

    /// What the command line says.
    private var options: RunOptions {
        RunOptions(
            listen: listen, noTCP: noTCP, idleExit: idleExit, simulators: simulators.map(Self.absolute),
            simulatorSpeed: simulatorSpeed, cups: cups)
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.prepare()
        guard OpenFileLimit.current >= OpenFileLimit.least else {
            ReadyLine(message: "\(OpenFileLimit.words); printd needs \(OpenFileLimit.least) at least").print()
            throw ExitCode(71)
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let (folder, given) = (Self.spoolFolder(spool), options)
        chdir("/")  // what we were started in may be unmounted or removed meanwhile
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
            // Who started it by hand reads that line, or this one.
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
                throw SpoolerDaemon.StartError(description: "listen in 'printd.json5' takes HOST:PORT", exitCode: 78)
            }
            guard address.isLoopback else {
                throw SpoolerDaemon.StartError(
                    description: "'printd.json5': \(RunOptions.onlyLoopback(listen))", exitCode: 78)
            }
        }
        guard settings.cupsServer.map({ CUPSServer($0) != nil }) ?? true else {
            throw SpoolerDaemon.StartError(
                description: "cupsServer in 'printd.json5' takes HOST[:PORT] or the path of a socket", exitCode: 78)
        }
        return settings
    }

    /// The spool's folder, made absolute: programs we start have another working directory.
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
