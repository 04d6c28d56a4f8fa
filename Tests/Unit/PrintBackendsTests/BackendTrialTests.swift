import BackendTrials
import PrintModel
import Testing

/// Tests that run the backend trials with every backend.
///
/// A new backend needs a bench and a test here.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BackendTrialTests {
    @Test(arguments: BackendTrial.allCases)
    func `an IPP backend with a simulated printer over TCP passes the tests for all backends`(trial: BackendTrial)
        async throws
    {
        try await trial.run { try await SimulatorBench() }
    }

    @Test(arguments: BackendTrial.allCases)
    func `a folder backend passes the tests for all backends`(trial: BackendTrial) async throws {
        try await trial.run { try FolderBench() }
    }

    @Test(arguments: BackendTrial.allCases)
    func `an IPP backend with a printer in memory passes the tests for all backends`(trial: BackendTrial) async throws {
        try await trial.run { try MemoryBench() }
    }
}
