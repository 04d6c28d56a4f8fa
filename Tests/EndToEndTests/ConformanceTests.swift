import Foundation
import PrintTestSupport
import Testing

/// Tests that run CUPS' conformance suites against the queues of `printd`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConformanceTests {
    /// The queues to test: one queue by default, all queues in long tests.
    private static let queues =
        TestRun.isLong
        ? ["color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll"] : ["color-laser"]

    @Test(arguments: queues)
    func `the queues pass ipptool's test suites for IPP 1.1 to 2.2, except for the listed failures`(
        queue: String
    ) async throws {
        try await pass("ipp-2.2.test", queue: queue, names: 69, least: 35)
    }

    @Test(arguments: queues)
    func `the queues pass ipptool's test suite for IPP Everywhere`(queue: String) async throws {
        try await pass("ipp-everywhere.test", queue: queue, names: 500, least: 70)
    }

    private func pass(_ file: String, queue: String, names: Int, least: Int) async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let document = try spooler.file("document.pdf", .numbered(pages: 2))
        let run = try await suite.run(file, against: "ipp://\(ready.host)/printers/\(queue)", document: document)
        #expect(run.names == names)
        #expect(run.results.count == run.names)
        let failures = run.failures(except: IPPTool.permitted)
        #expect(failures.isEmpty, "\(failures)")
        #expect(run.results.count { $0.outcome == .pass } > least)
        #expect(run.errors.isEmpty)
    }
}
