import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CancelTests {
    @Test func `if a job is canceled while its printer is paused, the job is never prepared`() async throws {
        let fixture = try await SchedulerFixture()
        try await fixture.spool.pausePrinter(named: "laser")
        let id = try await fixture.submit("unwanted")
        let next = try await fixture.submit("next")
        try await fixture.printing { scheduler in
            try await fixture.cancel(id, telling: scheduler)
            try await fixture.spool.resumePrinter(named: "laser")
            try await fixture.job(next, is: .completed)
        }
        #expect(fixture.worker.prepareCount == 1)
        #expect(await fixture.laser.received == ["next"])
    }

    @Test func `if a job is canceled during its preparation, the worker stops`() async throws {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        fixture.worker.set(gate)
        let id = try await fixture.submit("unwanted")
        let next = try await fixture.submit("next")
        try await fixture.printing { scheduler in
            await gate.arrival()
            try await fixture.cancel(id, telling: scheduler)
            #expect(try await fixture.job(id, is: .canceled).reasons == [.jobCanceledByUser])
            try await fixture.job(next, is: .completed)
        }
        #expect(fixture.worker.cancelCount == 1)
        #expect(await fixture.laser.received == ["next"])
    }

    @Test
    func `if a job is canceled during preparation, it is not sent, even if the scheduler misses the cancellation`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        fixture.worker.set(gate)
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { _ in
            await gate.arrival()
            try await fixture.cancel(id, telling: nil)
            gate.open()
            try await fixture.job(id, is: .canceled)
        }
        #expect(await fixture.laser.count(.create) == 0)
    }

    @Test
    func `if a job is canceled during a request for capabilities, the cancellation does not wait for the response`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        await fixture.laser.set(gate, at: .capabilities)
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            await gate.arrival()
            try await fixture.cancel(id, telling: scheduler)
            try await fixture.job(id, is: .canceled)
        }
        #expect(await fixture.laser.count(.create) == 0)
    }

    @Test
    func `if a job is canceled while it is being sent, the transfer stops, and the job is canceled at the printer`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        await fixture.laser.set(gate, at: .send)
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            await gate.arrival()
            try await fixture.cancel(id, telling: scheduler)
            try await fixture.job(id, is: .canceled)
        }
        #expect(await fixture.laser.received == [])
        #expect(await fixture.laser.canceled == ["unwanted"])
    }

    @Test
    func `if a job is canceled during printing, the job stays 'processing' until the printer has canceled the job`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let gate = Gate()
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.set(gate, at: .cancel)
            try await fixture.cancel(id, telling: scheduler)
            await gate.arrival()
            let stopping = try await fixture.spool.job(id)
            #expect(stopping?.state == .processing)
            #expect(stopping?.reasons == [.processingToStopPoint, .jobCanceledByUser])
            gate.open()
            try await fixture.job(id, is: .canceled)
        }
        #expect(await fixture.laser.canceled == ["unwanted"])
    }

    @Test func `a rejected Cancel-Job request is repeated after a delay`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.printSlowly()
        await fixture.laser.fail(.cancel, with: BackendError(.busy, "busy"), stays: true)
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            await clock.sleepers(1)
            try await fixture.cancel(id, telling: scheduler)
            await fixture.laser.wait(for: .cancel, count: 1)
            for asked in 1...3 {
                await clock.sleepers(1)
                #expect(await fixture.laser.count(.cancel) == asked)
                if asked == 3 { await fixture.laser.mend() }
                clock.advance(by: .seconds(1))
                await fixture.laser.wait(for: .cancel, count: asked + 1)
            }
            await clock.sleepers(0)
            try await fixture.job(id, is: .canceled)
        }
    }

    @Test func `if the printer does not respond to Cancel-Job, the request is repeated until the printer responds`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            for step in [ScriptedPrinter.Step.status, .cancel] {
                await fixture.laser.fail(step, with: .silent, stays: true)
            }
            try await fixture.cancel(id, telling: scheduler)
            let words = "Stopping. Waiting for the printer's response: the printer does not answer"
            let stopping = try await fixture.job(id) { $0.stateMessage == words }
            #expect(stopping.reasons == [.processingToStopPoint, .jobCanceledByUser])
            await fixture.laser.mend()
            #expect(try await fixture.job(id, is: .canceled).reasons == [.jobCanceledByUser])
        }
        #expect(await fixture.laser.canceled == ["unwanted"])
    }

    @Test
    func `a job ends with a warning if the printer does not respond to Cancel-Job for one day`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("unwanted")
        let next = try await fixture.submit("next")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            for step in [ScriptedPrinter.Step.status, .cancel, .create] {
                await fixture.laser.fail(step, with: .silent, stays: true)
            }
            let canceledAt = fixture.now
            try await fixture.cancel(id, telling: scheduler)
            // With the real pauses, one day would require about 300 requests.
            let step = 86_400.0 / 6
            while let state = try await fixture.spool.job(id)?.state, !state.isTerminal {
                await clock.sleepers(1)
                clock.advance(by: .seconds(step))
            }
            let ended = try #require(try await fixture.spool.job(id))
            #expect(ended.state == .canceled)
            #expect(ended.reasons == [.jobCanceledByUser])
            #expect(
                ended.message == "laser has not responded for a day and may still print the job; cancel job 101 at the "
                    + "printer too")
            let waited = try #require(ended.completedAt) - canceledAt
            #expect((86_400..<86_400 + 2 * step).contains(waited), "\(waited)")
            await fixture.laser.mend()
            await scheduler.tryAgain(printer: "laser")
            try await fixture.job(next) { $0.remote != nil }
        }
    }

    @Test
    func `after long downtime, printd still asks a silent printer about a canceled job at least 7 times`()
        async throws
    {
        let clock = FlyingClock()
        let fixture = try await SchedulerFixture(clock: clock)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("unwanted")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.fail(.status, with: .silent, stays: true)
            await fixture.laser.fail(.cancel, with: .silent, stays: true)
            let gate = Gate()
            await fixture.laser.set(gate, at: .status)
            try await fixture.cancel(id, telling: scheduler)
            await gate.arrival()
        }
        await fixture.laser.set(nil, at: .status)
        try await clock.sleep(until: clock.now.advanced(by: .seconds(3 * 86_400)), tolerance: nil)
        let (asked, restart) = (await fixture.laser.count(.status), fixture.now)
        try await fixture.printing { _ in
            let ended = try await fixture.job(id, is: .canceled)
            #expect(try #require(ended.completedAt) - restart < 300)
        }
        #expect(await fixture.laser.count(.status) - asked >= 7)
    }

    @Test func `a suspended job is canceled immediately`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("doubtful")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.forgetJobs()
            try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            try await fixture.cancel(id, telling: scheduler)
            #expect(try await fixture.spool.job(id)?.state == .canceled)
        }
    }
}
