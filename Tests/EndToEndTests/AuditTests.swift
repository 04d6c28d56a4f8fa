// Tests `printq audit` with the real programs.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct AuditTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    private func entries(_ arguments: String...) async throws -> [[String: Any]] {
        let run = try await spooler.run(spooler.program("printq"), ["audit", "--json"] + arguments)
        expect(run)
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    }

    @Test func `the audit log says who did what to which job, and contains no titles`() async throws {
        let file = try spooler.file("secret plans.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        expect(try await spooler.printq("submit", "-d", "mono-laser", "--title", "Salaries", file))
        expect(try await spooler.printq("cancel", "1"))
        expect(try await spooler.printq("queue"))
        expect(try await spooler.printq("cancel", "99"), code: 64)
        let all = try await entries()
        #expect(
            all.compactMap { $0["printq-audit-operation"] as? String }
                == ["Pause-Printer", "Print-Job", "Cancel-Job", "Cancel-Job"])
        #expect(all.map { $0["job-id"] as? Int } == [nil, 1, 1, 99])
        #expect(all.allSatisfy { $0["printq-audit-proof"] as? String == "kernel" })
        #expect(all.last?["printq-audit-status"] as? String == "client-error-not-found")
        #expect(try await entries("--job", "1").count == 2)
        #expect(try await entries("--user", "nobody").isEmpty)
        let table = try await spooler.printq("audit")
        #expect(table.output.contains("Print-Job") && table.output.contains("done"))
        let stored = try String(contentsOfFile: "\(spooler.spool)/audit.log", encoding: .utf8)
        #expect(!stored.contains("Salaries") && !stored.contains("secret"))
    }

    @Test func `the audit log survives a restart of printd`() async throws {
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        spooler.stop()
        try spooler.start()
        expect(try await spooler.printq("printers", "resume", "mono-laser"))
        #expect(try await entries().count == 2)
    }
}
