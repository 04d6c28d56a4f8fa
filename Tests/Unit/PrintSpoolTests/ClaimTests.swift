import PrintModel
import PrintSpool
import Testing

struct ClaimTests {
    let files = TestSpool()

    @Test func `jobs of all printers are claimed in the order of submission`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (name, printer) in [("a", "laser"), ("b", "photo"), ("c", "laser"), ("d", "photo")] {
            try await spool.submit(name, to: printer)
        }
        #expect(try await spool.claimAll(from: ["photo", "laser"]) == ["a", "b", "c", "d"])
    }

    @Test func `a claimed job is processing, has a start time and cannot be claimed again`() async throws {
        let spool = try await files.open()
        let job = try await spool.submit()
        files.clock.advance(by: 5)
        let claimed = try #require(try await spool.claim(fromPrinters: ["laser"]))
        #expect(claimed.id == job.id)
        #expect(claimed.state == .processing)
        #expect(claimed.processingAt == files.clock.now)
        #expect(claimed.documents == job.documents)
        #expect(try await spool.claim(fromPrinters: ["laser"]) == nil)
    }

    @Test func `jobs are claimed by priority, and in order of submission if priorities are equal`() async throws {
        let spool = try await files.open()
        for (name, priority) in [("low", 10), ("first", 50), ("high", 90), ("second", 50)] {
            try await spool.submit(name, priority: priority)
        }
        #expect(try await spool.claimAll(from: ["laser"]) == ["high", "first", "second", "low"])
    }

    @Test func `jobs of stopped or paused printers wait, and jobs of other printers are claimed`() async throws {
        let spool = try await files.open(printers: ["stuck", "laser"])
        try await spool.submit("a", to: "stuck")
        try await spool.submit("b", to: "laser")
        #expect(try await spool.claimAll(from: ["laser"]) == ["b"])
        try await spool.pausePrinter(named: "stuck", message: "toner")
        #expect(try await spool.claim(fromPrinters: ["stuck", "laser"]) == nil)
        try await spool.resumePrinter(named: "stuck")
        #expect(try await spool.claimAll(from: ["stuck", "laser"]) == ["a"])
    }

    @Test func `if a job waits for a retry, only the jobs that follow in the same printer's queue are delayed`()
        async throws
    {
        let spool = try await files.open(printers: ["far", "laser"])
        let postponed = try await spool.submit("postponed", to: "far")
        try await spool.submit("behind", to: "far")
        try await spool.submit("elsewhere", to: "laser")
        _ = try await spool.claim(fromPrinters: ["far"])
        let due = files.clock.now + 30
        try await spool.change(postponed.id, .postponed(until: due, message: "unreachable"))
        try await spool.submit("urgent", to: "far", priority: 90)

        #expect(try await spool.claimAll(from: ["far", "laser"]) == ["urgent", "elsewhere"])
        #expect(try await spool.nextDueTime() == due)
        files.clock.advance(by: 30)
        #expect(try await spool.nextDueTime() == nil)
        #expect(try await spool.nextDueTime(after: due - 1) == due)
        #expect(try await spool.claimAll(from: ["far", "laser"]) == ["postponed", "behind"])
    }

    @Test func `if a job is held until a point in time, the job is released at this time`() async throws {
        let spool = try await files.open()
        let due = files.clock.now + 60
        let held = try await spool.submit("later", holdUntil: .time(due))
        try await spool.submit("now")
        try await spool.submit("never", holdUntil: .indefinite)
        #expect(held.state == .pendingHeld)
        #expect(held.heldUntil == due)
        #expect(try await spool.claimAll(from: ["laser"]) == ["now"])
        #expect(try await spool.nextDueTime() == due)
        #expect(try await spool.releaseDueJobs(now: due - 1).isEmpty)
        #expect(try await spool.releaseDueJobs(now: due).map(\.name) == ["later"])
        #expect(try await spool.claimAll(from: ["laser"]) == ["later"])
        #expect(try await spool.nextDueTime() == nil)
    }

    @Test func `concurrent claims never return the same job twice`() async throws {
        let spool = try await files.open()
        for index in 0..<50 { try await spool.submit("\(index)") }
        let claimed = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var ids: [Int] = []
                    while let job = try await spool.claim(fromPrinters: ["laser"]) { ids.append(job.id) }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == Array(1...50))
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `after a crash, 'jobsToRescue' returns the jobs in progress but no suspended jobs`() async throws {
        let spool = try await files.open()
        for name in ["printing", "stopped", "doubtful", "waiting", "done"] { try await spool.submit(name) }
        for id in [1, 2, 3] { try await spool.change(id, .claimed) }
        try await spool.change(1, .createdAtPrinter(RemoteJob(id: 77, uuid: "urn:uuid:there")))
        try await spool.change(2, .printerStopped(message: "no paper"))
        try await spool.change(3, .doubted(message: "page 7 may have printed"))
        try await spool.complete(5)

        let copy = try files.copyAsKilled()
        let survivor = try await copy.open()
        let rescued = try await survivor.jobsToRescue()
        #expect(rescued.map(\.name) == ["printing", "stopped"])
        #expect(rescued[0].remote == RemoteJob(id: 77, uuid: "urn:uuid:there"))
    }
}
