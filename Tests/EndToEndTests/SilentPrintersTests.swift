import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SilentPrintersTests {
    @Test func `if 300 printers never respond, responsive printers and the exit of printd are not delayed`()
        async throws
    {
        let trial = try TrialProcess()
        let run = try await trial.run("silent-printers", "--rounds", "2")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
    }
}
