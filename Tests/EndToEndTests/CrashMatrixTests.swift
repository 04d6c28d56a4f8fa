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
        let trial = try Trial()
        let seed = UInt64.random(in: 1...100_000)
        let run =
            isLong
            ? try await trial.run("matrix", "--rounds", "5", "--seed", "\(seed)", "--report", "json")
            : try await trial.run("matrix", "--cells", "8", "--seed", "\(seed)", "--report", "json")
        #expect(run.code == 0, "seed \(seed): \(run.output)\n\(run.complaints)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.cells >= 8 && report.problems.isEmpty)
    }
}
