import PrintModel
import PrintSpool
import Testing

struct ObserveTests {
    let files = TestSpool()

    @Test func `jobs in progress are listed first, and waiting jobs follow in the order of printing`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (name, priority) in [("a", 50), ("b", 50), ("c", 90), ("d", 20)] {
            try await spool.submit(name, priority: priority)
        }
        try await spool.change(2, .claimed)
        #expect(try await spool.jobs().map(\.name) == ["b", "c", "a", "d"])
        #expect(try await spool.jobs(in: JobListRange(limit: 2, offset: 1)).map(\.name) == ["c", "a"])
        #expect(try await spool.jobs(in: JobListRange(offset: 3)).map(\.name) == ["d"])
        #expect(try await spool.jobs(in: JobListRange(limit: 0)).isEmpty)
    }

    @Test func `ended jobs are listed newest first, after the jobs that have not ended`() async throws {
        let spool = try await files.open()
        for name in ["a", "b", "c", "d"] { try await spool.submit(name) }
        for id in [3, 1] {
            files.clock.advance(by: 1)
            try await spool.complete(id)
        }
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.name) == ["a", "c"])
        #expect(try await spool.jobs(JobFilter(.all)).map(\.name) == ["b", "d", "a", "c"])
        #expect(try await spool.jobs(JobFilter(.notCompleted)).map(\.name) == ["b", "d"])
    }

    @Test func `filters by printer, owner and job IDs can be combined`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        try await spool.submit("a", to: "laser", owner: "ada")
        try await spool.submit("b", to: "photo", owner: "ada")
        try await spool.submit("c", to: "photo", owner: "bob")
        #expect(try await spool.jobs(JobFilter(printer: "photo")).map(\.name) == ["b", "c"])
        #expect(try await spool.jobs(JobFilter(owner: "ada")).map(\.name) == ["a", "b"])
        #expect(try await spool.jobs(JobFilter(printer: "photo", owner: "ada")).map(\.name) == ["b"])
        #expect(try await spool.jobs(JobFilter(.all, ids: [3, 1, 99])).map(\.name) == ["a", "c"])
        #expect(try await spool.jobs(JobFilter(ids: [])).isEmpty)
        #expect(try await spool.jobs(JobFilter(owner: "x' OR 1=1 --")).isEmpty)
        #expect(try await spool.job(99) == nil)
    }

    @Test func `'countWaitingBefore' returns the number of jobs that are printed before a job`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for name in ["printing", "doubtful", "held", "a", "b"] { try await spool.submit(name) }
        try await spool.submit("urgent", priority: 90)
        try await spool.submit("other", to: "photo")
        try await spool.change(1, .claimed)
        try await spool.change(2, .claimed)
        try await spool.change(2, .doubted(message: "?"))
        try await spool.change(3, .holdRequested(until: nil))
        #expect(try await spool.countWaitingBefore(5) == 3)  // printing, urgent, a
        #expect(try await spool.countWaitingBefore(6) == 1)
        #expect(try await spool.countWaitingBefore(1) == 0)
        #expect(try await spool.countWaitingBefore(7) == 0)
        #expect(try await spool.countQueuedJobs(printer: "laser") == 6)
        #expect(try await spool.countQueuedJobs(printer: "photo") == 1)
        #expect(try await spool.countQueuedJobs(printer: "nowhere") == 0)
        #expect(try await spool.countQueuedJobs(printer: "photo", owner: "ada") == 1)
        #expect(try await spool.countQueuedJobs(owner: "bob") == 0)
        #expect(try await spool.countQueuedJobs() == 7)
    }

    @Test func `2,500 jobs are listed with all their documents`() async throws {
        let spool = try await files.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<2500 { group.addTask { try await spool.submit("\(index)") } }
            try await group.waitForAll()
        }
        let jobs = try await spool.jobs()
        #expect(jobs.count == 2500)
        #expect(jobs.allSatisfy { $0.documents.map(\.name) == ["\($0.name).txt"] })
    }
}
