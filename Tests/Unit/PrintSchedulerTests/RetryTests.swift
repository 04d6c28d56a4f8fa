import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// The times at which undelivered jobs are retried.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `the pause between delivery attempts doubles up to one minute`() async throws {
        let clock = TestClock()
        let world = try await World(clock: clock)
        await world.laser.fail(.create, with: .silent, stays: true)
        let id = try await world.submit("job")
        try await world.printing { _ in
            for (attempt, delay) in zip(1..., [1.0, 2, 4, 8, 16, 32, 60, 60]) {
                let job = try await world.job(id) { $0.attempts == attempt && $0.state == .pending }
                #expect(job.retryAt == world.now + delay)
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
            }
        }
    }

    @Test func `a waiting job is retried at once when its printer responds to another request`()
        async throws
    {
        let clock = TestClock()
        let world = try await World(clock: clock)
        await world.laser.fail(.capabilities, with: .silent, stays: true)
        let id = try await world.submit("job")
        try await world.printing { _ in
            for (attempt, delay) in [(1, 1.0), (2, 2.0), (3, 4.0)] {
                try await world.job(id) { $0.attempts == attempt && $0.state == .pending }
                guard attempt < 3 else { break }
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
            }
            await world.laser.mend()
            #expect(try await world.askStatus()?.state == .idle)
            #expect(try await world.job(id, is: .completed).attempts == 3)
        }
        #expect(world.now == 1_000_003)
    }

    @Test func `if a printer rejects jobs, its responses to other requests cause no early retry`() async throws {
        let clock = TestClock()
        let world = try await World(clock: clock)
        await world.laser.fail(.create, with: BackendError(.busy, "busy"), stays: true)
        let id = try await world.submit("job")
        try await world.printing { _ in
            let waiting = try await world.job(id) { $0.attempts == 1 && $0.state == .pending }
            #expect(try await world.askStatus()?.state == .idle)
            let other = try await world.submit("other")
            _ = try await world.job(other) { $0.state == .pending }
            #expect(try await world.spool.job(id)?.retryAt == waiting.retryAt)
        }
        #expect(await world.laser.count(.create) == 1)
    }

    @Test func `with error policy stop-printer, a resumed printer immediately prints the waiting job first`()
        async throws
    {
        let clock = TestClock()
        let world = try await World(policy: .stopPrinter, clock: clock)
        await world.laser.fail(.create, with: .silent)
        let first = try await world.submit("first")
        try await world.submit("second")
        try await world.printing { _ in
            try await world.job(first) { $0.state == .pending && $0.processingAt != nil }
            let words = try await world.spool.printer(named: "laser")?.pauseMessage
            #expect(
                words == "error policy stop-printer: job 1 could not be delivered: the printer does not answer")
            try await world.spool.resumePrinter(named: "laser")
            try await world.job(first, is: .completed)
            try await world.job(2, is: .completed)
        }
        #expect(await world.laser.received == ["first", "second"])
        #expect(world.now == 1_000_000)
    }

    @Test func `a changed error policy applies to the next delivery that fails`() async throws {
        let world = try await World(policy: .abortJob)
        try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(errorPolicy: .retryJob))
        await world.laser.fail(.create, with: .silent)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(try await world.spool.job(id)?.attempts == 1)
    }

    @Test func `the scheduler sets no timer without work, and wakes at least once a minute for a held job`()
        async throws
    {
        let clock = TestClock()
        let world = try await World(clock: clock)
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await world.job(id, is: .completed)
            await clock.noSleepers()
            let held = try await world.submit("held", holdUntil: .time(world.now + 90))
            for seconds in [60.0, 30.0] {
                await clock.sleepers(1)
                clock.advance(by: .seconds(seconds))
            }
            try await world.job(held, is: .completed)
            await clock.noSleepers()
        }
    }
}
