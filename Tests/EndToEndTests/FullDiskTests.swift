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
}
