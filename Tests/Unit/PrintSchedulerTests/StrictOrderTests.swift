import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of strict order: the jobs of all printers are printed one at a time, in the order of the queue.
@Suite(.timeLimit(.minutes(1)))
struct StrictOrderTests {
    @Test func `in strict order, the jobs of all printers are printed one at a time in the order of submission`()
        async throws
    {
        let world = try await World(["laser", "photo"])
        await world.laser.printSlowly()
        let first = try await world.submit("first")
        let second = try await world.submit("second", to: "photo")
        let third = try await world.submit("third")
        try await world.printing(in: .strict) { _ in
            try await world.job(first) { $0.reasons == [.jobPrinting] }
            // The next job is prepared but not started, although its printer is idle.
            try await world.job(second) { $0.impressions == 5 }
            #expect(try await world.spool.job(second)?.state == .pending)
            await world.laser.show(RemoteJobStatus(state: .completed), of: "first")
            try await world.job(second, is: .completed)
            try await world.job(third) { $0.reasons == [.jobPrinting] }
            await world.laser.show(RemoteJobStatus(state: .completed), of: "third")
            try await world.job(third, is: .completed)
        }
        #expect(world.worker.documents == ["first", "second", "third"])
    }

    @Test func `in strict order, jobs behind a job of a paused printer wait until the printer is resumed`()
        async throws
    {
        let world = try await World(["laser", "photo"])
        try await world.spool.pausePrinter(named: "laser")
        let head = try await world.submit("head")
        let behind = try await world.submit("behind", to: "photo")
        let urgent = try await world.submit("urgent", to: "photo", priority: 90)
        try await world.printing(in: .strict) { _ in
            try await world.job(urgent, is: .completed)
            #expect(try await world.spool.job(behind)?.state == .pending)
            #expect(try await world.spool.jobInStrictWay(of: behind)?.id == head)
            #expect(try await world.spool.jobInStrictWay(of: head) == nil)
            try await world.spool.resumePrinter(named: "laser")
            try await world.job(behind, is: .completed)
        }
        #expect(try await world.spool.job(head)?.state == .completed)
        #expect(await world["photo"].received == ["urgent", "behind"])
    }

    @Test func `in strict order, jobs behind a job that waits for a retry are not printed`() async throws {
        let clock = TestClock()
        let world = try await World(["laser", "photo"], clock: clock)
        await world.laser.fail(.create, with: .silent)
        let head = try await world.submit("head")
        let behind = try await world.submit("behind", to: "photo")
        try await world.printing(in: .strict) { _ in
            try await world.job(head) { $0.attempts == 1 && $0.state == .pending }
            await clock.sleepers(1)
            #expect(try await world.spool.job(behind)?.state == .pending)
            clock.advance(by: .seconds(1))
            try await world.job(behind, is: .completed)
        }
        #expect(try await world.spool.job(head)?.state == .completed)
    }

    @Test func `in strict order, held, incoming and suspended jobs do not delay other jobs`() async throws {
        let world = try await World(["laser", "photo"])
        await world.laser.printSlowly()
        try await world.submit("held", holdUntil: .indefinite)
        _ = try await world.spool.createJob(Submission(printer: "laser", owner: "ada", name: "incoming"))
        let doubtful = try await world.submit("doubtful")
        let next = try await world.submit("next", to: "photo")
        try await world.printing(in: .strict) { _ in
            try await world.job(doubtful) { $0.reasons == [.jobPrinting] }
            #expect(try await world.spool.jobInStrictWay(of: next)?.id == doubtful)
            await world.laser.forgetJobs()
            try await world.job(doubtful) { $0.reasons == [.jobSuspended] }
            try await world.job(next, is: .completed)
        }
    }
}
