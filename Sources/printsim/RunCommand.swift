// `printsim run`: a program that prints, with a printer of its own, and whether what came out is right.

import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import PageComparison
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Synchronization

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a program that prints, and looks at what came out.",
        discussion: """
            A fresh printer is started for it. The program finds its URI in PRINTSIM_URI, that of TLS in \
            PRINTSIM_IPPS_URI; CUPS_SERVER is set so that plain \
            lp reaches it too. The exit code is the program's own if that is not 0, else 1 when no job came, one was not \
            completed or has a warning, or pages differ from the golden ones; 75 when jobs did not end in time.
            """)

    @Option(help: "The printer, by the name of its file.") var printer = "color-laser"
    @Option(help: "The folder with the printers' *.json5 files (default: as for serve).") var simulators: String?
    @Option(help: "Something that shall go wrong; may be given several times.") var fault: [String] = []
    @Option(help: "Where the pages go (default: a new folder, removed when all is well).") var output: String?
    @Option(help: "The folder with the pages as they should be.") var golden: String?
    @Flag(help: "Make the pages that come out the golden ones.") var record = false
    @Option(help: "By how much a colour may differ from the golden one, from 0 to 255.") var tolerance = 0
    @Option(help: "A file for the verdict as JUnit's XML.") var junit: String?
    @Option(help: "How many seconds to wait for jobs after the program has ended.") var timeout = 60.0
    @Option(help: "The program that reads documents (default: print-worker beside this one).") var worker: String?
    @OptionGroup(title: "TLS") var encryption: Encryption
    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("say which program to run, after --") }
        guard (0...255).contains(tolerance) else {
            throw ValidationError("--tolerance takes 0 to 255, not \(tolerance)")
        }
        guard !record || golden != nil else { throw ValidationError("--record needs --golden, where the pages go") }
    }

    func run() async throws {
        Notice.prepare()
        let code: Int32
        do throws(StartError) {
            code = try await trial()
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
        throw ExitCode(code)
    }

    private func trial() async throws(StartError) -> Int32 {
        var descriptions = try SimulatorFolder(simulators).descriptions([printer])
        for text in fault {
            do throws(SimulatorError) { descriptions[0].faults.append(try Fault(text)) } catch {
                throw .usage(error.message)
            }
        }
        descriptions[0].speed = .instant
        let folder = if let output { Paths.absolute(output) } else { try Paths.newFolder() }
        let end = Mutex<Result<Int32, StartError>>(.success(EX_SOFTWARE))
        let trial = self
        let house = PrinterHouse(
            descriptions: descriptions, output: folder, port: 0,
            encryption: encryption, worker: worker.map(Paths.absolute) ?? Programs.beside("print-worker"),
            companion: { ready, printers in
                let result: Result<Int32, StartError>
                do throws(StartError) {
                    result = .success(try await trial.use(printers[0], ready.printers[0]))
                } catch {
                    result = .failure(error)
                }
                end.withLock { $0 = result }
            })
        do {
            try await house.run()
        } catch {
            throw (error as? StartError) ?? StartError.unavailable("\(error)")
        }
        let code = try end.withLock { $0 }.get()
        if output == nil, code == 0 { try? FileManager.default.removeItem(atPath: folder) }
        return code
    }

    /// Runs the program, waits for its jobs, and says what is wrong with them.
    private func use(_ printer: SimulatedPrinter, _ ready: Ready.Printer) async throws(StartError) -> Int32 {
        var environment = [
            "PRINTSIM_URI": ready.uri, "CUPS_SERVER": String(ready.uri.split(separator: "/")[1]),
            "PRINTSIM_OUTPUT": printer.outputFolder,
        ]
        environment["PRINTSIM_IPPS_URI"] = ready.ippsURI
        let code = try await ForegroundProgram.run(command, adding: environment)
        guard await Self.settled(printer, within: .seconds(timeout)) else {
            Notice.write(
                "printsim: jobs had not ended after \(timeout) seconds; the pages are in \(printer.outputFolder)")
            return code == 0 ? EX_TEMPFAIL : code
        }
        let jobs = await printer.endedJobs.sorted { $0.id < $1.id }.map { job in
            (job: job, folder: "\(printer.outputFolder)/\(job.folder)")
        }
        if record, let golden { try Self.keep(jobs, in: golden) }
        let verdict: TrialVerdict
        do throws(ComparisonError) {
            verdict = try TrialVerdict(
                jobs, golden: golden, tolerance: tolerance, pictures: "\(printer.outputFolder)/differences")
        } catch {
            throw .noInput(error.message)
        }
        if let junit, (try? Data(verdict.junit.utf8).write(to: URL(filePath: junit))) == nil {
            throw .cannotCreate("'\(junit)' cannot be written")
        }
        for (job, folder) in jobs {
            let pages = "\(job.impressionsCompleted) side\(job.impressionsCompleted == 1 ? "" : "s")"
            Notice.write(
                "printsim: job \(job.id) (\(job.name)): \(job.state), \(pages)\(output == nil ? "" : " in \(folder)")")
        }
        for check in verdict.checks {
            if let failure = check.failure { Notice.write("printsim: FAILED: \(check.name): \(failure)") }
        }
        if !verdict.isGood { Notice.write("printsim: the pages are in \(printer.outputFolder)") }
        return code != 0 ? code : verdict.isGood ? 0 : 1
    }

    /// Waits until every job has ended; false when the time is over before.
    private static func settled(_ printer: SimulatedPrinter, within span: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                let events = await printer.events()
                if await printer.status.queuedJobs == 0 { return true }
                for await _ in events where await printer.status.queuedJobs == 0 { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: span)
                return false
            }
            let isSettled = await group.next() ?? false
            group.cancelAll()
            return isSettled
        }
    }

    /// Copies the jobs' pages to where golden ones are.
    private static func keep(_ jobs: [(job: SimulatedJob, folder: String)], in golden: String) throws(StartError) {
        let files = FileManager.default
        do {
            for (job, folder) in jobs {
                let target = jobs.count > 1 ? "\(golden)/\(job.folder)" : golden
                try files.createDirectory(atPath: target, withIntermediateDirectories: true)
                for name in try files.contentsOfDirectory(atPath: folder) where name.hasPrefix("page-") {
                    try? files.removeItem(atPath: "\(target)/\(name)")
                    try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(target)/\(name)")
                }
            }
        } catch {
            throw .cannotCreate("the golden pages cannot be written to '\(golden)': \(error)")
        }
    }
}

/// A program in the foreground: it has our input and output.
enum ForegroundProgram {
    /// Runs a program to its end; its exit code, or 128 and the number of the signal that ended it.
    static func run(_ words: [String], adding environment: [String: String]) async throws(StartError) -> Int32 {
        var variables = ProcessInfo.processInfo.environment
        variables.merge(environment) { $1 }
        let strings = words.map { strdup($0) }
        let settings = variables.map { strdup("\($0.key)=\($0.value)") }
        defer { for string in strings + settings { free(string) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, words[0], nil, nil, strings + [nil], settings + [nil])
        guard code == 0 else {
            throw StartError(
                description: "'\(words[0])' cannot be run: \(String(cString: strerror(code)))", exitCode: 127)
        }
        let child = pid
        // Waiting blocks a thread; it has one of its own.
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "program").async {
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
            }
        }
    }
}
