import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReplacementTests {
    @Test func `if printd is replaced under load, no connection is refused, and each job is printed once`() async throws
    {
        let trial = try TrialProcess()
        let run = try await trial.run("upgrade", "--rounds", "3")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("3 replacements of printd"))
        #expect(run.output.contains("refused connections 0, lost answers 0"))
    }
}
