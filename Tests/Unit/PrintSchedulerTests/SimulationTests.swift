import Foundation
import PrintTestSupport
import Testing

/// Worlds of a spooler, printers, people and faults, each generated from a seed; see `Tools/spool-simulation`.
struct SimulationTests {
    private func simulate(_ arguments: String...) async throws -> ProgramRun {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = "\(here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex))spool-simulation"
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        return try await ProgramRun(program, arguments, environment: environment, in: NSTemporaryDirectory())
    }

    /// Returns the summary's last line but one, without the values that depend on speed.
    private func story(of run: ProgramRun) -> String? {
        run.output.split(separator: "\n").dropLast().last?.split(separator: ";").last.map(String.init)
    }

    @Test func `in 2,000 worlds no job is lost or printed twice, and every job ends or has a reason to wait`()
        async throws
    {
        let isLong = ProcessInfo.processInfo.environment["PRINTQ_LONG_TESTS"] != nil
        let run = try await simulate("--seeds", isLong ? "1-50000" : "1-2000")
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test func `worlds that once found a fault find no fault now`() async throws {
        let run = try await simulate("--known")
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test func `the same seeds have the same results, on one core or two`() async throws {
        let runs = [
            try await simulate("--seeds", "1-20", "--jobs", "1"), try await simulate("--seeds", "1-20", "--jobs", "2"),
            try await simulate("--seeds", "2-21", "--jobs", "1"),
        ]
        let stories = runs.map(story)
        #expect(stories[0] != nil && stories[0] == stories[1])
        #expect(stories[0] != stories[2])
    }

    @Test(arguments: [
        ("resend-blindly", "came out"), ("forget-sync", "aborted without a reason"), ("lose-newest", "is not there"),
        ("reuse-ids", "is not there"), ("last-come-first", "came to"),
    ])
    func `an injected fault is found`(sabotage: String, words: String) async throws {
        let run = try await simulate("--seeds", "1-200", "--sabotage", sabotage)
        #expect(run.code == 1)
        #expect(run.output.contains(words), "\(run.output)")
    }

    @Test func `an invalid command line exits with 64`() async throws {
        let run = try await simulate("--seeds", "20-1")
        #expect(run.code == 64)
        #expect(run.complaints.hasPrefix("usage: "))
    }
}
