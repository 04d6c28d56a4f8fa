import Foundation
import PrintTestSupport
import SpoolerTrials
import Testing

private let isLong = ProcessInfo.processInfo.environment["PRINTQ_LONG_TESTS"] != nil

@Suite(.serialized, .timeLimit(.minutes(120)))
struct LeakTests {
    @Test(.enabled(if: isLong, "part of scripts/test --long"))
    func `printd and printsim leak no open files, threads, child processes or memory`() async throws {
        let jobs = 10_000
        let trial = try TrialProcess()
        let run = try await trial.run("leaks", "--jobs", "\(jobs)", "--warm-up", "500")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("\(jobs) jobs after"))
    }

    @Test func `the leak check accepts fluctuating values and rejects growing values`() {
        let jumpy = (0..<40).map { $0 < 10 ? 0.0 : 100 + Double($0 % 3) }
        #expect(abs(Flatness(jumpy).growth) <= 1)
        #expect(Flatness((0..<40).map { Double($0) * 2 }).growth == 40)
        #expect(Flatness([5, 5, 5, 5, 5, 5, 3, 3]).growth == -2)
    }
}
