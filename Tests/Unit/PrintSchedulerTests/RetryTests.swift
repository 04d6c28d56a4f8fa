import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// The times at which undelivered jobs are retried.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `the pauses between attempts grow to one minute at most`() async throws {
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

    @Test func `a job whose printer answers another request is retried at once`()
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

    @Test func `a printer that answers but accepts no jobs is not retried at every answer`() async throws {
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

    @Test func `with stop-printer, the resumed printer prints the waiting job first, and at once`() async throws {
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

    @Test func `a changed error policy applies from the next job on`() async throws {
        let world = try await World(policy: .abortJob)
        try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(errorPolicy: .retryJob))
        await world.laser.fail(.create, with: .silent)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(try await world.spool.job(id)?.attempts == 1)
    }

    @Test func `without work the scheduler does not use the clock, and with a distant hold it wakes once a minute`()
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
