import PrintTestSupport
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test(
        .enabled(
            if: PrivateMounts.command != nil,
            "a file system can be mounted by root or in a user namespace only, and here in neither"))
    func `on a full disk submissions are refused, no job is lost, and all goes on by itself when there is room`()
        async throws
    {
        let run = try await Trial().run("full-disk", "--report", "json")
        #expect(run.code == 0, "\(run.output)\n\(run.complaints)")
        #expect(run.output.contains("\"accepted\""))
    }
}
