import Foundation
import PrintTestSupport
import Testing

/// A printer on the network that loses power in the middle of a job.
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

    /// Has the printer lose power when some pages of a job of five are out, and come back.
    private func interrupt(after pages: Int, _ options: String...) async throws -> Int {
        expect(try await printer.care("fault", "media-empty at page \(pages + 1)"))
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

    @Test func `by default a person is asked, and the rest is printed when the job is resumed`() async throws {
        #expect(try await spooler.printq("printers", "after-interruption", "office").output == "ask\n")
        let id = try await interrupt(after: 2)
        let job = try await suspended(id)
        #expect(
            job.message
                == "office aborted the job: The printer was switched off after 2 of 5 sides of it had been printed. "
                + "2 pages were seen printed; look at the paper, then 'printq resume \(id)' goes on with page 3, '--from PAGE' "
                + "with another, 'printq reprint \(id)' prints all of it, 'printq cancel \(id)' gives it up")
        expect(try await spooler.printq("resume", "\(id)"))
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try printer.log.map(\.state) == ["aborted", "completed"])
        #expect(try printer.log.map(\.impressions) == [2, 3])
    }

    @Test func `the queue and the log show first what waits for a person`() async throws {
        let path = try spooler.file("one.pdf", .numbered(pages: 1))
        let done = try await spooler.submit(path, "-d", "office")
        try await spooler.waitForEnd(of: done)
        let id = try await interrupt(after: 1)
        _ = try await suspended(id)
        // A job in hand has the higher priority, and would stand before the suspended one.
        expect(try await printer.care("fault", "media-empty"))
        let next = try await spooler.submit(path, "-d", "office", "--priority", "90")
        try await spooler.eventually("the next job is at the printer") {
            try await spooler.job(next).state == "processing-stopped"
        }
        func rows(_ lines: [String]) -> [Int] {
            lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        }
        let queue = try await spooler.printq("queue")
        #expect(rows(queue.lines) == [id, next], "\(queue)")
        #expect(queue.complaints.contains("job \(id) is suspended; 'printq why \(id)' says why"), "\(queue)")
        let ids = try await spooler.jobs().map(\.id)
        #expect(ids == [id, next])
        let log = try await spooler.printq("log")
        #expect(log.lines.first == "Waiting for a person:" && rows(log.lines) == [id, done], "\(log)")
        #expect(try await spooler.jobs("--completed").map(\.id) == [done])
    }

    @Test func `continue: the job goes on by itself with the first sheet that was not seen printed`() async throws {
        let set = try await spooler.printq("printers", "change", "office", "--after-interruption", "continue")
        expect(set)
        // Two copies of three sheets with two sides.
        let id = try await interrupt(after: 3, "-n", "2", "--duplex", "long")
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect((job.state, job.impressions, job.sheets) == ("completed", 10, 6))
        #expect(try printer.log.map(\.state) == ["aborted", "completed"])
        let impressions = try printer.log.map(\.impressions)
        #expect(
            impressions.first.map { $0 + (impressions.last ?? 0) } == 10 + 1, "the front of one sheet came out twice")
    }

    @Test func `abort: the job is aborted`() async throws {
        expect(try await spooler.printq("printers", "after-interruption", "office", "abort"))
        let id = try await interrupt(after: 1)
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "aborted")
        let wrong = try await spooler.printq("printers", "after-interruption", "office", "hope")
        expect(wrong, code: 64)
        #expect(wrong.complaints.contains("there is no setting 'hope'; there are ask, continue, abort"), "\(wrong)")
    }
}
