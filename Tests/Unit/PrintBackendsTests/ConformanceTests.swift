import BackendTrials
import PrintModel
import Testing

/// Every way to a printer keeps to the same promises.
///
/// A new one needs a bench of its own, and a test here.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
    @Test(arguments: BackendTrial.allCases)
    func `IPP to a simulated printer over TCP keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run { try await SimulatorBench() }
    }

    @Test(arguments: BackendTrial.allCases)
    func `a folder keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run { try FolderBench() }
    }

    @Test(arguments: BackendTrial.allCases)
    func `IPP to a printer in memory keeps to what backends promise`(trial: BackendTrial) async throws {
        try await trial.run { try MemoryBench() }
    }
}
