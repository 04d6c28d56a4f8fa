import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// The times at which undelivered jobs are retried.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `the delay between delivery attempts doubles up to one minute`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.fail(.create, with: .silent, stays: true)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            for (attempt, delay) in zip(1..., [1.0, 2, 4, 8, 16, 32, 60, 60]) {
                let job = try await fixture.job(id) { $0.attempts == attempt && $0.state == .pending }
                #expect(job.retryAt == fixture.now + delay)
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
            }
        }
    }

    @Test func `a waiting job is retried immediately when its printer responds to a request for the printer's status`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.fail(.capabilities, with: .silent, stays: true)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            for (attempt, delay) in [(1, 1.0), (2, 2.0), (3, 4.0)] {
                try await fixture.job(id) { $0.attempts == attempt && $0.state == .pending }
                guard attempt < 3 else { break }
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
            }
            await fixture.laser.mend()
            #expect(try await fixture.askStatus()?.state == .idle)
            #expect(try await fixture.job(id, is: .completed).attempts == 3)
        }
        #expect(fixture.now == 1_000_003)
    }

    @Test func `if a printer rejects jobs, its response to a status request causes no early retry`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.fail(.create, with: BackendError(.busy, "busy"), stays: true)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            let waiting = try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending }
            #expect(try await fixture.askStatus()?.state == .idle)
            let other = try await fixture.submit("other")
            _ = try await fixture.job(other) { $0.state == .pending }
            #expect(try await fixture.spool.job(id)?.retryAt == waiting.retryAt)
        }
        #expect(await fixture.laser.count(.create) == 1)
    }

    @Test func `with error policy 'stop-printer', a resumed printer first prints the job whose delivery failed`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(policy: .stopPrinter, clock: clock)
        await fixture.laser.fail(.create, with: .silent)
        let first = try await fixture.submit("first")
        try await fixture.submit("second")
        try await fixture.printing { _ in
            try await fixture.job(first) { $0.state == .pending && $0.processingAt != nil }
            let words = try await fixture.spool.printer(named: "laser")?.pauseMessage
            #expect(
                words
                    == "error policy 'stop-printer', because job 1 could not be delivered: the printer does not answer")
            try await fixture.spool.resumePrinter(named: "laser")
            try await fixture.job(first, is: .completed)
            try await fixture.job(2, is: .completed)
        }
        #expect(await fixture.laser.received == ["first", "second"])
        #expect(fixture.now == 1_000_000)
    }

    @Test func `a changed error policy applies to the next delivery that fails`() async throws {
        let fixture = try await SchedulerFixture(policy: .abortJob)
        try await fixture.spool.addOrModifyPrinter(named: "laser", PrinterChange(errorPolicy: .retryJob))
        await fixture.laser.fail(.create, with: .silent)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(try await fixture.spool.job(id)?.attempts == 1)
    }

    @Test func `an idle scheduler sets no timer, and a held job is checked at least once a minute`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id, is: .completed)
            await clock.noSleepers()
            let held = try await fixture.submit("held", holdUntil: .time(fixture.now + 90))
            for seconds in [60.0, 30.0] {
                await clock.sleepers(1)
                clock.advance(by: .seconds(seconds))
            }
            try await fixture.job(held, is: .completed)
            await clock.noSleepers()
        }
    }
}
