import BackendTrials
import Testing

/// A real cupsd starts filters and a backend for each job: one trial after the other.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CUPSConformanceTests {
    // Canceling midway is left out: cupsd calls a job canceled before its printer has ended it, and that end is not seen yet.
    @Test(arguments: BackendTrial.all(for: CUPSBench.self).filter { $0 != .cancelsMidway })
    func `a queue of a real cupsd keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run(on: try await CUPSBench())
    }
}
