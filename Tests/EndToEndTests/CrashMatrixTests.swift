import Foundation
import PrintTestSupport
import Testing

private let isLong = ProcessInfo.processInfo.environment["PRINTQ_LONG_TESTS"] != nil

@Suite(.serialized, .timeLimit(.minutes(isLong ? 60 : 5)))
struct CrashMatrixTests {
    /// The figures that matter here.
    private struct Report: Decodable {
        var cells: Int
        var problems: [String]
    }

    @Test
    func `killed at any step of a delivery over the network, spooler and printer lose no job and print none twice`()
        async throws
    {
        try await expectNothingLost(way: "network", cells: 8, rounds: 5)
    }

    @Test
    func `killed at any step of a delivery through cupsd, all three lose no job, and the spooler prints none twice`()
        async throws
    {
        try await expectNothingLost(way: "cups", cells: 4, rounds: 3)
    }

    /// Tries some cells that chance picks; in the long tests all of them, in several rounds.
    private func expectNothingLost(way: String, cells: Int, rounds: Int) async throws {
        let trial = try Trial()
        let seed = UInt64.random(in: 1...100_000)
        let size = isLong ? ["--rounds", "\(rounds)"] : ["--cells", "\(cells)"]
        let run = try await trial.run(["matrix", "--way", way, "--seed", "\(seed)", "--report", "json"] + size)
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.cells >= cells && report.problems.isEmpty)
    }
}
