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
            127.0.0.1:PORT, [::1]:PORT or localhost:PORT (default: none).
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

    func validate() throws {
        if let cups, CUPSServer(cups) == nil {
            throw ValidationError("--cups takes HOST[:PORT] or the path of a socket, not '\(cups)'")
        }
        if let listen {
            guard let address = Self.address(listen) else {
                throw ValidationError("--listen takes HOST:PORT, not '\(listen)'")
            }
            guard Self.isLoopback(address.host) else { throw ValidationError(Self.onlyLoopback(listen)) }
        }
        guard (0...1_000_000).contains(idleExit) else {
            throw ValidationError("--idle-exit takes seconds from 0 to 1000000, not \(idleExit)")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.prepare()
        guard OpenFileLimit.current >= OpenFileLimit.least else {
            ReadyLine(message: "\(OpenFileLimit.words); printd needs \(OpenFileLimit.least) at least").print()
            throw ExitCode(71)
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var arguments: [String] = []
        if let simulators { arguments += ["--simulators", Self.absolute(simulators)] }
        if let simulatorSpeed { arguments += ["--speed", simulatorSpeed] }
        let folder = Self.spoolFolder(spool)
        chdir("/")  // what we were started in may be unmounted or removed meanwhile
        do {
            let kept = try Self.settings(of: folder)
            let address = (listen ?? kept.listen).flatMap(Self.address)
            let settings = Daemon.Settings(
                spool: folder, tcp: noTCP ? nil : address,
                idleExit: idleExit > 0 ? idleExit : nil, simulatorArguments: arguments,
                cups: (cups ?? kept.cupsServer).flatMap(CUPSServer.init) ?? .usual, kept: kept)
            try await Daemon(settings).run()
        } catch let error as Daemon.StartError {
            ReadyLine(message: error.description).print()
            throw ExitCode(error.exitCode)
        }
    }

    private static func settings(of folder: String) throws -> SpoolSettings {
        let settings: SpoolSettings
        do throws(SpoolSettings.SettingsError) {
            settings = try SpoolSettings(folder: folder)
        } catch {
            throw Daemon.StartError(description: error.description, exitCode: 78)
        }
        if let listen = settings.listen {
            guard let address = address(listen) else {
                throw Daemon.StartError(description: "listen in 'printd.json5' takes HOST:PORT", exitCode: 78)
            }
            guard isLoopback(address.host) else {
                throw Daemon.StartError(description: "'printd.json5': \(onlyLoopback(listen))", exitCode: 78)
            }
        }
        guard settings.cupsServer.map({ CUPSServer($0) != nil }) ?? true else {
            throw Daemon.StartError(
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

    /// Whether a host is the loopback interface, where the kernel tells who connects.
    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func onlyLoopback(_ address: String) -> String {
        "printd does not listen on '\(address)': clients from the network cannot prove who they are yet, and could read "
            + "and change the jobs of others; use 127.0.0.1:PORT, or share the queues by way of a cupsd"
    }

    private static func address(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port), colon != text.startIndex
        else { return nil }
        return (String(text[..<colon]), port)
    }
}
