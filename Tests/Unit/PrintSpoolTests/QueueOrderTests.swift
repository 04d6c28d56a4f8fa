import PrintModel
import PrintSpool
import Testing

struct QueueOrderTests {
    let files = TestSpool()

    @Test func `in strict order, only the first job of the whole queue can be claimed`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (name, printer) in [("a", "laser"), ("b", "photo"), ("c", "laser")] {
            try await spool.submit(name, to: printer)
        }
        #expect(try await spool.claim(fromPrinters: ["photo"], order: .strict) == nil)
        #expect(try await spool.nextJobs(ofPrinters: ["photo"], order: .strict).isEmpty)
        #expect(try await spool.nextJobs(ofPrinters: ["photo", "laser"], order: .strict).map(\.name) == ["a"])
        #expect(try await spool.nextJobs(ofPrinters: ["photo", "laser"]).map(\.name) == ["a", "b"])
        #expect(try await spool.claim(fromPrinters: ["laser", "photo"], order: .strict)?.name == "a")
        #expect(try await spool.claim(fromPrinters: ["laser"], order: .strict) == nil)
        #expect(try await spool.claim(fromPrinters: ["laser", "photo"], order: .strict)?.name == "b")
    }

    @Test func `in strict order, a job waits for the job in progress, or for the first job if no job is in progress`()
        async throws
    {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (name, printer) in [("a", "laser"), ("b", "photo"), ("c", "laser")] {
            try await spool.submit(name, to: printer)
        }
        #expect(try await spool.jobInStrictWay(of: 1) == nil)
        #expect(try await spool.jobInStrictWay(of: 3)?.id == 1)
        try await spool.change(1, .claimed)
        #expect(try await spool.jobInStrictWay(of: 1) == nil)
        #expect(try await spool.jobInStrictWay(of: 2)?.id == 1)
        try await spool.change(1, .doubted(message: "?"))
        #expect(try await spool.jobInStrictWay(of: 2) == nil)
        #expect(try await spool.jobInStrictWay(of: 3)?.id == 2)
        #expect(try await spool.jobInStrictWay(of: 99) == nil)
    }

    @Test func `'change(_:ifStillWaiting:)' has no effect if the job was moved or claimed in the meantime`()
        async throws
    {
        let spool = try await files.open(printers: ["laser", "photo"])
        let job = try await spool.submit("a")
        let counted = JobStateMachine.Event.prepared(impressions: 2, sheets: 1, notice: nil)
        #expect(try await spool.change(job, ifStillWaiting: counted)?.impressions == 2)
        try await spool.update(job.id, printer: "photo")
        #expect(try await spool.job(job.id)?.impressions == nil)
        #expect(try await spool.change(job, ifStillWaiting: counted) == nil)
        let moved = try #require(try await spool.job(job.id))
        try await spool.change(job.id, .claimed)
        #expect(try await spool.change(moved, ifStillWaiting: .failed(.documentFormatError, message: "x")) == nil)
        #expect(try await spool.job(job.id)?.state == .processing)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `1,000 jobs with the same due time are released in one transaction`() async throws {
        let spool = try await files.open()
        let due = files.clock.now + 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                group.addTask { try await spool.submit("\(index)", holdUntil: .time(due)) }
            }
            try await group.waitForAll()
        }
        let database = Database(files)
        let before = try database.commits()
        #expect(try await spool.releaseDueJobs(now: due).count == 1000)
        // SQLite restarts the write-ahead log after the whole log has been copied into the database.
        let after = try database.commits()
        #expect(after == before + 1 || after == 1, "\(before), \(after)")
    }
}
