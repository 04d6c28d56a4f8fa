import Foundation
import PrintTestSupport
import Testing

/// Tests of a network printer that loses power in the middle of a job.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct InterruptionTests {
    private let spooler: TestSpooler
    private let printer: NetworkPrinter

    init() async throws {
        spooler = try TestSpooler()
        try spooler.start()
        printer = try NetworkPrinter()
        expect(try await spooler.printq("printers", "add", "office", printer.uri, "--default"))
    }

    /// Switches the printer off after some pages of a five-page job, and on again.
    private func interrupt(after pages: Int, _ options: String...) async throws -> Int {
        expect(try await printer.control("fault", "media-empty at page \(pages + 1)"))
        let path = try spooler.file("five.pdf", .numbered(pages: 5))
        let id = try #require(try await spooler.run(spooler.program("printq"), ["submit", path] + options).jobID)
        try await spooler.eventually("the printer is out of paper") {
            try await spooler.job(id).state == "processing-stopped"
        }
        printer.switchOff()
        try printer.switchOn()
        return id
    }

    private func suspended(_ id: Int) async throws -> QueuedJob {
        try await spooler.eventually("the job is suspended") {
            try await spooler.job(id).reasons == ["job-suspended"]
        }
        return try await spooler.job(id)
    }

    @Test func `'after-interruption=ask' suspends the job, and 'printq resume' prints the remaining pages`()
        async throws
    {
        #expect(try await spooler.printq("printers", "after-interruption", "office").output == "ask\n")
        let id = try await interrupt(after: 2)
        let job = try await suspended(id)
        #expect(
            job.message
                == "office aborted the job: The printer was switched off after printing 2 of 5 sides. "
                + "2 pages were printed; check the printed sheets, then 'printq resume \(id)' continues with page 3, "
                + "'--from PAGE' selects another page, 'printq reprint \(id)' prints the whole job again, "
                + "'printq cancel \(id)' cancels the job")
        expect(try await spooler.printq("resume", "\(id)"))
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try printer.log.map(\.state) == ["aborted", "completed"])
        #expect(try printer.log.map(\.impressions) == [2, 3])
    }

    @Test func `a resumed job with cover sheets prints the remaining sheets, and counts all sheets`() async throws {
        let id = try await interrupt(after: 2, "--cover-sheets", "standard,standard")
        let job = try await suspended(id)
        #expect(job.message?.contains("'printq resume \(id)' continues with side 3") == true, "\(job)")
        expect(try await spooler.printq("resume", "\(id)"))
        try await spooler.waitForEnd(of: id)
        let ended = try await spooler.job(id)
        #expect((ended.state, ended.impressions, ended.sheets) == ("completed", 7, 7))
        #expect(try printer.log.map(\.impressions) == [2, 5])
    }

    @Test func `'printq queue' and 'printq log' list suspended jobs first`() async throws {
        let path = try spooler.file("one.pdf", .numbered(pages: 1))
        let done = try await spooler.submit(path, "-d", "office")
        try await spooler.waitForEnd(of: done)
        let id = try await interrupt(after: 1)
        _ = try await suspended(id)
        // Without the special order, a job in progress with a higher priority would be listed first.
        expect(try await printer.control("fault", "media-empty"))
        let next = try await spooler.submit(path, "-d", "office", "--priority", "90")
        try await spooler.eventually("the next job is at the printer") {
            try await spooler.job(next).state == "processing-stopped"
        }
        func rows(_ lines: [String]) -> [Int] {
            lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        }
        let queue = try await spooler.printq("queue")
        #expect(rows(queue.lines) == [id, next], "\(queue)")
        #expect(queue.complaints.contains("job \(id) is suspended; see 'printq why \(id)'"), "\(queue)")
        let ids = try await spooler.jobs().map(\.id)
        #expect(ids == [id, next])
        let log = try await spooler.printq("log")
        #expect(log.lines.first == "Suspended jobs:" && rows(log.lines) == [id, done], "\(log)")
        #expect(try await spooler.jobs("--completed").map(\.id) == [done])
    }

    @Test func `'after-interruption=continue' resumes the job at the first sheet that was not reported as printed`()
        async throws
    {
        let set = try await spooler.printq("printers", "change", "office", "--after-interruption", "continue")
        expect(set)
        // Two copies of three two-sided sheets.
        let id = try await interrupt(after: 3, "-n", "2", "--duplex", "long")
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect((job.state, job.impressions, job.sheets) == ("completed", 10, 6))
        #expect(try printer.log.map(\.state) == ["aborted", "completed"])
        let impressions = try printer.log.map(\.impressions)
        #expect(
            impressions.first.map { $0 + (impressions.last ?? 0) } == 10 + 1, "the front of one sheet was printed twice"
        )
    }

    @Test func `'after-interruption=abort' aborts the job`() async throws {
        expect(try await spooler.printq("printers", "after-interruption", "office", "abort"))
        let id = try await interrupt(after: 1)
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "aborted")
        let wrong = try await spooler.printq("printers", "after-interruption", "office", "hope")
        expect(wrong, code: 64)
        #expect(
            wrong.complaints.contains("invalid value 'hope' for <setting>; expected ask, continue or abort"), "\(wrong)"
        )
    }
}
