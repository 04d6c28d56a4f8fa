import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Jobs that the previous scheduler left at each phase, as a new scheduler continues them.
@Suite(.timeLimit(.minutes(1)))
struct RestartTests {
    /// Returns a world with a claimed job, which was created at the printer if `atPrinter` is true.
    private func interrupted(atPrinter: Bool) async throws -> (world: World, id: Int, remote: RemoteJob?) {
        let world = try await World()
        let id = try await world.submit("job")
        _ = try await world.spool.claim(fromPrinters: ["laser"])
        try await world.spool.change(id, .prepared(impressions: 5, sheets: 5, notice: nil))
        guard atPrinter else { return (world, id, nil) }
        let remote = await world.laser.makeJob("job")
        try await world.spool.change(id, .createdAtPrinter(remote))
        return (world, id, remote)
    }

    @Test func `a job that was only claimed or prepared is printed once, before the next jobs`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: false)
        let next = try await world.submit("next")
        try await world.printing { _ in try await world.job(next, is: .completed) }
        #expect(try await world.spool.job(id)?.state == .completed)
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `a job whose document was not sent is canceled at the printer and printed by a new job`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: true)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled == ["job"])
    }

    @Test
    func `a job that printd canceled at the printer before a crash is printed by a new job`()
        async throws
    {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        try await world.spool.change(id, .withdrawing)
        try await world.laser.cancelJob(try #require(remote))
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job whose cancel request was not answered is printed by a new job too`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.fail(.cancel, with: BackendError(.unreachable, "laser: no answer"), isDone: true)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled == ["job"])
    }

    @Test func `a job that was sent and canceled at the printer before a crash is canceled`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.spool.change(id, .sent)
        await world.laser.show(
            RemoteJobStatus(state: .canceled, reasons: [.jobCanceledAtDevice], impressionsCompleted: 0), of: "job")
        try await world.printing { _ in try await world.job(id, is: .canceled) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `an empty job that timed out at the printer is printed by a new job`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.show(
            RemoteJobStatus(state: .aborted, reasons: [.multipleOperationTimeOut], impressionsCompleted: 0), of: "job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job that was printed in spite of its cancel is not printed again`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        let gate = Gate()
        await world.laser.set(gate, at: .cancel)
        try await world.printing { _ in
            await gate.arrival()
            await world.laser.receive(try #require(remote))
            gate.open()
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job that prints while it is received is followed, and not sent again`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        await world.laser.show(RemoteJobStatus(state: .processing, reasons: [.jobIncoming]), of: "job")
        try await world.printing { _ in
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            await world.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.received == ["job"])
    }

    @Test(arguments: [false, true])
    func `a job that was sent is followed to its end and not sent again`(isNoted: Bool) async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        if isNoted { try await world.spool.change(id, .sent) }
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job that was stopped at its printer is processing again when the printer prints`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.spool.change(id, .printerStopped(message: "No paper"))
        try await world.printing { _ in
            let job = try await world.job(id, is: .processing)
            #expect(job.message == "Printing page 1 of 5")
        }
    }

    @Test func `a job that its printer does not know is suspended, and not sent again`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        await world.laser.forgetJobs()
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobSuspended] } }
        try await world.printing { _ in try await world.job(world.submit("next"), is: .completed) }
        #expect(try await world.spool.job(id)?.reasons == [.jobSuspended])
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `a job without a UUID at its printer is suspended after a restart`()
        async throws
    {
        let world = try await World()
        await world.laser.nameJobsByNumberOnly()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobPrinting] } }
        let next = try await world.submit("next")
        try await world.printing { _ in
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message == "laser identifies its jobs only by number, so its job 101 may be another job after "
                    + "the interruption, and it may have been printed; look at the paper, then 'printq resume 1 --from "
                    + "PAGE' goes on with a page, 'printq reprint 1' prints all of it, 'printq cancel 1' gives it up")
            try await world.job(next) { $0.reasons == [.jobPrinting] }
        }
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `a job without a UUID is suspended when the printer has restarted its job numbers`()
        async throws
    {
        let world = try await World()
        await world.laser.nameJobsByNumberOnly()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            await world.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 3), of: "job")
            try await world.job(id) { $0.impressionsCompleted == 3 }
            await world.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 1), of: "job")
            try await world.job(id) { $0.reasons == [.jobSuspended] }
        }
    }

    @Test func `a job at a printer with an unusable address is suspended, and not aborted`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "nowhere:"))
        try await world.printing { _ in
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.message.hasPrefix("nowhere: is not a usable printer address"))
            #expect(job.message.contains("'printq reprint 1'"))
        }
    }

    @Test func `a job that may have arrived before its cancel, at a printer that counts no pages, is suspended`()
        async throws
    {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.show(RemoteJobStatus(state: .pending, reasons: [.jobDataInsufficient]), of: "job")
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobSuspended] } }
        #expect(await world.laser.received == [])
    }

    @Test func `a lost answer to Create-Job leaves an empty job behind, and the job is printed once`() async throws {
        let world = try await World()
        await world.laser.fail(
            .create, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true), isDone: true)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.count(.create) == 2)
    }

    @Test func `a job that was being canceled at a restart is canceled at its printer`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.cancel(id, telling: nil)
        try await world.printing { _ in try await world.job(id, is: .canceled) }
        #expect(await world.laser.canceled == ["job"])
    }

    @Test func `after a lost answer to the document, the job is looked up, and not sent again`() async throws {
        let world = try await World()
        await world.laser.fail(
            .send, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true), isDone: true)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a document whose transfer was interrupted is sent again after a pause`() async throws {
        let world = try await World()
        await world.laser.fail(.send, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true))
        let id = try await world.submit("job")
        try await world.printing { _ in
            let job = try await world.job(id, is: .completed)
            #expect(job.attempts == 1)
        }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled == ["job"])
    }

    @Test(arguments: [ScriptedPrinter.Step.capabilities, .create, .send, .status])
    func `a shutdown during any step is not an error, and the next start prints the job once`(
        step: ScriptedPrinter.Step
    ) async throws {
        let world = try await World(policy: .abortJob)
        let gate = Gate()
        await world.laser.set(gate, at: step)
        let id = try await world.submit("job")
        try await world.printing { _ in await gate.arrival() }
        let left = try #require(try await world.spool.job(id))
        #expect(left.state == .processing)
        #expect(left.attempts == 0)
        #expect(!left.message.contains("answer"))
        await world.laser.set(nil, at: step)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a shutdown while a document is prepared leaves the job to the next start`() async throws {
        let world = try await World()
        let gate = Gate()
        world.worker.set(gate)
        let id = try await world.submit("job")
        try await world.printing { _ in await gate.arrival() }
        #expect(world.worker.cancelCount == 1)
        #expect(try await world.spool.job(id)?.state == .processing)
        world.worker.set(nil)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }
}
