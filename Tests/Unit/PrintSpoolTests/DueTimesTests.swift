import PrintModel
import PrintSpool
import Synchronization
import Testing

/// Tests of the due times, which are read again only when they may have changed.
struct DueTimesTests {
    let files = TestSpool()

    @Test(.requiresSQLite("the test counts the statements of SQLite"))
    func `a commit that cannot change the due times causes no new query for due times`() async throws {
        let questions = Mutex(0)
        let spool = try await files.open(trace: { statement in
            if statement.contains("incoming_until") && statement.hasPrefix("SELECT") { questions.withLock { $0 += 1 } }
        })
        let due = files.clock.now + 60
        try await spool.submit("later", holdUntil: .time(due))
        #expect(try await spool.nextDueTime() == due)
        #expect(questions.withLock { $0 } > 0)
        questions.withLock { $0 = 0 }

        try await spool.submit("now")
        try await spool.complete(2)
        files.clock.advance(by: 59)
        #expect(try await !spool.hasDueJobs())
        #expect(try await spool.nextDueTime() == due)
        #expect(questions.withLock { $0 } == 0)
        files.clock.advance(by: 1)
        #expect(try await spool.hasDueJobs())
        #expect(questions.withLock { $0 } > 0)
    }

    @Test func `after each change of a job, 'nextDueTime' returns the earliest due time`() async throws {
        let spool = try await files.open()
        let now = files.clock.now
        try await spool.submit("tried")
        #expect(try await spool.nextDueTime() == nil)
        try await spool.submit("held", holdUntil: .time(now + 60))
        #expect(try await spool.nextDueTime() == now + 60)
        _ = try await spool.claim(fromPrinters: ["laser"])
        try await spool.change(1, .postponed(until: now + 40, message: "busy"))
        #expect(try await spool.nextDueTime() == now + 40)
        _ = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "incoming"))
        try await spool.change(2, .holdRequested(until: now + 20))
        #expect(try await spool.nextDueTime() == now + 20)
        try await spool.change(2, .cancelRequested(byOperator: false))
        try await spool.change(1, .cancelRequested(byOperator: false))
        files.clock.advance(by: 50)
        #expect(try await spool.nextDueTime() == now + spool.incomingTimeout)
    }

    @Test func `after the clock is set back, 'hasDueJobs' does not use the cached due time`() async throws {
        let spool = try await files.open()
        try await spool.submit("a")
        _ = try await spool.claim(fromPrinters: ["laser"])
        try await spool.change(1, .postponed(until: files.clock.now + 30, message: "busy"))
        #expect(try await spool.nextDueTime() == files.clock.now + 30)
        #expect(try await !spool.hasDueJobs())
        files.clock.advance(by: -86_400)
        #expect(try await spool.hasDueJobs())
    }
}
