import Glibc
import PrintTestSupport
import SpoolerTrials
import Testing

/// Tests of the processes that a trial kills.
struct TrialSpoolerTests {
    @Test func `a trial fails if a printd that it does not kill holds the spool`() async throws {
        let folder = try TemporaryFolder()
        try await TrialSpooler.waitUntilUnlocked(folder.path)
        let lock = open(folder.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        let error = await #expect(throws: NeverSo.self) { try await TrialSpooler.waitUntilUnlocked(folder.path) }
        #expect(error?.description.contains("no printd holds the spool") == true)
        close(lock)
        try await TrialSpooler.waitUntilUnlocked(folder.path)
    }
}
