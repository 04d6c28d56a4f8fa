import BackendTrials
import Testing

/// Tests that run the backend trials with a real cupsd.
///
/// The trials run one after another, because cupsd starts filters and a backend for each job.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CUPSConformanceTests {
    @Test(arguments: BackendTrial.allCases)
    func `a CUPS backend with a real cupsd passes the tests for all backends`(trial: BackendTrial) async throws {
        try await trial.run { try await CUPSBench() }
    }
}
