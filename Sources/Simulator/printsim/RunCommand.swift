// `printsim run`: a program that prints, with a printer of its own, and whether what came out is right.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Synchronization
import UnixSignals

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a program that prints, and looks at what came out.",
        discussion: """
            A fresh printer is started for it. The program finds its URI in PRINTSIM_URI, that of TLS in \
            PRINTSIM_IPPS_URI, and its output folder in PRINTSIM_OUTPUT. CUPS_SERVER and LPDEST are set and PRINTER is \
            removed, so that plain lp reaches it too. The exit code is the program's own if that is not 0 (128 and the \
            number of the signal that ended it), else 1 when no job came, one was not completed or has a warning, the \
            printer had one, or pages differ from the golden ones; 66 when golden pages cannot be read; 75 when jobs did \
            not end in time; 127 when there is no such program. A SIGTERM, SIGINT, SIGHUP or SIGQUIT is passed on to the \
            program; what has not ended five seconds later is killed, and the exit code is 128 and the signal's number.
            """)

    @Option(help: "The printer, by the name of its file.") var printer = "color-laser"
    @Option(help: "The folder with the printers' *.json5 files (default: as for serve).") var simulators: String?
    @Option(help: "Something that shall go wrong; may be given several times.") var fault: [String] = []
    @Option(
        help: "Where the pages go (default: a new folder, removed when all is well). Jobs of earlier runs stay in it.")
    var output: String?
    @Option(help: "The folder with the pages as they should be; those of several jobs in job-000001, job-000002 ….")
    var golden: String?
    @Flag(help: "Make the pages that come out the golden ones, in place of all before, when the run is good.")
    var record = false
    @Option(help: "By how much a colour may differ from the golden one, from 0 to 255.") var tolerance = 0
    @Option(help: "A file for the verdict as JUnit's XML.") var junit: String?
    @Option(
        help: ArgumentHelp(
            "How many jobs must come (default: one or more, and those that have come when the program ends).",
            discussion: "Say it for a program that ends before its jobs have arrived."))
    var jobs: Int?
    @Option(
        help: "How many seconds to wait for jobs after the program has ended (default: 60).", transform: Seconds.parse)
    var timeout = Seconds(60)
    @Flag(help: "Allow the printer's own warnings and errors (printer-state-reasons), as a --fault makes them.")
    var allowPrinterWarnings = false
    @Option(help: "The program that reads documents (default: print-worker beside this one).") var worker: String?
    @OptionGroup(title: "TLS") var encryption: Encryption
    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("say which program to run, after --") }
        guard (0...255).contains(tolerance) else {
            throw ValidationError("--tolerance takes 0 to 255, not \(tolerance)")
        }
        guard (0...10_000).contains(jobs ?? 1) else {
            throw ValidationError("--jobs takes 0 to 10000, not \(jobs ?? 1)")
        }
        guard !record || golden != nil else { throw ValidationError("--record needs --golden, where the pages go") }
    }

    func run() async throws {
        let state = StartingState()
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

    private func trial(_ state: StartingState, _ signals: UnixSignalsSequence) async throws(StartError) -> Int32 {
        let description = try described()
        let golden = golden.map { GoldenFolder(Paths.absolute($0)) }
        if record, let golden {
            do throws(SimulatorServerError) { try golden.requireWritable() } catch {
                throw .cannotCreate(error.message)
            }
        }
        let folder = if let output { Paths.absolute(output) } else { try Paths.newFolder() }
        let trial = Trial(options: self, golden: golden, state: state, signals: signals)
        let end = Mutex<Trial.Outcome?>(nil)
        // What is of no use to anybody goes, however this ends.
        defer {
            if output == nil, end.withLock({ $0?.isWorthKeeping }) != true {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        let simulator = SimulatorHost(
            descriptions: [description], output: folder, port: 0,
            encryption: encryption, worker: worker.map(Paths.absolute) ?? Programs.beside("print-worker"),
            note: { trial.reasons.note($0) },
            companion: { ready, printers in
                let outcome = await trial.outcome(at: printers[0], ready.printers[0])
                end.withLock { $0 = outcome }
            })
        do {
            try await simulator.run()
        } catch {
            throw (error as? StartError) ?? StartError.unavailable("\(error)")
        }
        return end.withLock { $0?.code } ?? EX_SOFTWARE
    }

    private func described() throws(StartError) -> SimulatedPrinterDescription {
        var description = try SimulatorFolder(simulators).descriptions([printer])[0]
        for text in fault {
            do throws(SimulatorError) { description.faults.append(try Fault(text)) } catch {
                throw .usage(error.message)
            }
        }
        description.speed = .instant
        return description
    }
}
