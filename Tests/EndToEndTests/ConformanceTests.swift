import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ConformanceTests {
    @Test func `printd's queue passes the whole suite of IPP 1.1`() async throws {
        let spooler = try Spooler()
        let ready = try spooler.start(tcp: true)
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let document = try spooler.file("document.pdf", .numbered(pages: 2))
        let run = try await suite.run(
            "ipp-1.1.test", against: "ipp://\(ready.host)/printers/color-laser", document: document)
        #expect(run.names > 60)
        #expect(run.results.count == run.names)
        #expect(run.failures.isEmpty, "\(run.failures)")
        #expect(run.results.count { $0.outcome == .pass } > 30)
        #expect(run.errors.isEmpty)
    }
}
