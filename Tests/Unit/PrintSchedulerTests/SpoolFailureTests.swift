import PrintModel
import PrintSpool
import Testing

/// Jobs whose progress cannot be stored for some time.
@Suite(.timeLimit(.minutes(1)))
struct SpoolFailureTests {
    /// Makes every change of a job to the given state fail, as on a disk that cannot be written.
    private func breakChanges(to state: JobState, in fixture: SchedulerFixture) throws {
        try fixture.shell(
            """
            CREATE TRIGGER broken BEFORE UPDATE ON jobs WHEN NEW.state = \(state.rawValue)
            BEGIN SELECT no_such_function(); END
            """)
    }

    private func mend(_ fixture: SchedulerFixture) throws { try fixture.shell("DROP TRIGGER broken") }

    @Test func `if the spool cannot store the completion of a job, the scheduler retries and then prints the next job`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            // The first status is stored when the printer is asked again. The trigger makes every change of a job fail.
            await fixture.laser.wait(for: .status, count: 2)
            try breakChanges(to: .completed, in: fixture)
            await #expect(throws: SpoolError.self) { try await fixture.spool.change(id, .delivered(warning: nil)) }
            let asked = await fixture.laser.count(.status)
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            await fixture.laser.wait(for: .status, count: asked + 1)
            #expect(try await fixture.spool.job(id)?.state == .processing)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
            try await fixture.job(next) { $0.reasons == [.jobPrinting] }
        }
        #expect(await fixture.laser.received == ["job", "next"])
    }

    @Test func `if a job cannot be claimed, the scheduler retries until the spool is writable`() async throws {
        let fixture = try await SchedulerFixture()
        try breakChanges(to: .processing, in: fixture)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            #expect(try await fixture.spool.job(id)?.state == .pending)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
    }

    /// Makes changes of one job fail permanently, as if the database refused a value.
    private func refuseChanges(_ condition: String, in fixture: SchedulerFixture) throws {
        try fixture.shell(
            """
            CREATE TRIGGER broken BEFORE UPDATE ON jobs WHEN \(condition)
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """)
    }

    @Test(arguments: [QueueOrder.perPrinter, .fair])
    func `if one job cannot be claimed, the jobs of other printers are printed`(order: QueueOrder) async throws {
        let fixture = try await SchedulerFixture(["laser", "photo", "roll"])
        let id = try await fixture.submit("refused")
        try refuseChanges("NEW.id = \(id) AND NEW.state = 5", in: fixture)
        let others = [try await fixture.submit("a", to: "photo"), try await fixture.submit("b", to: "roll")]
        try await fixture.printing(in: order) { _ in
            for other in others { try await fixture.job(other, is: .completed) }
            // A job that arrives later is printed too.
            try await fixture.job(try await fixture.submit("c", to: "photo"), is: .completed)
            #expect(try await fixture.spool.job(id)?.state == .pending)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `if one job cannot be recovered after a restart, the jobs of other printers are printed`() async throws {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        let id = try await fixture.submit("refused")
        _ = try await fixture.spool.claim(fromPrinters: ["laser"])
        try refuseChanges("NEW.id = \(id)", in: fixture)
        let other = try await fixture.submit("other", to: "photo")
        try await fixture.printing { _ in
            try await fixture.job(other, is: .completed)
            #expect(try await fixture.spool.job(id)?.state == .processing)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `if one held job cannot be released, other jobs are released and printed`() async throws {
        let fixture = try await SchedulerFixture()
        let now = fixture.now
        let id = try await fixture.submit("refused", holdUntil: .time(now + 10))
        try refuseChanges("NEW.id = \(id)", in: fixture)
        let other = try await fixture.submit("other", holdUntil: .time(now + 10))
        try await fixture.printing { _ in
            try await fixture.job(other, is: .completed)
            #expect(try await fixture.spool.job(id)?.state == .pendingHeld)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `a job is suspended with a message if the database refuses its result, and the next job is printed`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("refused")
        let next = try await fixture.submit("next")
        try refuseChanges("NEW.id = \(id) AND NEW.state = 9", in: fixture)
        try await fixture.printing { _ in
            let job = try await fixture.job(id) { $0.reasons.contains(.jobSuspended) }
            #expect(job.message.hasPrefix("The progress of the job could not be stored: "), "\(job.message)")
            #expect(job.message.contains("broken"))
            try await fixture.job(next, is: .completed)
        }
    }

    @Test func `a job waits with a message if the database refuses its page counts, and is printed later`() async throws
    {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("refused")
        try refuseChanges("NEW.id = \(id) AND NEW.impressions IS NOT NULL", in: fixture)
        try await fixture.printing { _ in
            let job = try await fixture.job(id) { $0.retryAt != nil }
            #expect(job.state == .pending)
            #expect(job.message.contains("The progress of the job could not be stored: "), "\(job.message)")
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["refused"])
    }

    @Test func `if a job that was canceled cannot be stored as canceled, printd tries until the job is canceled`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("refused")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            try refuseChanges("NEW.id = \(id) AND NEW.state = 7", in: fixture)
            try await fixture.cancel(id, telling: scheduler)
            await fixture.laser.wait(for: .cancel, count: 1)
            try mend(fixture)
            try await fixture.job(id, is: .canceled)
        }
    }

    @Test func `if the start of a job was stored although the claim failed, the job is recovered`() async throws {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("started", holdUntil: .indefinite)
        let first = try await fixture.submit("first")
        try await fixture.printing { _ in
            // After the first job, the scheduler has recovered the jobs of an earlier process.
            try await fixture.job(first, is: .completed)
            // The job is in progress, but the scheduler does not know this, as after a commit with a lost answer.
            try fixture.shell(
                """
                UPDATE jobs SET state = 5, reasons = '[]', held_until = NULL, processing_at = 1 WHERE id = \(id);
                CREATE TRIGGER broken BEFORE UPDATE ON jobs WHEN NEW.state = 5 BEGIN SELECT RAISE(ABORT, 'broken'); END
                """)
            let next = try await fixture.submit("next")
            try await fixture.job(id, is: .pending)
            try mend(fixture)
            try await fixture.job(next, is: .completed)
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `jobs in progress are recovered after printd restarts, even if the first recovery attempt fails`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("job")
        _ = try await fixture.spool.claim(fromPrinters: ["laser"])
        try breakChanges(to: .pending, in: fixture)
        try await fixture.printing { _ in
            #expect(try await fixture.spool.job(id)?.state == .processing)
            try mend(fixture)
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `if a job's document is missing, the job is aborted, and the next job is printed`() async throws {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("gone")
        let next = try await fixture.submit("next")
        try fixture.shell("UPDATE documents SET content = NULL WHERE job_id = \(id)")
        try await fixture.printing { _ in
            let job = try await fixture.job(id, is: .aborted)
            #expect(job.message.contains("document"))
            try await fixture.job(next, is: .completed)
        }
        #expect(await fixture.laser.received == ["next"])
    }

    @Test func `if a job's record is damaged, the job is aborted, and the next job is printed`() async throws {
        let fixture = try await SchedulerFixture()
        let damaged = try await fixture.submit("damaged")
        let next = try await fixture.submit("next")
        try fixture.shell("UPDATE jobs SET reasons = '[7]' WHERE id = \(damaged)")
        try await fixture.printing { _ in
            try await fixture.job(next, is: .completed)
            #expect(try await fixture.spool.job(damaged)?.state == .aborted)
        }
        #expect(await fixture.laser.received == ["next"])
    }

    @Test func `if a job's record is damaged during printing, the job is aborted, and the next job is printed`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let damaged = try await fixture.submit("damaged")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            try await fixture.job(damaged) { $0.reasons == [.jobPrinting] }
            try fixture.shell("UPDATE jobs SET reasons = '[7]' WHERE id = \(damaged)")
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "damaged")
            try await fixture.job(next) { $0.reasons == [.jobPrinting] }
            #expect(try await fixture.spool.job(damaged)?.state == .aborted)
        }
    }
}
