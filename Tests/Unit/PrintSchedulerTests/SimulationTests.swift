import Foundation
import PrintTestSupport
import Testing

/// Tests with a simulated spooler, printers, people and faults, generated from a seed; see `Tools/spool-simulation`.
struct SimulationTests {
    /// Returns the injected faults that a run tests: all in the long run, otherwise one, which differs from run to run.
    private static func faults(_ all: [(String, String)]) -> [(String, String)] {
        TestRun.isLong ? all : Array(all.shuffled().prefix(1))
    }

    private func simulate(_ arguments: String...) async throws -> ProgramRun {
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        return try await ProgramRun(
            BuiltPrograms.folder + "spool-simulation", arguments, environment: environment, in: NSTemporaryDirectory())
    }

    /// Returns the second-last line of the summary, without the values that depend on speed.
    private func story(of run: ProgramRun) -> String? {
        run.output.split(separator: "\n").dropLast().last?.split(separator: ";").last.map(String.init)
    }

    @Test func `in 2,000 simulations, no job is lost or printed twice, and every job ends or has a reason for waiting`()
        async throws
    {
        let run = try await simulate("--seeds", TestRun.isLong ? "1-50000" : "1-2000")
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test func `in 200 simulations of several hosts, no job is lost or printed twice, and each printer has one driver`()
        async throws
    {
        let run = try await simulate("--store", "postgresql", "--seeds", TestRun.isLong ? "1-10000" : "1-200")
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test(arguments: ["sqlite", "postgresql"])
    func `simulations report no fault for seeds that revealed faults in earlier versions`(store: String) async throws {
        let run = try await simulate("--store", store, "--known")
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test(.enabled(if: TestRun.isLong, "part of scripts/test --long"))
    func `a seed produces the same result, whether simulations run one at a time or two in parallel`()
        async throws
    {
        let runs = [
            try await simulate("--seeds", "1-20", "--jobs", "1"), try await simulate("--seeds", "1-20", "--jobs", "2"),
            try await simulate("--seeds", "2-21", "--jobs", "1"),
            try await simulate("--store", "postgresql", "--seeds", "1-20", "--jobs", "1"),
            try await simulate("--store", "postgresql", "--seeds", "1-20", "--jobs", "2"),
        ]
        let stories = runs.map(story)
        #expect(stories[0] != nil && stories[0] == stories[1])
        #expect(stories[0] != stories[2])
        #expect(stories[3] != nil && stories[3] == stories[4])
        #expect(stories[0] != stories[3])
    }

    @Test(
        arguments: faults([
            ("resend-blindly", "was printed"), ("forget-sync", "aborted without a cause"),
            ("lose-newest", "is missing"), ("reuse-ids", "is missing"), ("last-come-first", "was sent to"),
        ]))
    func `the simulation reports a fault that was injected into the spooler`(sabotage: String, words: String)
        async throws
    {
        let run = try await simulate("--seeds", "1-200", "--sabotage", sabotage)
        #expect(run.code == 1)
        #expect(run.output.contains(words), "\(run.output)")
    }

    @Test(
        arguments: faults([
            ("ignore-leases", "in progress to"), ("take-leases-early", "have a valid lease"),
            ("outlive-leases", "have a valid lease"), ("resend-blindly", "was printed"),
            ("forget-locks", "reverted a change"),
        ]))
    func `the simulation of several hosts reports a fault that was injected into the leases or the locks`(
        sabotage: String, words: String
    ) async throws {
        let run = try await simulate("--store", "postgresql", "--seeds", "1-100", "--sabotage", sabotage)
        #expect(run.code == 1)
        #expect(run.output.contains(words), "\(run.output)")
    }

    @Test func `the simulation exits with code 64 if its command line is invalid`() async throws {
        let run = try await simulate("--seeds", "20-1")
        #expect(run.code == 64)
        #expect(run.complaints.hasPrefix("usage: "))
    }
}
