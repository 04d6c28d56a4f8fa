// Runs a program with a printer, and checks its jobs.

import FoundationEssentials
import Glibc
import PageComparison
import PrintModel
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Synchronization
import UnixSignals

struct Trial: Sendable {
    struct Outcome: Sendable {
        var code: Int32
        var isWorthKeeping: Bool
    }

    private enum End: Sendable {
        case ended(Int32, isSettled: Bool)
        case signaled(Int32)
    }

    let options: RunCommand
    let golden: GoldenFolder?
    let state: InheritedProcessState
    let signals: UnixSignalsSequence
    /// The secret with which the program uses the HTTP API of the printers.
    let token: ControlToken
    let reasons = PrinterReasons()
    private let start = ContinuousClock.now

    init(
        options: RunCommand, golden: GoldenFolder?, state: InheritedProcessState, signals: UnixSignalsSequence,
        token: ControlToken
    ) {
        (self.options, self.golden, self.state, self.signals, self.token) = (options, golden, state, signals, token)
    }

    func outcome(at printers: [SimulatedPrinter], _ ready: Ready) async -> Outcome {
        let wait = await JobWait(printers, count: options.jobs)
        for printer in printers { reasons.add(await printer.status.printer.reasons) }
        var verdict = TrialVerdict()
        let process: ForegroundProcess
        do throws(LaunchError) {
            process = try ForegroundProcess(
                options.command, environment: environment(ready), handing: state)
        } catch {
            verdict.add("the program succeeds", failure: error.description)
            Notice.write("printsim: \(error.description)")
            return Outcome(code: written(verdict, error.code == ENOENT ? 127 : 126), isWorthKeeping: false)
        }
        switch await end(of: process, wait) {
        case .signaled(let signal):
            verdict.add("the run ends without a signal", failure: "signal \(signal) ended the run")
            return Outcome(code: written(verdict, 128 + signal), isWorthKeeping: false)
        case .ended(let code, let isSettled):
            verdict.judge(exitCode: code)
            for printer in printers { reasons.add(await printer.status.printer.reasons) }
            return await judged(verdict, code < 0 ? 128 - code : code, isSettled, wait)
        }
    }

    private func environment(_ all: Ready) -> [String: String] {
        let printers = all.printers
        let ready = printers[0]
        var environment = ProcessInfo.processInfo.environment
        environment["PRINTSIM_URI"] = ready.uri
        environment["PRINTSIM_IPPS_URI"] = ready.ippsURI
        environment["PRINTSIM_OUTPUT"] = ready.output
        environment["PRINTSIM_CENTER"] = all.center
        environment["PRINTSIM_TOKEN"] = token.text
        for printer in printers where printers.count > 1 {
            let name = printer.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            environment["PRINTSIM_URI_\(String(name))"] = printer.uri
        }
        environment["CUPS_SERVER"] = String(ready.uri.split(separator: "/")[1])
        // The default printer of the user's environment does not exist on this server.
        environment["LPDEST"] = ready.name
        environment["PRINTER"] = nil
        return environment
    }

    /// Waits until the program and its jobs have ended, or until a signal arrives.
    ///
    /// After a signal, the function also ends the program.
    private func end(of process: ForegroundProcess, _ wait: JobWait) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask {
                let code = await process.untilEnded()
                return .ended(code, isSettled: await wait.untilSettled(within: options.timeout.duration))
            }
            group.addTask {
                for await signal in signals { return .signaled(signal.rawValue) }
                return nil
            }
            var end = End.signaled(SIGTERM)
            for await found in group {
                guard let found else { continue }
                end = found
                break
            }
            if case .signaled(let signal) = end { await process.end(by: signal) }
            group.cancelAll()
            return end
        }
    }

    private func judged(
        _ verdict: TrialVerdict, _ code: Int32, _ isSettled: Bool, _ wait: JobWait
    ) async -> Outcome {
        var verdict = verdict
        let ended = await wait.ended
        let (jobs, place) = (ended.map(\.job), Self.place(of: wait.printers))
        if !isSettled {
            let message = "timed out after \(options.timeout) waiting for \(wait.goal): \(await wait.activity)"
            verdict.add("the jobs end before the timeout", failure: message)
            Notice.write("printsim: \(message); the pages are in \(place)")
            return Outcome(code: written(verdict, code == 0 ? EX_TEMPFAIL : code), isWorthKeeping: true)
        }
        verdict.judge(jobs, expecting: options.jobs)
        verdict.judge(jobs, checking: options.check)
        verdict.judge(
            printerReasons: reasons.all, expecting: options.expect, allowsOthers: options.allowPrinterWarnings)
        let trouble = settle(&verdict, ended.map { ($0.job, $0.folder) }, place)
        for (job, path) in ended.map({ ($0.job, $0.folder) }) {
            let sides = "\(job.impressionsCompleted) side\(job.impressionsCompleted == 1 ? "" : "s")"
            let folder = options.output == nil ? "" : " in \(path)"
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

    /// The folder that contains the output of all printers.
    private static func place(of printers: [SimulatedPrinter]) -> String {
        let folder = printers[0].outputFolder
        guard printers.count > 1, let slash = folder.lastIndex(of: "/") else { return folder }
        return String(folder[..<slash])
    }

    /// Records or compares the golden pages.
    ///
    /// Differences are added to `verdict`. Returns an exit code if the golden pages cannot be recorded or read;
    /// otherwise nil.
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
                Notice.write("printsim: recorded no golden pages, because the run failed")
                return nil
            }
            try golden.record(jobs.map(\.folder))
            return nil
        } catch let error as ComparisonError {
            verdict.add("the golden pages can be read", failure: error.message)
            return EX_NOINPUT
        } catch let error as SimulatorServerError {
            verdict.add("the golden pages exist", failure: error.message)
            return error.code == .goldenMissing ? EX_NOINPUT : EX_CANTCREAT
        } catch {
            verdict.add("the golden pages exist", failure: "\(error)")
            return EX_SOFTWARE
        }
    }

    /// Writes the results as JUnit XML if requested.
    ///
    /// Returns `code`, or the exit code of the failure if `code` is 0 and the write fails.
    private func written(_ verdict: TrialVerdict, _ code: Int32) -> Int32 {
        let time = start.duration(to: .now) / .seconds(1)
        guard let junit = options.junit,
            (try? Data(verdict.junit(seconds: time).utf8).write(to: URL(filePath: junit))) == nil
        else {
            return code
        }
        Notice.write("printsim: cannot write '\(junit)'; check its folder, or choose another file with --junit")
        return code == 0 ? EX_CANTCREAT : code
    }
}

/// The state reasons that a printer has reported during the run (`printer-state-reasons`).
final class PrinterReasons: Sendable {
    private let reasons = Mutex<Set<String>>([])

    var all: Set<String> { reasons.withLock { $0 } }

    func add(_ more: [String]) { reasons.withLock { $0.formUnion(more) } }

    func note(_ event: JobEvent) {
        if event.kind == "printer-state-changed" { add(event.reasons) }
    }
}
