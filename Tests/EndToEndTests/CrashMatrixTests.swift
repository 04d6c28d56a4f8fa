import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(TestRun.isLong ? 60 : 5)))
struct CrashMatrixTests {
    /// The results that the test checks.
    private struct Report: Decodable {
        var cells: Int
        var problems: [String]
    }

    @Test
    func `if printd or the printer is killed at any step of a delivery, no job is lost or printed twice`() async throws
    {
        try await expectNothingLost(way: "network", cells: 8, rounds: 5)
    }

    @Test
    func `if printd or cupsd is killed at any step of a delivery, no job is lost, and printd sends no job twice`()
        async throws
    {
        try await expectNothingLost(way: "cups", cells: 4, rounds: 3)
    }

    /// Tests randomly selected cells of the matrix; in long tests, all cells in several rounds.
    private func expectNothingLost(way: String, cells: Int, rounds: Int) async throws {
        let trial = try TrialProcess()
        let seed = UInt64.random(in: 1...100_000)
        let size = TestRun.isLong ? ["--rounds", "\(rounds)"] : ["--cells", "\(cells)"]
        let run = try await trial.run(["matrix", "--way", way, "--seed", "\(seed)", "--report", "json"] + size)
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.cells >= cells && report.problems.isEmpty)
    }
}
