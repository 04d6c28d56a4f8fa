import Foundation
import PrintTestSupport
import ProcessLaunch
import SpoolerTrials
import Testing

private let isLong = ProcessInfo.processInfo.environment["PRINTQ_LONG_TESTS"] != nil

@Suite(.serialized, .timeLimit(.minutes(isLong ? 120 : 5)))
struct CrashTests {
    /// The figures that matter here.
    private struct Report: Decodable {
        var rounds: Int
        var jobs: Int
        var violations: [String: Int]
    }

    @Test func `killed at any moment, printd, printsim and workers lose no job and print none twice`() async throws {
        let trial = try Trial()
        let rounds = isLong ? 1000 : 20
        let seed = UInt64.random(in: 1...100_000)
        let run = try await trial.run("crash", "--rounds", "\(rounds)", "--seed", "\(seed)", "--report", "json")
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.rounds == rounds)
        #expect(report.jobs > rounds * 2, "\(run.output)")
        #expect(report.violations.count == 10 && report.violations.values.allSatisfy { $0 == 0 })
    }
}

/// A trial in a process of its own; when the last reference goes, so does everything that it started.
final class Trial: Sendable {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    deinit { TrialSpooler.endAll(of: folder.path) }

    /// Runs the trial of a name to its end.
    func run(_ arguments: String...) async throws -> ProgramRun {
        try await run(through: [], arguments)
    }

    /// Runs the trial of a name to its end, started by another program.
    func run(through starter: [String], _ arguments: [String]) async throws -> ProgramRun {
        let command = starter + [Programs.beside("spooler-trial")] + arguments + ["--folder", folder.path]
        return try await ProgramRun(
            command[0], Array(command.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C", "TZ": "UTC", "HOME": folder.path],
            in: folder.path)
    }
}
