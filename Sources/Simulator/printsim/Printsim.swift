// The command line of the simulated printers.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPPClient
import IPPServer
import Logging
import PrinterSimulator
import ProcessLaunch
import ServiceDiscovery
import SimulatorServer

@main
struct Printsim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printsim",
        abstract: "Serves simulated printers over IPP, and lays hands on those that run.",
        subcommands: [
            Serve.self, FaultCommand.self, ClearCommand.self, LoadCommand.self, ReplaceCommand.self, LevelCommand.self,
            PowerCommand.self, StatusCommand.self, WaitCommand.self, RunCommand.self, CompareCommand.self,
            CloneCommand.self,
        ],
        defaultSubcommand: Serve.self)
}

/// Serves printers: what `printsim` does when no other command is named.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves simulated printers over IPP; what they print lies in the output folder.",
        discussion: """
            When the printers can be reached, one line of JSON on standard output says where. printsim runs until it is \
            told to stop (SIGTERM, SIGINT); printers remember their jobs.
            """)

    @Argument(help: "The printers, by the names of their files; the first is the default (default: all there are).")
    var printers: [String] = []

    @Option(
        help: """
            The folder with the printers' *.json5 files (default: $PRINTSIM_SIMULATORS, or the one that came with \
            printq).
            """)
    var simulators: String?

    @Option(help: "The folder for what is printed, with a folder for each printer (default: output).")
    var output: String?

    @Flag(
        help: ArgumentHelp(
            "Name the folders of jobs after their numbers in the queue that sends them; for printd.",
            discussion: "The folders of other clients' jobs are printer-job-000001 and so on."))
    var ofQueue = false

    @Flag(help: "Print into a new folder, which is removed when printsim leaves.")
    var temporary = false

    @Option(help: "The Unix socket to listen on (default: none).")
    var socket: String?

    @Option(help: "The TCP port to listen on; 0 takes a free one.")
    var port = 0

    @Option(
        help: ArgumentHelp(
            "The address to listen on: 0.0.0.0 or :: for all networks, or one of this machine's.",
            discussion: """
                By default only programs of this machine can print. Whoever can reach another address may print, see all \
                jobs and cancel them: there is no password. Only programs of this machine, and those that present the \
                control token, may change the printers.
                """, valueName: "address"))
    var listen = "127.0.0.1"

    @Flag(
        name: .customLong("dns-sd"), inversion: .prefixedNo,
        help: ArgumentHelp(
            "Have clients find the printers by DNS-SD, through the Avahi daemon (default: when there is one).",
            discussion: "They are found where they can be reached: by this machine's own programs, or with --listen."))
    var isPublished: Bool?

    @Flag(name: .customLong("no-tcp"), help: "Listen on the Unix socket only.")
    var isWithoutTCP = false

    @OptionGroup(title: "TLS") var encryption: Encryption

    @Option(help: "How fast to print: instant, x1 for real time, or xN (default: as each printer's file says).")
    var speed: String?

    @Option(help: "The program that reads documents (default: print-worker beside this one).")
    var worker: String?

    @Option(
        help: "Leave after so many seconds without a job and without a request; 0 stays for ever (default: 0).",
        transform: Seconds.parse)
    var idleExit = Seconds(0)

    @Option(
        help: ArgumentHelp(
            "Something that shall go wrong at every printer, such as 'media-jam at page 3'; may be given several times.",
            discussion: "Simulators/README.md has the grammar."))
    var fault: [String] = []

    @Option(help: "Decides all that is left to chance, names and dates too: the same seed, the same job.json.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The seconds that the pages of a job may take to draw until the first page is finished (default: 30).",
            discussion: "Each finished page adds 2 seconds. A job that takes longer is aborted."),
        transform: Seconds.parse)
    var pageTime = Seconds(30)

    @Flag(help: "Draw the edge of the printable area onto the page images, as a dashed line in magenta.")
    var overlay = false

    @Flag(help: "Leave when one job has ended; the same as --exit-after 1.")
    var once = false

    @Option(help: "Leave when so many jobs have ended, and nobody has asked anything for a second.")
    var exitAfter: Int?

    @Flag(
        name: .customLong("allow-uri"),
        help: "Fetch documents that clients only name, by http, from the public internet (Print-URI, Send-URI).")
    var fetchesDocuments = false

    @Flag(
        name: .customLong("allow-private-uri"),
        help: "The same, also from this machine and its local networks; clients can then reach what this machine can.")
    var fetchesPrivateDocuments = false

    @Option(
        help: ArgumentHelp(
            "A file with a secret; clients on other machines that present it may use the controls.",
            discussion: """
                The controls are faults, paper, power, Pause-Printer, Disable-Printer, Purge-Jobs and the like. Programs of \
                this machine may use them without it. The secret is sent as it is: reach the printer by ipps:.
                """, valueName: "file"))
    var controlTokenFile: String?

    @Flag(help: "Leave when standard input ends, as a pipe does when the program that holds its other end is gone.")
    var untilEOF = false

    func validate() throws {
        if let exitAfter, exitAfter < 1 { throw ValidationError("--exit-after takes 1 or more jobs, not \(exitAfter)") }
        guard (0...65535).contains(port) else { throw ValidationError("--port takes 0 to 65535, not \(port)") }
        guard !isWithoutTCP || socket != nil else {
            throw ValidationError("--no-tcp leaves no address; give a --socket as well")
        }
        guard AdvertisedInterfaces(listeningAt: listen) != nil else {
            throw ValidationError(
                "--listen takes a numeric address of this machine, or 0.0.0.0 for all of them, not '\(listen)'")
        }
        guard isPublished != true || !isWithoutTCP else {
            throw ValidationError("--dns-sd publishes a TCP port, and --no-tcp leaves none")
        }
        guard !temporary || output == nil else {
            throw ValidationError("--temporary makes a folder of its own; leave out --output")
        }
        if let speed, PrintSpeed(speed) == nil {
            throw ValidationError("--speed takes instant, or a factor such as x1 or x10, not '\(speed)'")
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
                isOfQueue: ofQueue, worker: worker.map(Paths.absolute) ?? Programs.beside("print-worker"),
                pageImageBudget: PageImageBudget(first: pageTime.duration),
                idleExit: idleExit.duration > .zero ? idleExit.duration : nil, exitAfter: once ? 1 : exitAfter,
                leavesAtEndOfInput: untilEOF, documentReach: documentReach, controlToken: controlToken(), seed: seed
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

    private func descriptions() throws(StartError) -> [SimulatedPrinterDescription] {
        let folder = try SimulatorFolder(simulators)
        var faults: [Fault] = []
        for text in fault {
            do throws(SimulatorError) { faults.append(try Fault(text)) } catch { throw .usage(error.message) }
        }
        return try folder.descriptions(printers).map { description in
            var description = description
            description.faults += faults
            if overlay { description.overlay = true }
            if let speed = speed.flatMap(PrintSpeed.init) { description.speed = speed }
            return description
        }
    }
}

extension ControlToken {
    /// The secret in a file that the command line names.
    static func read(_ file: String) throws(StartError) -> ControlToken {
        do throws(Failure) {
            return try ControlToken(file: Paths.absolute(file))
        } catch {
            throw .badConfiguration(error.description)
        }
    }
}

/// Why the printers cannot be served, and the exit code that says so (sysexits).
struct StartError: Error, CustomStringConvertible {
    /// What failed, on what, and what to do next.
    var description: String
    var exitCode: Int32

    static func usage(_ words: String) -> StartError { StartError(description: words, exitCode: EX_USAGE) }
    static func noInput(_ words: String) -> StartError { StartError(description: words, exitCode: EX_NOINPUT) }
    static func badConfiguration(_ words: String) -> StartError { StartError(description: words, exitCode: EX_CONFIG) }
    static func unavailable(_ words: String) -> StartError { StartError(description: words, exitCode: EX_UNAVAILABLE) }
    static func taken(_ words: String) -> StartError { StartError(description: words, exitCode: EX_TEMPFAIL) }
    static func cannotCreate(_ words: String) -> StartError { StartError(description: words, exitCode: EX_CANTCREAT) }
}

/// Lines on standard error and standard output, each in one piece.
enum Notice {
    /// Has the libraries say only what matters, and no signal come of a reader that goes away.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .warning
            return handler
        }
    }

    static func write(_ line: String, to descriptor: Int32 = 2) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
