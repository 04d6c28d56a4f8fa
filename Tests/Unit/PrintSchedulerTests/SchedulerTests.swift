import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SchedulerTests {
    @Test func `jobs of a printer are printed in the order of submission`() async throws {
        let fixture = try await SchedulerFixture()
        for name in ["a", "b", "c"] { try await fixture.submit(name) }
        try await fixture.printing { _ in
            let last = try await fixture.submit("d")
            let job = try await fixture.job(last, is: .completed)
            #expect(job.impressionsCompleted == 5)
        }
        #expect(await fixture.laser.received == ["a", "b", "c", "d"])
    }

    @Test func `a long job does not delay the jobs of other printers`() async throws {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        await fixture.laser.printSlowly()
        let long = try await fixture.submit("long")
        let behind = try await fixture.submit("behind")
        let other = try await fixture.submit("other", to: "photo")
        try await fixture.printing { _ in
            try await fixture.job(other, is: .completed)
            try await fixture.job(long) { $0.reasons == [.jobPrinting] }
            #expect(try await fixture.spool.job(behind)?.state == .pending)
            #expect(await fixture.laser.received == ["long"])
        }
    }

    @Test
    func `the jobs of a paused printer wait until the printer is resumed, and jobs of other printers are printed`()
        async throws
    {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        try await fixture.spool.pausePrinter(named: "laser")
        let waiting = try await fixture.submit("waiting")
        let other = try await fixture.submit("other", to: "photo")
        try await fixture.printing { _ in
            try await fixture.job(other, is: .completed)
            #expect(try await fixture.spool.job(waiting)?.state == .pending)
            try await fixture.spool.resumePrinter(named: "laser")
            try await fixture.job(waiting, is: .completed)
        }
    }

    @Test func `delivery to an unreachable printer is retried with backoff, and the jobs keep their order`()
        async throws
    {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(["laser", "photo"], clock: clock)
        await fixture.laser.fail(.create, with: .silent, stays: true)
        let first = try await fixture.submit("first")
        let second = try await fixture.submit("second")
        let other = try await fixture.submit("other", to: "photo")
        try await fixture.printing { _ in
            try await fixture.job(other, is: .completed)
            for (attempt, delay) in [(1, 1.0), (2, 2.0), (3, 4.0)] {
                let job = try await fixture.job(first) { $0.attempts == attempt && $0.state == .pending }
                #expect(job.retryAt == fixture.now + delay)
                #expect(job.message == "the printer does not answer")
                if attempt == 3 { await fixture.laser.mend() }
                await clock.sleepers(1)
                clock.advance(by: .seconds(delay))
            }
            try await fixture.job(second, is: .completed)
        }
        #expect(await fixture.laser.received == ["first", "second"])
        #expect(await fixture.laser.count(.create) == 5)
    }

    @Test func `with error policy 'abort-job', a job is aborted if it cannot be delivered, and the next job is sent`()
        async throws
    {
        let fixture = try await SchedulerFixture(policy: .abortJob)
        await fixture.laser.fail(.create, with: .silent)
        let lost = try await fixture.submit("lost")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            let job = try await fixture.job(lost, is: .aborted)
            #expect(job.message == "the printer does not answer")
            try await fixture.job(next, is: .completed)
        }
    }

    @Test(arguments: [BackendError.Code.authenticationRequired, .untrusted], ConfiguredPrinter.ErrorPolicy.allCases)
    func `with any error policy, a job waits if its printer requires credentials or an accepted certificate`(
        code: BackendError.Code, policy: ConfiguredPrinter.ErrorPolicy
    ) async throws {
        let fixture = try await SchedulerFixture(policy: policy)
        await fixture.laser.fail(.create, with: BackendError(code, "say who you are"))
        let id = try await fixture.submit("waiting")
        let next = try await fixture.submit("next")
        let begin = fixture.now
        try await fixture.printing { scheduler in
            let job = try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending }
            // The clock may have advanced in the meantime.
            #expect(job.message == "say who you are" && job.retryAt == begin + RetryPolicy.standard.longest)
            #expect(try await fixture.spool.printer(named: "laser")?.isPaused == false)
            await scheduler.tryAgain(printer: "laser")
            try await fixture.job(next, is: .completed)
        }
        #expect(await fixture.laser.received == ["waiting", "next"])
    }

    @Test func `if a printer requires credentials for jobs, it is reported as stopped until it accepts a job`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(.create, with: BackendError(.authenticationRequired, "say who you are"))
        let id = try await fixture.submit("waiting")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.attempts == 1 && $0.state == .pending }
            let seen = try await fixture.askStatus()
            #expect(seen?.state == .stopped && seen?.reasons == ["cups-held-for-authentication"])
            #expect(seen?.message == "say who you are")
            await scheduler.tryAgain(printer: "laser")
            try await fixture.job(id, is: .completed)
            #expect(try await fixture.askStatus()?.state == .idle)
        }
    }

    @Test
    func `with error policy 'stop-printer', if a job cannot be delivered, the job waits, and its printer is paused`()
        async throws
    {
        let fixture = try await SchedulerFixture(policy: .stopPrinter)
        await fixture.laser.fail(.send, with: .silent)
        let id = try await fixture.submit("waiting")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.state == .pending && $0.processingAt != nil }
            let printer = try await fixture.spool.printer(named: "laser")
            #expect(printer?.isPaused == true)
            #expect(
                printer?.pauseMessage
                    == "error policy 'stop-printer', because job 1 could not be delivered: the printer does not answer")
            try await fixture.spool.resumePrinter(named: "laser")
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["waiting"])
    }

    @Test func `if a printer rejects a job, the job is aborted with the printer's message`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(.create, with: BackendError(.refused, "not for you"))
        let refused = try await fixture.submit("refused")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            #expect(try await fixture.job(refused, is: .aborted).message == "not for you")
            try await fixture.job(next, is: .completed)
        }
    }

    @Test func `a held job is not printed before its release`() async throws {
        let fixture = try await SchedulerFixture()
        let held = try await fixture.submit("held", holdUntil: .indefinite)
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            try await fixture.job(next, is: .completed)
            #expect(try await fixture.spool.job(held)?.state == .pendingHeld)
            try await fixture.spool.change(held, .releaseRequested)
            try await fixture.job(held, is: .completed)
        }
        #expect(await fixture.laser.received == ["next", "held"])
    }

    @Test func `if a job is held until a given time, the job is printed at this time`() async throws {
        let clock = TestClock()
        let fixture = try await SchedulerFixture(clock: clock)
        let held = try await fixture.submit("held", holdUntil: .time(fixture.now + 90))
        try await fixture.printing { _ in
            await clock.sleepers(1)
            clock.advance(by: .seconds(60))
            await clock.sleepers(1)
            #expect(try await fixture.spool.job(held)?.state == .pendingHeld)
            clock.advance(by: .seconds(30))
            try await fixture.job(held) { $0.state == .completed }
        }
        #expect(await fixture.laser.received == ["held"])
    }

    @Test(arguments: [
        (WorkError.Code.unsupportedFormat, JobStateReason.unsupportedDocumentFormat),
        (.damaged, .documentFormatError), (.noPages, .documentFormatError),
        (.passwordRequired, .documentPasswordError), (.memoryExceeded, .abortedBySystem),
        (.processorTimeExceeded, .abortedBySystem), (.timeExceeded, .abortedBySystem),
        (.outputTooLarge, .abortedBySystem), (.documentTooLarge, .documentUnprintableError),
        (.workerCrashed, .abortedBySystem), (.documentMissing, .abortedBySystem),
    ])
    func `if a job's document cannot be prepared, the job is aborted with a reason, and the next job is printed`(
        code: WorkError.Code, reason: JobStateReason
    ) async throws {
        let fixture = try await SchedulerFixture()
        fixture.worker.fail(with: WorkError(code, "it is no good"))
        let bad = try await fixture.submit("bad")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            let job = try await fixture.job(bad, is: .aborted)
            #expect(job.reasons.first == reason)
            #expect(job.message == "it is no good")
            try await fixture.job(next, is: .completed)
        }
        #expect(await fixture.laser.received == ["next"])
    }

    @Test(arguments: ConfiguredPrinter.ErrorPolicy.allCases)
    func `with any error policy, a job is retried if the kernel lacks a sandbox protection`(
        policy: ConfiguredPrinter.ErrorPolicy
    ) async throws {
        let fixture = try await SchedulerFixture(policy: policy)
        fixture.worker.fail(with: WorkError(.sandboxIncomplete, "set worker.requireLandlock"))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            // The second attempt succeeds. The policy abort-job would have aborted the job, and the
            // policy stop-printer would have paused the printer.
            let job = try await fixture.job(id, is: .completed)
            #expect(job.attempts == 1, "\(job)")
            #expect(try await fixture.spool.printer(named: "laser")?.isPaused == false)
        }
    }

    @Test(arguments: [WorkError.Code.workerUnavailable, .writeFailed, .canceled])
    func `a preparation is retried if it fails for lack of resources`(code: WorkError.Code) async throws {
        let fixture = try await SchedulerFixture()
        fixture.worker.fail(with: WorkError(code, "no room"))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            let job = try await fixture.job(id, is: .completed)
            #expect(job.attempts == 1)
        }
        #expect(fixture.worker.prepareCount == 2)
    }
}
