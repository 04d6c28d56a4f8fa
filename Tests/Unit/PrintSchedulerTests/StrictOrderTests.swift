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
        let fixture = try await SchedulerFixture(["laser", "photo"])
        await fixture.laser.printSlowly()
        let first = try await fixture.submit("first")
        let second = try await fixture.submit("second", to: "photo")
        let third = try await fixture.submit("third")
        try await fixture.printing(in: .strict) { _ in
            try await fixture.job(first) { $0.reasons == [.jobPrinting] }
            // The next job is prepared but not started, although its printer is idle.
            try await fixture.job(second) { $0.impressions == 5 }
            #expect(try await fixture.spool.job(second)?.state == .pending)
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "first")
            try await fixture.job(second, is: .completed)
            try await fixture.job(third) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "third")
            try await fixture.job(third, is: .completed)
        }
        #expect(fixture.worker.documents == ["first", "second", "third"])
    }

    @Test
    func `in strict order, if a job's printer is paused, the jobs behind this job wait until the printer is resumed`()
        async throws
    {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        try await fixture.spool.pausePrinter(named: "laser")
        let head = try await fixture.submit("head")
        let behind = try await fixture.submit("behind", to: "photo")
        let urgent = try await fixture.submit("urgent", to: "photo", priority: 90)
        try await fixture.printing(in: .strict) { _ in
            try await fixture.job(urgent, is: .completed)
            #expect(try await fixture.spool.job(behind)?.state == .pending)
            #expect(try await fixture.spool.jobInStrictWay(of: behind)?.id == head)
            #expect(try await fixture.spool.jobInStrictWay(of: head) == nil)
            try await fixture.spool.resumePrinter(named: "laser")
            try await fixture.job(behind, is: .completed)
        }
        #expect(try await fixture.spool.job(head)?.state == .completed)
        #expect(await fixture["photo"].received == ["urgent", "behind"])
    }

    @Test
    func `in strict order, if a job waits for a retry, the jobs behind this job are not printed before the retry`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(["laser", "photo"], clock: clock)
        await fixture.laser.fail(.create, with: .silent)
        let head = try await fixture.submit("head")
        let behind = try await fixture.submit("behind", to: "photo")
        try await fixture.printing(in: .strict) { _ in
            try await fixture.job(head) { $0.attempts == 1 && $0.state == .pending }
            await clock.sleepers(1)
            #expect(try await fixture.spool.job(behind)?.state == .pending)
            clock.advance(by: .seconds(1))
            try await fixture.job(behind, is: .completed)
        }
        #expect(try await fixture.spool.job(head)?.state == .completed)
    }

    @Test func `in strict order, held, incoming and suspended jobs do not delay other jobs`() async throws {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        await fixture.laser.printSlowly()
        try await fixture.submit("held", holdUntil: .indefinite)
        _ = try await fixture.spool.createJob(Submission(printer: "laser", owner: "ada", name: "incoming"))
        let doubtful = try await fixture.submit("doubtful")
        let next = try await fixture.submit("next", to: "photo")
        try await fixture.printing(in: .strict) { _ in
            try await fixture.job(doubtful) { $0.reasons == [.jobPrinting] }
            #expect(try await fixture.spool.jobInStrictWay(of: next)?.id == doubtful)
            await fixture.laser.forgetJobs()
            try await fixture.job(doubtful) { $0.reasons == [.jobSuspended] }
            try await fixture.job(next, is: .completed)
        }
    }
}
