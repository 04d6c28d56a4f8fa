import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SilentPrintersTests {
    @Test func `300 printers that never respond delay neither other printers nor the exit of printd`() async throws {
        let trial = try TrialProcess()
        let run = try await trial.run("silent-printers", "--rounds", "2")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
    }
}
