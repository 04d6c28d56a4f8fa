import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct QueueTests {
    @Test func `a held job is not printed before its release`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let held = try await spooler.submit(path, "--hold")
        #expect(try await spooler.job(held).state == "pending-held")
        #expect(
            try await spooler.printq("why", "\(held)").output
                == "Job \(held) is held; 'printq release \(held)' prints the job.\n")
        // A later job is printed in the meantime.
        expect(try await spooler.printq("submit", "--wait", path))
        #expect(try await spooler.job(held).state == "pending-held")
        #expect(try await spooler.printq("release", "\(held)").code == 0)
        try await spooler.waitForEnd(of: held)
        #expect(try await spooler.job(held).state == "completed")
    }

    @Test func `if a job is held until a given time, the job is printed at this time`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let moment = Date().addingTimeInterval(6)
        let id = try await spooler.submit(path, "-o", "job-hold-until=@\(Int(moment.timeIntervalSince1970))")
        #expect(try await spooler.job(id).state == "pending-held")
        #expect(try await spooler.printq("why", "\(id)").output.hasPrefix("Job \(id) is held for another "))
        try await spooler.waitForEnd(of: id)
        #expect(Date().timeIntervalSince1970 >= moment.timeIntervalSince1970.rounded(.down))
        let tomorrow = try await spooler.submit(path, "--hold")
        #expect(try await spooler.printq("hold", "\(tomorrow)", "--until", "2099-01-31T18:30").code == 0)
        #expect(try await spooler.printq("queue").output.contains("held until"))
    }

    @Test func `if a job is canceled while waiting, the job is not printed`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let id = try await spooler.submit(path, "-d", "mono-laser")
        #expect(
            try await spooler.printq("why", "\(id)").output
                == "Job \(id) is waiting because mono-laser is paused; "
                + "'printq printers resume mono-laser' resumes the printer.\n"
        )
        let run = try await spooler.printq("cancel", "\(id)")
        expect(run)
        #expect(run.output == "job \(id) is canceled\n")
        expect(try await spooler.printq("printers", "resume", "mono-laser"))
        expect(try await spooler.printq("submit", "--wait", "-d", "mono-laser", path))
        #expect(try spooler.log(of: "mono-laser").count == 1)
        let again = try await spooler.printq("cancel", "\(id)")
        expect(again, code: 1)
    }

    @Test func `if a printing job is canceled, the job stops after the current page`() async throws {
        let spooler = try TestSpooler()
        // 30 pages a minute: two seconds a page.
        try spooler.start(speed: "x1")
        let id = try await spooler.submit(try spooler.file("long.pdf", .numbered(pages: 40)))
        try await spooler.eventually("the job is printing") {
            try await spooler.job(id).reasons == ["job-printing"]
        }
        expect(try await spooler.printq("cancel", "\(id)"))
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect(job.state == "canceled")
        #expect(job.reasons == ["job-canceled-by-operator"] || job.reasons == ["job-canceled-by-user"])
        let log = try spooler.log(of: "color-laser")
        #expect(log.map(\.state) == ["canceled"])
        #expect(log.allSatisfy { $0.impressions < 10 })
    }

    @Test func `a paused printer delays only its own jobs`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let waiting = try await spooler.submit(path)
        expect(try await spooler.printq("submit", "--wait", "-d", "mono-laser", path))
        #expect(try await spooler.job(waiting).state == "pending")
        let run = try await spooler.printq("printers", "resume", "color-laser")
        expect(run)
        try await spooler.waitForEnd(of: waiting)
        #expect(try await spooler.job(waiting).state == "completed")
    }

    @Test func `jobs of one printer are printed by priority and then in order of arrival`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        for name in ["c", "a", "b"] {
            _ = try await spooler.submit(try spooler.file("\(name).pdf", .numbered(pages: 1)))
        }
        let last = try await spooler.submit(try spooler.file("first.pdf", .numbered(pages: 1)), "--priority", "90")
        expect(try await spooler.printq("printers", "resume", "color-laser"))
        for id in 1...last { try await spooler.waitForEnd(of: id) }
        #expect(try spooler.log(of: "color-laser").map(\.name) == ["first.pdf", "c.pdf", "a.pdf", "b.pdf"])
    }

    @Test func `'printq show' lists the events of a job`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 2))))
        let run = try await spooler.printq("show", "1")
        expect(run)
        #expect(run.output.contains("job        1: a.pdf\n") || run.output.hasPrefix("job "))
        for words in ["completed", "color-laser", "2 of 2 printed, on 2 sheets", "\(spooler.spool)/output/color-laser"]
        {
            #expect(run.output.contains(words), "\(words) in \(run.output)")
        }
        let events = try #require(run.output.range(of: "\nevents"))
        #expect(run.output[events.upperBound...].split(separator: "\n").count >= 5)
    }

    @Test func `the commands 'queue', 'log', 'printers' and 'papers' can write text and JSON`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "inkjet"))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let id = try await spooler.submit(path, "-d", "inkjet")
        expect(try await spooler.printq("submit", "--wait", path))
        #expect(try await spooler.jobs().map(\.id) == [id])
        #expect(try await spooler.jobs("--all").count == 2)
        let queue = try await spooler.printq("queue")
        #expect(queue.lines.count == 2)
        #expect(queue.lines[0].hasPrefix("JOB"))
        let log = try await spooler.printq("log")
        #expect(log.lines.count == 2)
        #expect(log.lines[1].contains("completed"))
        let printers = try await spooler.printq("printers")
        #expect(printers.lines.count == 8)
        #expect(printers.output.contains("paused"))
        let papers = try await spooler.printq("papers", "-d", "inkjet")
        expect(papers)
        #expect(papers.output.contains("iso_a4_210x297mm"))
        for arguments in [["log"], ["printers"], ["papers"], ["doctor"], ["show", "\(id)"], ["why", "\(id)"]] {
            let run = try await spooler.run(spooler.program("printq"), arguments + ["--json"])
            #expect((try? JSONSerialization.jsonObject(with: Data(run.output.utf8))) != nil, "\(arguments): \(run)")
        }
    }

    @Test func `'printq printers default' changes the default printer`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        #expect(try await spooler.printq("printers", "default").output == "color-laser\n")
        expect(try await spooler.printq("printers", "default", "mono-laser"))
        let run = try await spooler.printq("submit", try spooler.file("a.pdf", .numbered(pages: 1)))
        #expect(run.output.hasPrefix("job 1 on mono-laser: a.pdf"))
    }

    @Test func `'printq why' and 'printq doctor' explain why simulated printers do not start`() async throws {
        let spooler = try TestSpooler()
        try spooler.start("--simulators", "/nonexistent")
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 1)))
        try await spooler.eventually("job \(id) could not be delivered") {
            try await spooler.printq("why", "\(id)").output.contains("could not be delivered")
        }
        let words = "cannot start the simulated printers: no folder '/nonexistent'"
        #expect(try await spooler.printq("why", "\(id)").output.contains(words))
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.code != 0)
        let line = doctor.lines.first { $0.hasPrefix("error: color-laser") }
        #expect(line?.contains(words) == true, "\(doctor)")
    }

    @Test func `'printq doctor' reports no errors for a new spool`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let run = try await spooler.printq("doctor")
        expect(run)
        #expect(!run.output.contains("error:"))
        #expect(run.output.contains("seccomp"))
        #expect(run.lines.filter { $0.hasSuffix(" responds") }.count == 7, "\(run.output)")
    }
}

extension TestSpooler {
    /// Waits until a job has ended.
    func waitForEnd(of id: Int, within limit: Duration = .seconds(60)) async throws {
        try await eventually("job \(id) has ended", within: limit) {
            ["completed", "canceled", "aborted"].contains(try await job(id).state)
        }
    }
}
