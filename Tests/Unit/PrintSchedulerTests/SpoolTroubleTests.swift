import PrintModel
import PrintSpool
import Testing

/// Jobs whose progress cannot be stored for some time.
@Suite(.timeLimit(.minutes(1)))
struct SpoolTroubleTests {
    /// Makes every change of a job to the given state fail, as on a disk that cannot be written.
    private func breakChanges(to state: JobState, in world: World) throws {
        try world.shell(
            """
            CREATE TRIGGER broken BEFORE UPDATE ON jobs WHEN NEW.state = \(state.rawValue)
            BEGIN SELECT no_such_function(); END
            """)
    }

    private func mend(_ world: World) throws { try world.shell("DROP TRIGGER broken") }

    @Test func `if storing the end of a job fails, the scheduler tries again and then prints the next job`()
        async throws
    {
        let world = try await World()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        let next = try await world.submit("next")
        try await world.printing { _ in
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            // The first status is stored when the printer is asked again. The trigger makes every change of a job fail.
            await world.laser.wait(for: .status, count: 2)
            try breakChanges(to: .completed, in: world)
            await #expect(throws: SpoolError.self) { try await world.spool.change(id, .delivered(warning: nil)) }
            let asked = await world.laser.count(.status)
            await world.laser.show(RemoteJobStatus(state: .completed), of: "job")
            await world.laser.wait(for: .status, count: asked + 1)
            #expect(try await world.spool.job(id)?.state == .processing)
            try mend(world)
            try await world.job(id, is: .completed)
            try await world.job(next) { $0.reasons == [.jobPrinting] }
        }
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `if claiming a job fails, the scheduler retries until the spool can be written`() async throws {
        let world = try await World()
        try breakChanges(to: .processing, in: world)
        let id = try await world.submit("job")
        try await world.printing { _ in
            #expect(try await world.spool.job(id)?.state == .pending)
            try mend(world)
            try await world.job(id, is: .completed)
        }
    }

    @Test func `jobs in progress are recovered after a restart even if the first recovery attempt fails`() async throws
    {
        let world = try await World()
        let id = try await world.submit("job")
        _ = try await world.spool.claim(fromPrinters: ["laser"])
        try breakChanges(to: .pending, in: world)
        try await world.printing { _ in
            #expect(try await world.spool.job(id)?.state == .processing)
            try mend(world)
            try await world.job(id, is: .completed)
        }
    }

    @Test func `a job whose document is missing is aborted, and the next job is printed`() async throws {
        let world = try await World()
        let id = try await world.submit("gone")
        let next = try await world.submit("next")
        try world.shell("UPDATE documents SET content = NULL WHERE job_id = \(id)")
        try await world.printing { _ in
            let job = try await world.job(id, is: .aborted)
            #expect(job.message.contains("document"))
            try await world.job(next, is: .completed)
        }
        #expect(await world.laser.received == ["next"])
    }

    @Test func `a job whose record is damaged is aborted, and the next job is printed`() async throws {
        let world = try await World()
        let damaged = try await world.submit("damaged")
        let next = try await world.submit("next")
        try world.shell("UPDATE jobs SET reasons = '[7]' WHERE id = \(damaged)")
        try await world.printing { _ in
            try await world.job(next, is: .completed)
            #expect(try await world.spool.job(damaged)?.state == .aborted)
        }
        #expect(await world.laser.received == ["next"])
    }

    @Test func `a job whose record is damaged during printing is aborted, and the next job is printed`() async throws {
        let world = try await World()
        await world.laser.printSlowly()
        let damaged = try await world.submit("damaged")
        let next = try await world.submit("next")
        try await world.printing { _ in
            try await world.job(damaged) { $0.reasons == [.jobPrinting] }
            try world.shell("UPDATE jobs SET reasons = '[7]' WHERE id = \(damaged)")
            await world.laser.show(RemoteJobStatus(state: .completed), of: "damaged")
            try await world.job(next) { $0.reasons == [.jobPrinting] }
            #expect(try await world.spool.job(damaged)?.state == .aborted)
        }
    }
}
