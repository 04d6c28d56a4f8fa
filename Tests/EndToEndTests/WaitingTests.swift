// Tests `printq submit --wait` with the real programs.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct WaitingTests {
    /// Starts `printq submit --wait`, which runs during the test.
    private func waiting(_ spooler: TestSpooler, _ path: String) throws -> ChildProgram {
        try ChildProgram(spooler.program("printq"), ["submit", "--wait", "--spool", spooler.spool, path])
    }

    @Test
    func `if printd is killed while the job is waiting, 'submit --wait' continues to wait until the job ends`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 2))
        expect(try await spooler.printq("submit", "--wait", path))
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let printq = try waiting(spooler, path)
        let first = printq.readLine()
        #expect(first?.hasPrefix("waiting: Job 2 is waiting because color-laser is paused") == true, "\(first ?? "")")
        spooler.stop(SIGKILL)
        expect(try await spooler.printq("printers", "resume", "color-laser"))
        let end = try printq.finish()
        #expect(end.code == 0, "\(end.output)")
        #expect(end.output.contains("\njob 2 completed: 2 pages on 2 sheets\n"), "\(end.output)")
        #expect(spooler.processes(of: "printd").count == 1)
    }

    @Test
    func `if printd is killed while the job is printing, 'submit --wait' continues to wait until the job ends`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start(speed: "x20")
        let printq = try waiting(spooler, try spooler.file("a.pdf", .numbered(pages: 9)))
        while let line = printq.readLine(), !line.hasPrefix("Printing page ") {}
        spooler.stop(SIGKILL)
        let end = try printq.finish()
        #expect(end.code == 0, "\(end.output)")
        #expect(end.output.contains("\njob 1 completed: 9 pages on"), "\(end.output)")
    }

    @Test func `'submit --wait' cancels the event subscription when the job has ended`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 2))))
        #expect(try await spooler.subscriptions() == 0)
    }

    @Test func `after an interrupt, 'submit --wait' leaves the job in the queue and suggests commands for the job`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let printq = try waiting(spooler, try spooler.file("a.pdf", .numbered(pages: 2)))
        #expect(printq.readLine()?.hasPrefix("waiting: ") == true)
        printq.interrupt()
        let end = try printq.finish()
        #expect(end.code == 130)
        #expect(
            end.output.hasSuffix(
                "printq: interrupted; job 1 stays in the queue: 'printq watch 1' follows the job, "
                    + "'printq cancel 1' cancels the job\n"), "\(end.output)")
        #expect(try await spooler.job(1).state == "pending")
        #expect(try await spooler.subscriptions() == 0)
    }
}
