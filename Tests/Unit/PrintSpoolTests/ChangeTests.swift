import PrintModel
import PrintSpool
import Synchronization
import Testing

struct ChangeTests {
    let files = TestSpool()

    @Test func `a change of a job stores the new state and returns the action that the caller must take`() async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.change(id, .claimed)
        try await spool.change(id, .prepared(impressions: 4, sheets: 2, notice: nil))
        let stopping = try await spool.change(id, .cancelRequested(byOperator: false))
        #expect(stopping.action == .stopSending)
        #expect(stopping.job.state == .processing)
        #expect(stopping.job.reasons.contains(.processingToStopPoint))
        let ended = try await spool.change(id, .backendStopped)
        #expect(ended.action == .finish)
        let stored = try #require(try await spool.job(id))
        #expect(stored == ended.job)
        #expect(stored.state == .canceled)
        #expect(stored.completedAt == files.clock.now)
        #expect(stored.sheets == 2)
    }

    @Test(.requiresSQLite("the test counts statements of SQLite"))
    func `several jobs are changed or moved in transactions of 200 jobs, and other jobs remain unchanged`() async throws
    {
        let commits = Mutex(0)
        let spool = try await files.open(
            printers: ["laser", "photo"],
            trace: { sql in if sql.hasPrefix("BEGIN IMMEDIATE") { commits.withLock { $0 += 1 } } })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<450 { group.addTask { _ = try await spool.submit() } }
            try await group.waitForAll()
        }
        try await spool.complete(1)
        try await spool.change(2, .claimed)
        func counting(_ body: () async throws -> Void) async throws -> Int {
            commits.withLock { $0 = 0 }
            try await body()
            return commits.withLock { $0 }
        }
        let ids = Array(1...450)
        #expect(try await counting { try await spool.move(ids, to: "photo") } == 3)
        #expect(try await spool.jobs(JobFilter(.all)).map(\.printer).count { $0 == "photo" } == 448)
        #expect(await code { try await spool.move(ids, to: "attic") } == .noSuchPrinter)
        try await spool.change(3, .cancelRequested(byOperator: true))
        var changes: [(id: Int, event: JobStateMachine.Event)] = ids.map { ($0, .cancelRequested(byOperator: false)) }
        changes.append((999, .claimed))
        let count = try await counting {
            let changed = try await spool.change(changes)
            #expect(changed.map(\.job.id) == [2] + Array(4...450))
            #expect(changed.map(\.action) == [.stopSending] + Array(repeating: .finish, count: 447))
        }
        #expect(count == 3)
        let states = try await spool.jobs(JobFilter(.all)).sorted { $0.id < $1.id }.map(\.state)
        #expect(states == [.completed, .processing] + Array(repeating: .canceled, count: 448))
        #expect(
            try await spool.events(after: 0, jobID: 450).map(\.kind).suffix(2) == [
                "job-config-changed", "job-completed",
            ])
        await spool.finishRemovals()
        #expect(files.names(in: "jobs").count <= 2, "the prepared files of canceled jobs are removed")
    }

    @Test func `an impossible change of a job is refused with a message and has no effect`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.complete(id)
        let before = try await spool.latestEventSequence()
        let error = await #expect(throws: SpoolError.self) { try await spool.change(id, .holdRequested(until: nil)) }
        #expect(error?.code == .notPossible)
        #expect(error?.message.contains("only a waiting job can be held") == true)
        #expect(await code { try await spool.change(99, .claimed) } == .noSuchJob)
        #expect(try await spool.latestEventSequence() == before)
    }

    @Test func `the event log contains each state transition once and in order, and no event after the job has ended`()
        async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.submit("other")
        try await spool.change(id, .claimed)
        try await spool.change(id, .claimed)
        try await spool.change(id, .prepared(impressions: 2, sheets: 1, notice: nil))
        try await spool.change(id, .sent)
        try await spool.change(id, .progressed(impressions: 1, sheets: nil))
        try await spool.change(id, .progressed(impressions: 1, sheets: nil))
        try await spool.change(id, .delivered(warning: nil))
        try await spool.change(id, .sent)

        let events = try await spool.events(after: 0, jobID: id)
        #expect(
            events.map { "\($0.kind) \($0.state!): \($0.message)" } == [
                "job-created pending: Accepted for laser",
                "job-state-changed processing: Preparing",
                "job-progress processing: Prepared",
                "job-state-changed processing: Printing",
                "job-progress processing: Printing page 2 of 2",
                "job-completed completed: ",
            ])
        #expect(events.map(\.sequence) == events.map(\.sequence).sorted())
        #expect(Set(events.map(\.sequence)).count == events.count)
        #expect(try await spool.events(after: events[3].sequence, jobID: id).count == 2)
        #expect(try await spool.events(after: 0, limit: 3).count == 3)
        #expect(try await spool.events(after: 0).last?.sequence == spool.latestEventSequence())
    }

    @Test func `an observer wakes when a job changes, and several changes before the wake-up cause only one wake-up`()
        async throws
    {
        let spool = try await files.open()
        var changes = spool.changes().makeAsyncIterator()
        for _ in 0..<5 { try await spool.submit() }
        #expect(await changes.next() != nil)
        try await spool.change(1, .cancelRequested(byOperator: false))
        #expect(await changes.next() != nil)

        // Calls without changes wake no observer, so the next element is the end of the stream.
        _ = try await spool.claim(fromPrinters: ["nowhere"])
        _ = try await spool.releaseDueJobs()
        try spool.close()
        #expect(await changes.next() == nil)
        var late = spool.changes().makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test func `a submission wakes the scheduler only if the new job is the next job of the printer`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        let count = Mutex(0)
        try await spool.wake({ count.withLock { $0 += 1 } }) {
            var woken: [Bool] = []
            func note(_ change: () async throws -> Void) async throws {
                count.withLock { $0 = 0 }
                try await change()
                // Writes run one after another, so the observers of the previous write were woken before this one.
                _ = try await spool.synchronousLevel()
                woken.append(count.withLock { $0 > 0 })
            }
            try await note { try await spool.submit("first") }
            try await note { try await spool.submit("second") }
            try await note { try await spool.submit("first elsewhere", to: "photo") }
            try await note { try await spool.submit("urgent", priority: 90) }
            #expect(woken == [true, false, true, true])

            woken = []
            try await note { try await spool.submit(holdUntil: .time(files.clock.now + 5)) }
            try await note { try await spool.change(2, .cancelRequested(byOperator: false)) }
            try await note { try await spool.pausePrinter(named: "laser", message: "") }
            #expect(woken == [true, true, true])

            var changes = spool.changes().makeAsyncIterator()
            woken = []
            try await note { try await spool.submit("last") }
            #expect(woken == [false])
            #expect(await changes.next() != nil)
        }
    }

    @Test func `a waiting job can be renamed, moved and prioritized, and a printing job cannot be changed`()
        async throws
    {
        let spool = try await files.open(printers: ["laser", "photo"])
        try await spool.submit("a")
        try await spool.submit("b")
        let moved = try await spool.update(2, printer: "photo", name: "B", priority: 80)
        #expect(moved.printer == "photo")
        #expect(moved.name == "B")
        #expect(try await spool.claimAll(from: ["laser", "photo"]) == ["B", "a"])
        #expect(await code { try await spool.update(1, name: "late") } == .notPossible)
        #expect(try await spool.events(after: 0, jobID: 2).map(\.message).contains("Moved from laser to photo"))
    }

    @Test func `if a job is moved, its retry delay is removed, and a move to an unknown printer is refused`()
        async throws
    {
        let spool = try await files.open(printers: ["laser", "photo"])
        try await spool.submit("a")
        try await spool.change(1, .claimed)
        try await spool.change(1, .postponed(until: files.clock.now + 99, message: "unreachable"))
        #expect(await code { try await spool.update(1, printer: "nowhere") } == .noSuchPrinter)
        let moved = try await spool.update(1, printer: "photo")
        #expect(moved.retryAt == nil)
        #expect(moved.message.isEmpty)
        #expect(try await spool.claim(fromPrinters: ["photo"])?.id == 1)
    }
}
