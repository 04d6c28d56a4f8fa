import Foundation
import PrintTestSupport
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(120)))
struct LeakTests {
    @Test(.enabled(if: TestRun.isLong, "part of scripts/test --long"))
    func `printd and printsim leak no open files, threads, child processes or memory`() async throws {
        let jobs = 10_000
        let trial = try TrialProcess()
        let run = try await trial.run("leaks", "--jobs", "\(jobs)", "--warm-up", "500")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("\(jobs) jobs after"))
    }
}
