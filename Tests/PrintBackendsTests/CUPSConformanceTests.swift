import BackendTrials
import Testing

/// A real cupsd starts filters and a backend for each job: one trial after the other.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CUPSConformanceTests {
    @Test(arguments: BackendTrial.all(for: CUPSBench.self))
    func `a queue of a real cupsd keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run(on: try await CUPSBench())
    }
}
