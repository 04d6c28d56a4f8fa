// `printsim run`: runs a program with a dedicated printer, and checks the printed pages.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Synchronization
import UnixSignals

extension JobCheck: ExpressibleByArgument {}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a program that prints, and check the output.",
        discussion: """
            printsim starts a new printer for the program. It sets PRINTSIM_URI, PRINTSIM_IPPS_URI (the URI for TLS), \
            PRINTSIM_OUTPUT (the output folder), and PRINTSIM_CENTER and PRINTSIM_TOKEN (the address and the bearer \
            token of the HTTP API). It also sets CUPS_SERVER and LPDEST and removes PRINTER, so that \
            lp uses the printer. With several printers, PRINTSIM_URI_COLOR_LASER and so on are their URIs. If the \
            program fails, printsim exits with the program's exit code, or with 128 plus \
            the signal's number. Otherwise the exit code is 0 for success; 1 when no job arrived, a job failed or has \
            a warning, the printer had a warning, or pages differ from the golden pages; 66 when golden pages cannot \
            be read; 75 when jobs did not end before the timeout; 127 when the program does not exist. printsim passes \
            SIGTERM, SIGINT, SIGHUP and SIGQUIT to the program, kills it after five seconds, and exits with 128 plus \
            the signal's number.
            """)

    @Option(
        help: "A simulated printer's file name; repeatable, the first is the default printer (default: color-laser).",
        completion: .simulators)
    var printer: [String] = []
    @Option(help: "The folder with the printers' *.json5 files (default: as for 'printsim serve').")
    var simulators: String?
    @Option(help: "A fault to inject at every printer; repeatable.") var fault: [String] = []
    @Option(
        help: ArgumentHelp(
            "A state reason that a printer must report during the run, such as media-jam; repeatable.",
            discussion: "The run fails if no printer reported it. The reason itself is no failure.", valueName: "reason"
        ))
    var expect: [String] = []
    @Option(
        help: ArgumentHelp(
            "A check that every job must pass: fonts, printable-area, blank-pages or color; repeatable.",
            discussion: """
                fonts: all fonts are embedded. printable-area: no content lies in the margins. color: no colored page \
                on a printer without color.
                """))
    var check: [JobCheck] = []
    @Option(
        help: "The output folder; earlier jobs stay in the folder (default: a new folder, deleted on success).")
    var output: String?
    @Option(help: "The folder with the golden pages; pages of several jobs are in subfolders: job-000001 and so on.")
    var golden: String?
    @Flag(help: "Replaces the golden pages with the printed pages if all other checks pass.")
    var record = false
    @Option(help: "The largest allowed difference of a color component, from 0 to 255.") var tolerance = 0
    @Option(help: "A file for the results in JUnit's XML format.") var junit: String?
    @Option(
        help: ArgumentHelp(
            "The number of jobs to wait for (default: all jobs that have arrived, but at least one).",
            discussion: "Set this number if the program exits before its jobs have arrived."))
    var jobs: Int?
    @Option(
        help: "The time in seconds to wait for jobs after the program exits (default: 60).", transform: Seconds.parse)
    var timeout = Seconds(60)
    @Flag(help: "Accepts warnings and errors of the printer (printer-state-reasons), for example from --fault.")
    var allowPrinterWarnings = false
    @Option(help: "The program that parses documents (default: the print-worker of this installation).")
    var worker: String?
    @OptionGroup(title: "TLS") var encryption: Encryption
    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("no program given; put the program and its arguments after --")
        }
        guard (0...255).contains(tolerance) else {
            throw ValidationError("invalid value '\(tolerance)' for --tolerance; expected 0 to 255")
        }
        guard (0...10_000).contains(jobs ?? 1) else {
            throw ValidationError("invalid value '\(jobs ?? 1)' for --jobs; expected 0 to 10000")
        }
        guard !record || golden != nil else { throw ValidationError("--record requires --golden") }
    }

    func run() async throws {
        let state = InheritedProcessState()
        let signals = await UnixSignalsSequence(
            trapping: [.sigterm, .sigint, .sighup, .sigquit].filter { !state.ignoredSignals.contains($0.rawValue) })
        Notice.prepare()
        let code: Int32
        do throws(StartError) {
            code = try await trial(state, signals)
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
        throw ExitCode(code)
    }

    private func trial(_ state: InheritedProcessState, _ signals: UnixSignalsSequence) async throws(StartError) -> Int32
    {
        let descriptions = try described()
        let golden = golden.map { GoldenFolder(Paths.absolute($0)) }
        if record, let golden {
            do throws(SimulatorServerError) { try golden.requireWritable() } catch {
                throw .cannotCreate(error.message)
            }
        }
        let folder = if let output { Paths.absolute(output) } else { try Paths.newFolder() }
        let token = ControlToken()
        let trial = Trial(options: self, golden: golden, state: state, signals: signals, token: token)
        let end = Mutex<Trial.Outcome?>(nil)
        // A temporary folder that is not worth keeping is deleted on every exit path.
        defer {
            if output == nil, end.withLock({ $0?.isWorthKeeping }) != true {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        let simulator = SimulatorHost(
            descriptions: descriptions, output: folder, port: 0,
            encryption: encryption, worker: worker.map(Paths.absolute) ?? Programs.path(of: "print-worker"),
            controlToken: token, note: { trial.reasons.note($0) },
            companion: { ready, printers in
                let outcome = await trial.outcome(at: printers, ready)
                end.withLock { $0 = outcome }
            })
        do {
            try await simulator.run()
        } catch {
            throw (error as? StartError) ?? StartError.unavailable("\(error)")
        }
        return end.withLock { $0?.code } ?? EX_SOFTWARE
    }

    private func described() throws(StartError) -> [SimulatedPrinterDescription] {
        let faults = try Fault.parsed(fault)
        return try SimulatorFolder(simulators).descriptions(printer.isEmpty ? ["color-laser"] : printer).map {
            var description = $0
            description.faults += faults
            description.speed = .instant
            return description
        }
    }
}
