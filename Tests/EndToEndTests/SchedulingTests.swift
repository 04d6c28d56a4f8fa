import Foundation
import PrintTestSupport
import Testing

/// Tests of the order of jobs and the handling of jobs that cannot be printed.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SchedulingTests {
    @Test func `the next job is prepared while another job is printing, and each job is printed only once`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start(speed: "x3")
        let long = try await spooler.submit(try spooler.file("long.pdf", .numbered(pages: 9)), "-d", "mono-laser")
        let next = try await spooler.submit(try spooler.file("next.pdf", .numbered(pages: 3)), "-d", "mono-laser")
        try await spooler.eventually("the next job's pages are known") {
            try await spooler.printq("show", "\(next)").output.contains("0 of 3 printed")
        }
        #expect(try await spooler.job(next).state == "pending")
        #expect(try await spooler.job(long).state == "processing")
        for id in [long, next] { try await spooler.waitForEnd(of: id) }
        #expect(try spooler.log(of: "mono-laser").count == 2)
    }

    @Test
    func
        `with queueOrder 'strict', a job waits for an earlier job of another printer, as 'printq why' explains`()
        async throws
    {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data("{queueOrder: 'strict'}".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("printers", "pause", "inkjet"))
        let head = try await spooler.submit(path, "-d", "inkjet")
        let behind = try await spooler.submit(path, "-d", "mono-laser")
        #expect(
            try await spooler.printq("why", "\(behind)").output
                == "Job \(behind) is waiting for job \(head) on inkjet because the queue prints in strict order. "
                + "Job \(head) is waiting because inkjet is paused; 'printq printers resume inkjet' resumes the "
                + "printer.\n")
        expect(try await spooler.printq("printers", "resume", "inkjet"))
        for id in [head, behind] { try await spooler.waitForEnd(of: id) }
        #expect(try spooler.log(of: "mono-laser").count == 1)
    }

    @Test func `with queueOrder 'fair', users take turns at a printer, as 'printq why' and 'printq queue' explain`()
        async throws
    {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data("{queueOrder: 'fair'}".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        try spooler.start(speed: "x3")
        var jobs: [Int] = []
        for (name, pages) in [("long.pdf", 9), ("a.pdf", 1), ("b.pdf", 1), ("other.pdf", 1)] {
            jobs.append(try await spooler.submit(try spooler.file(name, .numbered(pages: pages)), "-d", "mono-laser"))
        }
        try await spooler.sql("UPDATE jobs SET owner = 'other' WHERE id = \(jobs[3])")
        #expect(
            try await spooler.printq("why", "\(jobs[3])").output
                == "Job \(jobs[3]) is queued behind 1 job on mono-laser. Users take turns because the queue order is "
                + "fair: 1 job of other users will be printed first.\n")
        #expect(
            try await spooler.printq("why", "\(jobs[2])").output
                == "Job \(jobs[2]) is queued behind 3 jobs on mono-laser. Users take turns because the queue order is "
                + "fair: 2 jobs of the same user and 1 job of other users will be printed first.\n")
        let queue = try await spooler.printq("queue").output.split(separator: "\n")
        #expect(zip(queue.suffix(3), ["2 jobs ahead", "3 jobs ahead", "1 job ahead"]).allSatisfy { $0.hasSuffix($1) })
        for id in jobs { try await spooler.waitForEnd(of: id) }
        #expect(try spooler.log(of: "mono-laser").map(\.name) == ["long.pdf", "other.pdf", "a.pdf", "b.pdf"])
    }

    @Test
    func
        `a document that takes long is overtaken, as 'printq why' explains, and is aborted at its limit after a restart`()
        async throws
    {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data("{worker: {wallSeconds: 20}}".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        try spooler.start()
        let endless = try spooler.file("endless.ps", Array("%!\n{} loop\n".utf8))
        let slow = try await spooler.submit(endless, "-d", "mono-laser")
        let next = try await spooler.submit(try spooler.file("next.pdf", .numbered(pages: 1)), "-d", "mono-laser")
        let path = try spooler.file("other.pdf", .numbered(pages: 1))
        expect(try await spooler.run("lp", ["-h", spooler.socket, "-U", "bob", "-d", "mono-laser", path]))
        let other = next + 1
        try await spooler.waitForEnd(of: other)
        #expect(try await spooler.job(other).state == "completed")
        #expect(try await spooler.job(next).state == "pending")
        #expect(
            try await spooler.why(slow)
                == "Job \(slow) is waiting because its document is still being prepared. Until then, mono-laser prints "
                + "jobs of other users.\n")
        try await spooler.eventually("the time of the preparation is stored") {
            let rows = try await spooler.sql("SELECT preparation_seconds FROM jobs WHERE id = \(slow)")
            return try #require(Double(rows[0])) >= 10
        }
        spooler.stop(SIGKILL)
        try spooler.start()
        let start = ContinuousClock.now
        try await spooler.waitForEnd(of: slow)
        #expect(ContinuousClock.now - start < .seconds(18))
        let reason = try await spooler.why(slow)
        #expect(reason.contains("took more than 20 s"), "\(reason)")
        try await spooler.waitForEnd(of: next)
        #expect(try spooler.log(of: "mono-laser").map(\.name) == ["other.pdf", "next.pdf"])
    }

    @Test func `printd rejects an invalid value of 'queueOrder' with a message that lists the allowed values`()
        async throws
    {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data("{queueOrder: 'random'}".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        let run = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        #expect(run.code == 78)
        let message = "invalid value 'random' for queueOrder: must be per-printer or fair or strict"
        #expect(run.output.contains(message), "\(run)")
    }

    @Test func `the command 'printers policy' shows and changes the error policy of a printer`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        #expect(try await spooler.printq("printers", "policy", "inkjet").output == "retry-job\n")
        #expect(try await spooler.printq("printers", "policy", "inkjet", "stop-printer").output == "stop-printer\n")
        #expect(try await spooler.printq("printers", "policy", "inkjet").output == "stop-printer\n")
        let wrong = try await spooler.printq("printers", "policy", "inkjet", "pray")
        #expect(wrong.code == 64)
        #expect(wrong.complaints.contains("expected retry-job, abort-job or stop-printer"), "\(wrong)")
    }
}
