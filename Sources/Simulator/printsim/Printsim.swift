// The command line of printsim.

import ArgumentParser
import CommandLineErrors
import FoundationEssentials
import Glibc
import IPPClient
import IPPNetworkClient
import IPPServer
import Logging
import PrintModel
import PrinterSimulator
import ProcessLaunch
import SafeFiles
import ServiceDiscovery
import SimulatorServer
import SpoolerClient

@main
struct Printsim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printsim",
        abstract: "Start simulated IPP printers, and control running printers.",
        version: Release.text(of: "printsim"),
        subcommands: [
            Serve.self, FaultCommand.self, ClearCommand.self, LoadCommand.self, ReplaceCommand.self, LevelCommand.self,
            PowerCommand.self, DeleteCommand.self, StatusCommand.self, CenterCommand.self, WaitCommand.self,
            RunCommand.self,
            CompareCommand.self, CloneCommand.self,
        ],
        defaultSubcommand: Serve.self)

    static var commandNames: [String] { CommandPath(self, []).subcommands }

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        // A shell completes words of a command line that is not complete.
        let (arguments, variables) =
            words.first == "---completion"
            ? (words, []) : EnvironmentOptions.adding(to: words, from: ProcessInfo.processInfo.environment)
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            if code.isSuccess {
                Notice.print(fullMessage(for: error))
            } else if case let message = message(for: error), !message.isEmpty {
                let source = variables.isEmpty ? "" : " (\(variables.joined(separator: ", ")) is set)"
                Notice.write("printsim: \(CommandPath(self, words).sentence(for: message))\(source)")
            }
            Glibc.exit(code.rawValue)
        }
    }
}

/// The default command, which serves printers.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve simulated printers over IPP.",
        discussion: """
            The printers write their jobs to the output folder. When the printers accept connections, printsim writes \
            one line of JSON with their URIs and the address of the web pages to standard output. printsim runs until \
            it receives SIGTERM or SIGINT. The printers keep their jobs across restarts. PRINTSIM_PORT sets --port, \
            and so on for listen, speed, keep, page-time, idle-exit, webhook and fault.
            """)

    @Argument(
        help: "The file names of the printers (default: all printers); the first printer is the default printer.",
        completion: .simulators)
    var printers: [String] = []

    @Option(
        help: """
            The folder with the printers' *.json5 files (default: $PRINTSIM_SIMULATORS, or the folder of \
            printq).
            """)
    var simulators: String?

    @Option(help: "The output folder, with one folder per printer (default: output).")
    var output: String?

    @Flag(
        help: ArgumentHelp(
            "Names job folders after the job numbers of printd's queue.",
            discussion: "The job folders of other clients' jobs have names such as printer-job-000001."))
    var ofQueue = false

    @Flag(help: "Creates a temporary output folder and deletes the folder on exit.")
    var temporary = false

    @Option(help: "The Unix socket on which printsim listens (default: none).")
    var socket: String?

    @Option(help: "The TCP port on which printsim listens; 0 selects a free port.")
    var port = 0

    @Option(
        help: ArgumentHelp(
            "The listening address: 0.0.0.0 or :: for all interfaces, or an address of this machine.",
            discussion: """
                By default only programs on this machine can print. Any client that reaches another address can print, \
                see all jobs and cancel them, without a password. Only programs on this machine and clients with the \
                control token can change the printers.
                """, valueName: "address"))
    var listen = "127.0.0.1"

    @Flag(
        name: .customLong("dns-sd"), inversion: .prefixedNo,
        help: ArgumentHelp(
            "Publishes the printers by DNS-SD with the Avahi daemon (default: if the daemon is running).",
            discussion: "By default, only programs on this machine can find the printers; see --listen."))
    var isPublished: Bool?

    @Flag(name: .customLong("no-tcp"), help: "Disables the TCP port: printsim listens only on the Unix socket.")
    var isWithoutTCP = false

    @OptionGroup(title: "TLS") var encryption: Encryption

    @Option(help: "The print speed: instant, x1 for real time, or xN (default: the speed in the printer file).")
    var speed: String?

    @Option(
        help: ArgumentHelp(
            "The number of ended jobs that each printer keeps; older jobs are deleted with their files (default: all).",
            valueName: "number"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "An http: address that receives each job as JSON when the job ends.",
            discussion: "printsim tries three times, and does not follow redirects.", valueName: "address"))
    var webhook: String?

    @Option(help: "The program that parses documents (default: the print-worker of this installation).")
    var worker: String?

    @Option(
        help: """
            The time in seconds without jobs and requests after which printsim exits; with 0, printsim never exits \
            (default: 0).
            """,
        transform: Seconds.parse)
    var idleExit = Seconds(0)

    @Option(
        help: ArgumentHelp(
            "A fault to inject at every printer, such as 'media-jam at page 3'; repeatable.",
            discussion: "Simulators/README.md describes the syntax."))
    var fault: [String] = []

    @Option(help: "The seed of all random values, including names and dates; equal seeds give equal job.json files.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The limit of the processor time in seconds for rendering the first page of a job (default: 30).",
            discussion: "Each rendered page adds 2 seconds. A job that takes longer is aborted."),
        transform: Seconds.parse)
    var pageTime = Seconds(30)

    @Flag(help: "Draws the edge of the printable area on the page images, as a dashed magenta line.")
    var overlay = false

    @Flag(help: "Exits after one job has ended; same as --exit-after 1.")
    var once = false

    @Option(help: "The number of jobs that must end; printsim then exits one second after the last request.")
    var exitAfter: Int?

    @Flag(
        name: .customLong("allow-uri"),
        help: "Fetches the documents of Print-URI and Send-URI by HTTP from public addresses.")
    var fetchesDocuments = false

    @Flag(
        name: .customLong("allow-private-uri"),
        help: "Also fetches documents from this machine and private networks, so every client can read these documents."
    )
    var fetchesPrivateDocuments = false

    @Option(
        help: ArgumentHelp(
            "A file with the control token that lets clients on other machines control the printers.",
            discussion: """
                The token is required for faults, paper, power, Pause-Printer, Disable-Printer, Purge-Jobs and similar \
                operations. Programs on this machine do not need the token for them. Programs also use it as the bearer \
                token of the HTTP API (/api/v1/openapi.json). The token is not encrypted: use an ipps URI.
                """, valueName: "file"))
    var controlTokenFile: String?

    @Flag(help: "Exits when standard input ends, for example when the process at the other end of a pipe exits.")
    var untilEOF = false

    func validate() throws {
        if let exitAfter, exitAfter < 1 {
            throw ValidationError("invalid value '\(exitAfter)' for --exit-after; expected 1 or more")
        }
        if let keep, keep < 1 { throw ValidationError("invalid value '\(keep)' for --keep; expected 1 or more") }
        if keep != nil, ofQueue { throw ValidationError("--keep cannot be combined with --of-queue") }
        guard (0...65535).contains(port) else {
            throw ValidationError("invalid value '\(port)' for --port; expected 0 to 65535")
        }
        guard !isWithoutTCP || socket != nil else {
            throw ValidationError("--no-tcp requires --socket")
        }
        guard AdvertisedInterfaces(listeningAt: listen) != nil else {
            throw ValidationError(
                "invalid value '\(listen)' for --listen; expected a numeric address of this machine, "
                    + "or 0.0.0.0 for all interfaces"
            )
        }
        guard isPublished != true || !isWithoutTCP else {
            throw ValidationError("--dns-sd requires a TCP port; leave out --no-tcp")
        }
        guard !temporary || output == nil else {
            throw ValidationError("--temporary cannot be combined with --output")
        }
        if let speed, PrintSpeed(speed) == nil {
            throw ValidationError(
                "invalid value '\(speed)' for --speed; expected instant, or a factor such as x1 or x10")
        }
    }

    func run() async throws {
        Notice.prepare()
        OpenFiles.prepare()
        do {
            let folder = try temporary ? Paths.newFolder() : Paths.absolute(output ?? "output")
            defer { if temporary { try? FileManager.default.removeItem(atPath: folder) } }
            try await SimulatorHost(
                descriptions: descriptions(), output: folder,
                socket: socket.map(Paths.absolute), listen: listen, port: isWithoutTCP ? nil : port,
                encryption: encryption, publishing: isPublished.map { $0 ? .explicit : .none } ?? .quiet,
                isOfQueue: ofQueue, worker: worker.map(Paths.absolute) ?? Programs.path(of: "print-worker"),
                pageImageBudget: PageImageBudget(first: pageTime.duration), keptJobs: keep,
                idleExit: idleExit.duration > .zero ? idleExit.duration : nil, exitAfter: once ? 1 : exitAfter,
                leavesAtEndOfInput: untilEOF, documentReach: documentReach, controlToken: controlToken(), seed: seed,
                webhook: post()
            ).run()
        } catch let error as StartError {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    private var documentReach: HTTPDocument.Reach? {
        fetchesPrivateDocuments ? .anyAddress : fetchesDocuments ? .publicAddresses : nil
    }

    private func controlToken() throws(StartError) -> ControlToken? {
        try controlTokenFile.map { file throws(StartError) in try ControlToken.read(file) }
    }

    private func post() throws(StartError) -> HTTPPost? {
        do throws(HTTPDocumentError) {
            return try webhook.map { address throws(HTTPDocumentError) in try HTTPPost(address) }
        } catch {
            throw .usage("\(error); give --webhook an http address")
        }
    }

    private func descriptions() throws(StartError) -> [SimulatedPrinterDescription] {
        let folder = try SimulatorFolder(simulators)
        let faults = try Fault.parsed(fault)
        return try folder.descriptions(printers).map { description in
            var description = description
            description.faults += faults
            if overlay { description.overlay = true }
            if let speed = speed.flatMap(PrintSpeed.init) { description.speed = speed }
            return description
        }
    }
}

extension Fault {
    static func parsed(_ texts: [String]) throws(StartError) -> [Fault] {
        do throws(SimulatorError) {
            return try texts.map { text throws(SimulatorError) in try Fault(text) }
        } catch {
            throw .usage(error.message)
        }
    }
}

extension ControlToken {
    static func read(_ file: String) throws(StartError) -> ControlToken {
        do throws(Failure) {
            return try ControlToken(file: Paths.absolute(file))
        } catch {
            throw .badConfiguration(error.description)
        }
    }
}

struct StartError: Error, CustomStringConvertible {
    var description: String
    var exitCode: Int32

    static func usage(_ message: String) -> StartError { StartError(description: message, exitCode: EX_USAGE) }
    static func noInput(_ message: String) -> StartError { StartError(description: message, exitCode: EX_NOINPUT) }
    static func badConfiguration(_ message: String) -> StartError {
        StartError(description: message, exitCode: EX_CONFIG)
    }
    static func unavailable(_ message: String) -> StartError {
        StartError(description: message, exitCode: EX_UNAVAILABLE)
    }
    static func temporaryFailure(_ message: String) -> StartError {
        StartError(description: message, exitCode: EX_TEMPFAIL)
    }
    static func cannotCreate(_ message: String) -> StartError {
        StartError(description: message, exitCode: EX_CANTCREAT)
    }
}

enum Notice {
    /// Limits library logging to warnings, and ignores SIGPIPE.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .warning
            return handler
        }
    }

    /// Writes a line; a server continues if nobody reads the line.
    static func write(_ line: String, to descriptor: Int32 = 2) {
        try? FileBytes.write("\(line)\n".shown(on: descriptor).utf8, to: descriptor)
    }

    /// Writes the result of a command to standard output.
    ///
    /// If the reader has closed standard output, the program ends without a message, as `ls | head` does.
    static func print(_ text: String, terminator: String = "\n") {
        do throws(SystemFailure) {
            try FileBytes.write((text + terminator).shown(on: STDOUT_FILENO).utf8, to: STDOUT_FILENO)
        } catch {
            if error.number == EPIPE { ClosedOutput.end() }
            write("printsim: cannot write to standard output: \(error)")
            exit(EX_IOERR)
        }
    }
}
