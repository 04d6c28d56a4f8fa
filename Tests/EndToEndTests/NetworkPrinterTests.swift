// Tests printing on network printers, including printers that do not respond.

import Foundation
import Glibc
import PrintModel
import PrintSpool
import PrintTestSupport
import PrintTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(4)))
struct NetworkPrinterTests {
    /// Returns a spooler with printers at these URIs.
    private func spooler(with printers: [(name: String, uri: String)]) async throws -> TestSpooler {
        let spooler = try TestSpooler()
        let spool = try Spool(folder: spooler.spool)
        for (name, uri) in printers { try await spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: uri)) }
        try spool.close()
        return spooler
    }

    @Test
    func `if a printer does not respond, only the jobs of this printer are delayed, and the jobs can be canceled`()
        async throws
    {
        let live = try await TestPrinter.start("mono-laser")
        let (silent, closed) = (try SilentPort(), try SilentPort())
        let spooler = try await spooler(with: [
            ("live", live.uri), ("silent", "ipp://127.0.0.1:\(silent.port)/ipp/print"),
            ("closed", "ipp://127.0.0.1:1/ipp/print"), ("second", "ipp://127.0.0.1:\(closed.port)/ipp/print"),
        ])
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        var dead: [Int] = []
        for printer in ["silent", "closed", "second"] {
            for _ in 0..<2 { dead.append(try await spooler.submit(path, "-d", printer)) }
        }
        var alive: [Int] = []
        for _ in 0..<5 { alive.append(try await spooler.submit(path, "-d", "live")) }
        for id in alive {
            try await spooler.waitForEnd(of: id)
            #expect(try await spooler.job(id).state == "completed")
        }
        for id in dead { #expect(["pending", "processing"].contains(try await spooler.job(id).state)) }
        for id in dead {
            expect(try await spooler.printq("cancel", "\(id)"))
            try await spooler.waitForEnd(of: id)
        }
        withExtendedLifetime((silent, closed)) {}
        await live.stop()
    }

    @Test func `the queue of a network printer shows the printer's fault until the fault is cleared`()
        async throws
    {
        let printer = try await TestPrinter.start(
            "mono-laser", speed: "x20", faults: ["toner-low", "media-empty at page 2"])
        let spooler = try await spooler(with: [("net", printer.uri)])
        try spooler.start()
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 3)), "-d", "net")
        try await spooler.eventually("the job has stopped") { try await spooler.job(id).state == "processing-stopped" }
        try await eventually("the printer is shown as stopped") {
            let shown = try await spooler.printq("printers").output
            return shown.contains("stopped") && shown.contains("Out of paper")
        }
        #expect(try await spooler.job(id).message?.contains("Out of paper") == true)
        try await printer.clear("media-empty")
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        let watched = try await spooler.printq("watch", "--after", "0", "--until-ended", "--json")
        let events = watched.lines.filter { $0.contains("printer-state") }
        #expect(events.contains { $0.contains("media-empty-error") && $0.contains("toner-low-warning") }, "\(watched)")
        #expect(events.contains { $0.contains("ontinues") }, "\(watched)")
        await printer.stop()
    }

    @Test func `if a network printer is out of paper, the current job can be canceled`() async throws {
        let printer = try await TestPrinter.start("mono-laser", faults: ["media-empty at page 2"])
        let spooler = try await spooler(with: [("net", printer.uri)])
        try spooler.start()
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 3)), "-d", "net")
        try await spooler.eventually("the job has stopped") { try await spooler.job(id).state == "processing-stopped" }
        expect(try await spooler.printq("cancel", "\(id)"))
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "canceled")
        #expect(try await printer.nextJob().state == .canceled)
        await printer.stop()
    }
}
