// Tests the commands that move, resume and reprint jobs.

import Foundation
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import Testing

@Suite struct AgainCommandTests {
    /// Returns a queue with a suspended job of five sides, a waiting job and an ended job.
    private func queue() async -> FakeQueue {
        let queue = FakeQueue()
        let owner = String(cString: getpwuid(getuid()).pointee.pw_name)
        for (index, state) in [JobState.processingStopped, .pending, .completed].enumerated() {
            var job = Job(
                id: index + 1, uuid: "urn:uuid:\(index)", printer: "color-laser", owner: owner, name: "report.pdf",
                state: state, reasons: state == .processingStopped ? [.jobSuspended] : [], createdAt: 1_700_000_000)
            (job.impressions, job.sheets, job.impressionsCompleted) = (5, 5, 2)
            if state.isTerminal { job.completedAt = 1_700_000_050 }
            await queue.add(job)
        }
        return queue
    }

    private func complaint(_ run: ProgramRun) -> String { run.complaints.trimmingCharacters(in: .newlines) }

    @Test func `'printq resume' reports the page from which the job continues`() async throws {
        try await withSpool(await queue()) { spool in
            try await spool.expect("resume", "1", prints: "job 1 continues with page 3 of 5 on color-laser\n")
        }
        try await withSpool(await queue()) { spool in
            try await spool.expect(
                "resume", "color-laser-1", "--from", "5", prints: "job 1 continues with page 5 of 5 on color-laser\n")
        }
    }

    @Test func `'printq resume' rejects printer names and invalid page numbers`() async throws {
        try await withSpool(await queue()) { spool in
            let printer = try await spool.printq("resume", "color-laser")
            #expect(printer.code == 64)
            #expect(
                complaint(printer) == "printq: 'color-laser' is not a job number; resume a printer with "
                    + "'printq printers resume color-laser'")
            try await spool.expect("resume", "1", "--from", "0", prints: "", code: 64)
            try await spool.expect("resume", prints: "", code: 64)
        }
    }

    @Test func `'printq queue' marks a suspended job and refers to 'printq why'`() async throws {
        try await withSpool(await queue()) { spool in
            let run = try await spool.printq("queue")
            let line = run.output.split(separator: "\n").dropFirst().first?.split(separator: " ").prefix(5)
            #expect(line?.dropFirst(3) == ["suspended", "2/5"], "\(run.output)")
            #expect(run.complaints == "job 1 is suspended; see 'printq why 1'\n")
            #expect(try await spool.printq("queue", "--json").complaints.isEmpty)
        }
    }

    @Test func `'printq reprint' creates a new job with the given options`() async throws {
        let queue = await queue()
        try await withSpool(queue) { spool in
            try await spool.expect(
                "reprint", "3", "-n", "2", "-d", "office", "--title", "again",
                prints: "job 4 on office: again (waiting)\n")
            try await spool.expect("reprint", "3", prints: "job 5 on color-laser: report.pdf (waiting)\n")
            try await spool.expect("reprint", "2", code: 1)
            let requests = await queue.requests
            #expect(requests.map(\.ticket.copies) == [2, nil])
            #expect(requests.allSatisfy { $0.submissionID?.isEmpty == false })
            #expect(Set(requests.map(\.submissionID)).count == 2)
        }
    }

    @Test func `'printq reprint' restarts a suspended job with the same job number and rejects new options`()
        async throws
    {
        try await withSpool(await queue()) { spool in
            let refused = try await spool.printq("reprint", "1", "-n", "2")
            #expect(refused.code == 1)
            let expected = "cannot change the options of job 1 in a reprint, because the job is suspended"
            #expect(complaint(refused).contains(expected))
            try await spool.expect("reprint", "1", prints: "job 1 on color-laser: report.pdf (waiting)\n")
        }
    }

    @Test func `'printq change' replaces the given options of waiting jobs and keeps the other options`() async throws {
        let queue = await queue()
        try await withSpool(queue) { spool in
            try await spool.expect("change", "2", "--copies", "3", prints: "job 2 is waiting\n")
            try await spool.expect("change", "2", "-o", "sides=two-sided-long-edge", prints: "job 2 is waiting\n")
            let ticket = await queue.jobs.first { $0.id == 2 }?.ticket
            #expect(ticket?.copies == 3 && ticket?.duplex == .longEdge)
            try await spool.expect("change", "2", prints: "", code: 64)
            try await spool.expect("change", "--copies", "2", prints: "", code: 64)
            try await spool.expect("change", "2", "--copies", "0", prints: "", code: 64)
        }
    }

    @Test func `'printq move' moves jobs to the printer in the last argument`() async throws {
        try await withSpool(await queue()) { spool in
            try await spool.expect("move", "2", "office", prints: "job 2 is waiting on office\n")
            let several = try await spool.printq("move", "1", "2", "3", "office")
            #expect(several.code == 1)
            #expect(several.output == "job 1 is suspended on office: \njob 2 is waiting on office\n")
            try await spool.expect("move", "2", "nowhere", prints: "", code: 64)
            try await spool.expect("move", "office", prints: "", code: 64)
            try await spool.expect("move", "office", "2", prints: "", code: 64)
        }
    }

    @Test func `'printq move --all' moves the waiting jobs of a printer`() async throws {
        let queue = await queue()
        try await withSpool(queue) { spool in
            try await spool.expect("move", "--all", "office", prints: "", code: 64)
            try await spool.expect("move", "--all", "-d", "color-laser", "1", "office", prints: "", code: 64)
            try await spool.expect(
                "move", "--all", "-d", "color-laser", "office",
                prints: "moved the waiting jobs of color-laser to office\n")
            #expect(await queue.jobs.map(\.printer) == ["office", "office", "color-laser"])
        }
    }
}
