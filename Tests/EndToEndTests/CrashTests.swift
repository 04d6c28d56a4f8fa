import Foundation
import PrintTestSupport
import ProcessLaunch
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(TestRun.isLong ? 120 : 5)))
struct CrashTests {
    /// The results that the test checks.
    private struct Report: Decodable {
        var rounds: Int
        var jobs: Int
        var violations: [String: Int]
    }

    @Test func `if printd, printsim and workers are killed at any time, no job is lost or printed twice`() async throws
    {
        let trial = try TrialProcess()
        let rounds = TestRun.isLong ? 1000 : 20
        let seed = UInt64.random(in: 1...100_000)
        let run = try await trial.run("crash", "--rounds", "\(rounds)", "--seed", "\(seed)", "--report", "json")
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.rounds == rounds)
        #expect(report.jobs > rounds * 2, "\(run.output)")
        #expect(report.violations.count == 10 && report.violations.values.allSatisfy { $0 == 0 })
    }
}
