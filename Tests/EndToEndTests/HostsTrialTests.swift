import Foundation
import PrintTestSupport
import ProcessLaunch
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(TestRun.isLong ? 120 : 5)))
struct HostsTrialTests {
    /// The results that the test checks.
    private struct Report: Decodable {
        struct Times: Decodable {
            var count: Int
            var worst: Double
        }

        var rounds: Int
        var acknowledged: Int
        var lost: Int
        var twice: Int
        var stuck: Int
        var lostUpdates: Int
        var takeover: Times
    }

    @Test func `if hosts, networks and the database fail at any time, no job is lost or printed twice`() async throws {
        let trial = try TrialProcess()
        let rounds = TestRun.isLong ? 500 : 16
        let seed = UInt64.random(in: 1...100_000)
        let run = try await trial.run("hosts", "--rounds", "\(rounds)", "--seed", "\(seed)", "--report", "json")
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.rounds >= rounds)
        #expect(report.acknowledged > rounds, "\(run.output)")
        #expect(report.lost == 0 && report.twice == 0 && report.stuck == 0 && report.lostUpdates == 0, "\(run.output)")
        #expect(report.takeover.count > 0 && report.takeover.worst < 15, "\(run.output)")
    }
}
