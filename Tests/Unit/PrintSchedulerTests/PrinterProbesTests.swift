import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

@testable import PrintScheduler

/// The requests to printers that cannot be reached.
@Suite(.timeLimit(.minutes(1)))
struct PrinterProbesTests {
    private static let names = (1...10).map { "off-\($0)" }

    /// Creates a spool with printers that respond to no request, and a job for each printer.
    private func fixture(_ clock: TestClock) async throws -> SchedulerFixture {
        let fixture = try await SchedulerFixture(Self.names, clock: clock)
        for name in Self.names {
            for step in [ScriptedPrinter.Step.capabilities, .printerStatus, .create] {
                await fixture[name].fail(step, with: .silent, stays: true)
            }
            try await fixture.submit("job", to: name)
        }
        return fixture
    }

    @Test func `each silent printer is asked once per delay, and after the first attempt, nothing is stored`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await fixture(clock)
        try await fixture.printing { scheduler in
            for id in 1...10 { try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending } }
            let events = try await fixture.spool.events(after: 0, limit: .max).count
            for (round, delay) in zip(1..., [1, 2, 4, 8, 16, 32, 60, 60]) {
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
                for name in Self.names { await fixture[name].wait(for: .printerStatus, count: round) }
                try await eventually("each request has failed") {
                    try await fixture.spool.jobs().map { scheduler.withNextAttempt($0).attempts }.min() == round + 1
                }
            }
            for name in Self.names {
                #expect(await fixture[name].count(.printerStatus) == 8)
                #expect(await fixture[name].count(.capabilities) == 1)
                #expect(await fixture[name].count(.create) == 0)
            }
            #expect(try await fixture.spool.events(after: 0, limit: .max).count == events)
            let job = scheduler.withNextAttempt(try #require(try await fixture.spool.job(1)))
            #expect((job.attempts, job.retryAt) == (9, fixture.now + 60))
        }
    }

    @Test func `a printer that responds again, or that a person resumes, prints its waiting job immediately`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await fixture(clock)
        try await fixture.printing { scheduler in
            for id in 1...10 { try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending } }
            await fixture["off-1"].mend()
            await fixture["off-2"].mend()
            await scheduler.tryAgain(printer: "off-1")
            try await fixture.job(1, is: .completed)
            #expect(clock.seconds == 0)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            try await fixture.job(2, is: .completed)
            #expect(clock.seconds == 1)
        }
    }

    @Test func `a new job is tried immediately if the job that waits for the printer was canceled`() async throws {
        let clock = TestClock()
        let fixture = try await fixture(clock)
        try await fixture.printing { scheduler in
            try await fixture.job(1) { $0.attempts == 1 && $0.state == .pending }
            try await fixture.cancel(1, telling: scheduler)
            let next = try await fixture.submit("next", to: "off-1")
            try await fixture.job(next) { $0.attempts == 1 && $0.state == .pending }
            #expect(clock.seconds == 0)
        }
    }

    @Test func `a job whose printer fails with another error is delivered again, so that its message is current`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await fixture(clock)
        let other = BackendError(.unreachable, "no route")
        try await fixture.printing { scheduler in
            for id in 1...10 { try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending } }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await fixture["off-1"].wait(for: .printerStatus, count: 1)
            await fixture["off-1"].mend()
            for step in [ScriptedPrinter.Step.capabilities, .printerStatus, .create] {
                await fixture["off-1"].fail(step, with: other, stays: true)
            }
            try await eventually("the request has failed") {
                scheduler.withNextAttempt(try #require(try await fixture.spool.job(1))).attempts == 2
            }
            await clock.sleepers(1)
            clock.advance(by: .seconds(2))
            try await fixture.job(1) { $0.attempts == 2 && $0.message == "no route" }
        }
    }

    @Test func `requests to printers that refuse connections do not wait for printers that time out`() {
        var probes = PrinterProbes()
        let retry = RetryPolicy.standard
        func printer(_ name: String) -> ConfiguredPrinter { ConfiguredPrinter(name: name, deviceURI: "test:\(name)") }
        func job(_ id: Int, _ printer: String) -> Job {
            Job(id: id, uuid: "\(id)", printer: printer, owner: "ada", name: "job", createdAt: 0)
        }
        for id in 1...100 { probes.add(printer("silent-\(id)"), for: job(id, "silent-\(id)"), at: 0, retry) }
        // Each of the first requests takes a place for one second.
        #expect(probes.start(at: 1).count == 4)
        #expect(probes.start(at: 1).isEmpty && probes.nextStart(after: 1) == 2)
        probes.add(printer("closed"), for: job(101, "closed"), at: 0, retry)
        var started: [PrinterProbes.Probe] = []
        for time in 2...30 { started += probes.start(at: UnixTime(time)) }
        #expect(started.count == 97)
        for probe in started { probes.fail(probe, "timeout", at: 40, retry) }
        // Known silent printers have separate places.
        #expect(probes.start(at: 100).count == 32)
    }

    @Test func `after the clock was set back, a printer is asked immediately`() {
        var probes = PrinterProbes()
        let job = Job(id: 1, uuid: "1", printer: "laser", owner: "ada", name: "job", createdAt: 0)
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        probes.add(printer, for: job, at: 10_000, .standard)
        #expect(probes.start(at: 10_000).isEmpty && probes.nextStart(after: 10_000) == 10_001)
        #expect(probes.start(at: 9_000).count == 1)
    }
}
