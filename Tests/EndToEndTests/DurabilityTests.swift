import Foundation
import IPP
import IPPClient
import SpoolerClient
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(TestRun.isLong ? 30 : 5)))
struct DurabilityTests {
    /// Submits one document several times, and returns the numbers of the acknowledged jobs in order.
    private func submit(_ path: String, times count: Int, to printer: String, at spooler: TestSpooler) async throws
        -> [Int]
    {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            let lanes = 4
            for lane in 0..<lanes {
                group.addTask {
                    let client = spooler.client
                    let queue = Spooler(client: client, user: "tester") { () throws(SpoolerClientError) in
                        throw SpoolerClientError(.unavailable, "the connection to printd was lost")
                    }
                    var ids: [Int] = []
                    for index in stride(from: lane, to: count, by: lanes) {
                        var submission = JobSubmission(
                            documents: [try DocumentFile(path: path)], id: UUID().uuidString)
                        submission.printer = printer
                        submission.title = "job \(index)"
                        do {
                            ids.append(try await queue.submit(submission))
                        } catch {
                            break  // printd was killed; only acknowledged jobs count
                        }
                    }
                    await client.close()
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
    }

    @Test func `if printd is killed, 300 accepted jobs survive, and each job is printed once`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        var pdf = PDFBuilder()
        pdf.addPage(width: 200, height: 100) { $0.text("once", x: 20, y: 40, size: 24) }
        let ids = try await submit(try spooler.file("once.pdf", pdf), times: 300, to: "mono-laser", at: spooler)
        spooler.stop(SIGKILL)
        #expect(ids == Array(1...300))

        try spooler.start()
        let queued = try await spooler.jobs("-d", "mono-laser")
        #expect(queued.map(\.id) == ids)
        #expect(queued.allSatisfy { $0.state == "pending" })

        // Long tests print all 300 jobs. Other runs print only the first 40 jobs, to check that printing continues.
        let printed = TestRun.isLong ? ids : Array(ids.prefix(40))
        if !TestRun.isLong {
            let rest = ids.dropFirst(40).map(String.init)
            expect(try await spooler.run(spooler.program("printq"), ["cancel"] + rest))
        }
        expect(try await spooler.printq("printers", "resume", "mono-laser"))
        try await spooler.eventually("the jobs are printed", within: .seconds(200)) {
            try spooler.log(of: "mono-laser").count >= printed.count
        }
        let log = try spooler.log(of: "mono-laser")
        #expect(log.count == printed.count)
        #expect(Set(log.map(\.uuid)).count == printed.count)
        #expect(log.allSatisfy { $0.state == "completed" && $0.impressions == 1 })
        try await spooler.eventually("printd has ended the jobs") { try await spooler.jobs().isEmpty }
    }

    @Test func `if printd is killed while it prints to a folder, each job is delivered once`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let folder = spooler.folder.path("printed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        expect(try await spooler.printq("printers", "add", "files", "folder:\(folder)"))
        expect(try await spooler.printq("printers", "pause", "files"))
        let count = 40
        let ids = try await submit(
            try spooler.file("two.pdf", .numbered(pages: 2)), times: count, to: "files", at: spooler)
        #expect(ids.count == count)
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        }
        expect(try await spooler.printq("printers", "resume", "files"))
        for delivered in [2, 9, 17, 30] {
            try await spooler.eventually("\(delivered) jobs are delivered") { try names().count >= delivered }
            spooler.stop(SIGKILL)
            try spooler.start()
        }
        try await spooler.eventually("printd has ended the jobs") { try await spooler.jobs().isEmpty }
        #expect(try names() == (0..<count).map { "job \($0).pdf" }.sorted())
    }

    @Test func `after printd is killed, each acknowledged job is printed once or is reported as suspended`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("two.pdf", .numbered(pages: 2))
        var acknowledged: [Int] = []
        for round in 0..<(TestRun.isLong ? 30 : 5) {
            acknowledged += try await submit(path, times: 4, to: "color-laser", at: spooler)
            // In each round, printd is killed a little later.
            let first = acknowledged[acknowledged.count - 4]
            try await spooler.eventually("the next job has started") {
                if round % 5 == 0 { return true }
                return try await spooler.job(first + round % 5 - 1).state != "pending"
            }
            spooler.stop(SIGKILL)
            try spooler.start()
        }
        #expect(acknowledged == Array(1...acknowledged.count))
        try await spooler.eventually("only suspended jobs remain", within: .seconds(90)) {
            try await spooler.jobs().allSatisfy { $0.reasons.contains("job-suspended") }
        }
        let log = try spooler.log(of: "color-laser").filter { $0.state == "completed" }
        let timesPrinted = Dictionary(grouping: log, by: \.uuid).mapValues(\.count)
        #expect(timesPrinted.values.allSatisfy { $0 == 1 })
        for job in try await spooler.jobs("--all") {
            let shown = try await spooler.job(job.id)
            if shown.reasons.contains("job-suspended") { continue }
            #expect(shown.state == "completed", "job \(job.id): \(shown)")
        }
        let done = try await spooler.jobs("--completed").count
        #expect(log.count == done, "the printer printed each completed job once")
    }

    @Test func `if a printer is killed and restarted, the printer prints each job only once`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(speed: "x10")
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 30)))
        try await spooler.eventually("pages are printed") { (try await spooler.job(id).impressions ?? 0) > 0 }
        for pid in spooler.processes(of: "printsim") { kill(pid, SIGKILL) }
        try await spooler.eventually("the job is suspended") {
            try await spooler.job(id).reasons.contains("job-suspended")
        }
        let log = try spooler.log(of: "color-laser")
        #expect(log.map(\.state) == ["aborted"])
        // The printer continues with other jobs.
        expect(try await spooler.printq("submit", "--wait", try spooler.file("b.pdf", .numbered(pages: 1))))
    }
}
