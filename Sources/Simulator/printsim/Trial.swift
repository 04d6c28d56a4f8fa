// A program that prints, from its start to the verdict on it.

import FoundationEssentials
import Glibc
import PageComparison
import PrintModel
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Synchronization
import UnixSignals

/// A program that is run with a printer of its own.
struct Trial: Sendable {
    /// How it ended.
    struct Outcome: Sendable {
        var code: Int32
        /// Whether somebody will want to look at what was printed.
        var isWorthKeeping: Bool
    }

    private enum End: Sendable {
        case ended(Int32, isSettled: Bool)
        case told(Int32)
    }

    let options: RunCommand
    let golden: GoldenFolder?
    let state: StartingState
    let signals: UnixSignalsSequence
    let reasons = PrinterReasons()

    /// Runs the program at a printer that can be reached, waits for its jobs, and says what is wrong with them.
    func outcome(at printer: SimulatedPrinter, _ ready: Ready.Printer) async -> Outcome {
        let wait = JobWait(
            printer, besides: Set(await (printer.unfinishedJobs + printer.endedJobs).map(\.id)), count: options.jobs)
        reasons.add(await printer.status.printer.reasons)
        var verdict = TrialVerdict()
        let process: ForegroundProcess
        do throws(LaunchError) {
            process = try ForegroundProcess(
                options.command, environment: environment(printer, ready), handing: state)
        } catch {
            verdict.add("the program succeeds", failure: error.description)
            Notice.write("printsim: \(error.description)")
            return Outcome(code: written(verdict, error.code == ENOENT ? 127 : 126), isWorthKeeping: false)
        }
        switch await end(of: process, wait) {
        case .told(let signal):
            verdict.add("the run ends by itself", failure: "signal \(signal) ended it")
            return Outcome(code: written(verdict, 128 + signal), isWorthKeeping: false)
        case .ended(let code, let isSettled):
            verdict.judge(exitCode: code)
            reasons.add(await printer.status.printer.reasons)
            return await judged(verdict, code < 0 ? 128 - code : code, isSettled, wait)
        }
    }

    private func environment(_ printer: SimulatedPrinter, _ ready: Ready.Printer) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["PRINTSIM_URI"] = ready.uri
        environment["PRINTSIM_IPPS_URI"] = ready.ippsURI
        environment["PRINTSIM_OUTPUT"] = printer.outputFolder
        environment["CUPS_SERVER"] = String(ready.uri.split(separator: "/")[1])
        // Somebody's own default printer is none of this server's.
        environment["LPDEST"] = ready.name
        environment["PRINTER"] = nil
        return environment
    }

    /// Waits until the program has ended and its jobs have, or until a signal says to leave, when the program is ended.
    private func end(of process: ForegroundProcess, _ wait: JobWait) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask {
                let code = await process.untilEnded()
                return .ended(code, isSettled: await wait.untilSettled(within: options.timeout.duration))
            }
            group.addTask {
                for await signal in signals { return .told(signal.rawValue) }
                return nil
            }
            var end = End.told(SIGTERM)
            for await found in group {
                guard let found else { continue }
                end = found
                break
            }
            if case .told(let signal) = end { await process.end(by: signal) }
            group.cancelAll()
            return end
        }
    }

    private func judged(
        _ verdict: TrialVerdict, _ code: Int32, _ isSettled: Bool, _ wait: JobWait
    ) async -> Outcome {
        var verdict = verdict
        let (jobs, place) = (await wait.ended, wait.printer.outputFolder)
        if !isSettled {
            let words = "waited \(options.timeout) for \(wait.words), in vain: \(await wait.activity)"
            verdict.add("the jobs end in time", failure: words)
            Notice.write("printsim: \(words); the pages are in \(place)")
            return Outcome(code: written(verdict, code == 0 ? EX_TEMPFAIL : code), isWorthKeeping: true)
        }
        verdict.judge(jobs, expecting: options.jobs)
        if !options.allowPrinterWarnings { verdict.judge(printerReasons: reasons.all) }
        let trouble = settle(&verdict, jobs.map { ($0, "\(place)/\($0.folder)") }, place)
        for job in jobs {
            let sides = "\(job.impressionsCompleted) side\(job.impressionsCompleted == 1 ? "" : "s")"
            let folder = options.output == nil ? "" : " in \(place)/\(job.folder)"
            Notice.write("printsim: job \(job.id) (\(job.name)): \(job.state), \(sides)\(folder)")
        }
        for check in verdict.checks {
            if let failure = check.failure { Notice.write("printsim: FAILED: \(check.name): \(failure)") }
        }
        if !verdict.isGood, !jobs.isEmpty { Notice.write("printsim: the pages are in \(place)") }
        let own = trouble ?? (verdict.isGood ? 0 : 1)
        return Outcome(
            code: written(verdict, code != 0 ? code : own), isWorthKeeping: !verdict.isGood && !jobs.isEmpty)
    }

    /// Records the golden pages, or compares with them; the exit code when that cannot be done.
    private func settle(
        _ verdict: inout TrialVerdict, _ jobs: [(job: SimulatedJob, folder: String)], _ place: String
    ) -> Int32? {
        guard let golden else { return nil }
        do {
            guard options.record else {
                try verdict.compare(
                    jobs, with: golden, tolerance: options.tolerance, pictures: "\(place)/differences")
                return nil
            }
            guard verdict.isGood else {
                Notice.write("printsim: nothing is recorded, for the run was not good")
                return nil
            }
            try golden.record(jobs.map(\.folder))
            return nil
        } catch let error as ComparisonError {
            verdict.add("the golden pages can be read", failure: error.message)
            return EX_NOINPUT
        } catch let error as SimulatorServerError {
            verdict.add("the golden pages are there", failure: error.message)
            return error.code == .goldenMissing ? EX_NOINPUT : EX_CANTCREAT
        } catch {
            verdict.add("the golden pages are there", failure: "\(error)")
            return EX_SOFTWARE
        }
    }

    /// Writes the verdict for JUnit's readers, if one is wanted; the exit code, which says if that failed and nothing else.
    private func written(_ verdict: TrialVerdict, _ code: Int32) -> Int32 {
        guard let junit = options.junit, (try? Data(verdict.junit.utf8).write(to: URL(filePath: junit))) == nil else {
            return code
        }
        Notice.write("printsim: '\(junit)' cannot be written; look at its folder, or name another file with --junit")
        return code == 0 ? EX_CANTCREAT : code
    }
}

/// What a printer has said of itself (`printer-state-reasons`).
final class PrinterReasons: Sendable {
    private let reasons = Mutex<Set<String>>([])

    var all: Set<String> { reasons.withLock { $0 } }

    func add(_ more: [String]) { reasons.withLock { $0.formUnion(more) } }

    func note(_ event: JobEvent) {
        if event.kind == "printer-state-changed" { add(event.reasons) }
    }
}
