import BackendTrials
import Testing

/// A real cupsd starts filters and a backend for each job: one trial after the other.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CUPSConformanceTests {
    @Test(arguments: BackendTrial.allCases)
    func `a queue of a real cupsd keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run { try await CUPSBench() }
    }
}
