import Glibc
import PrintTestSupport
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test(
        .enabled(
            if: PrivateMounts.command != nil,
            "the test requires root or a user namespace to mount a file system"))
    func `submissions are refused while the disk is full, and all jobs are printed after space is freed`() async throws
    {
        let run = try await TrialProcess().run("full-disk", "--report", "json")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("\"accepted\""))
    }

    @Test(
        .enabled(
            if: PrivateMounts.command != nil && geteuid() == 0,
            "the test requires root to mount a file system that belongs to the server"))
    func `while the disk of the database is full, submissions are refused, and all jobs are printed afterwards`()
        async throws
    {
        let run = try await TrialProcess().run("full-disk", "--disk", "database", "--report", "json")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("\"accepted\""))
    }
}
