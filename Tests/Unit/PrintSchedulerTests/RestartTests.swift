import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of a new scheduler that continues the previous scheduler's jobs, for each phase of a job.
@Suite(.timeLimit(.minutes(1)))
struct RestartTests {
    /// Returns a world with a claimed job, which also exists at the printer if `atPrinter` is true.
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

    @Test func `after a restart, a prepared job that was not sent is printed once, before the next job`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: false)
        let next = try await world.submit("next")
        try await world.printing { _ in try await world.job(next, is: .completed) }
        #expect(try await world.spool.job(id)?.state == .completed)
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `after a restart, a job without its document is canceled at the printer and sent as a new job`()
        async throws
    {
        let (world, id, _) = try await interrupted(atPrinter: true)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled == ["job"])
    }

    @Test
    func `a job that printd withdrew from the printer before a crash is sent again as a new job`()
        async throws
    {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        try await world.spool.change(id, .withdrawing)
        try await world.laser.cancelJob(try #require(remote))
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `if the response to Cancel-Job is lost, the withdrawn job is sent again as a new job`() async throws {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.fail(.cancel, with: BackendError(.unreachable, "laser: no answer"), isDone: true)
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled == ["job"])
    }

    @Test func `a sent job that was canceled at the printer before a restart ends as canceled`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.spool.change(id, .sent)
        await world.laser.show(
            RemoteJobStatus(state: .canceled, reasons: [.jobCanceledAtDevice], impressionsCompleted: 0), of: "job")
        try await world.printing { _ in try await world.job(id, is: .canceled) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `if the printer aborts a job because no document arrived, the job is sent again as a new job`()
        async throws
    {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.show(
            RemoteJobStatus(state: .aborted, reasons: [.multipleOperationTimeOut], impressionsCompleted: 0), of: "job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job that the printer prints despite Cancel-Job is not printed again`() async throws {
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

    @Test func `after a restart, a job that the printer still receives and prints is polled and not sent again`()
        async throws
    {
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
    func `after a restart, a sent job is polled until it ends and is not sent again`(isNoted: Bool) async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        if isNoted { try await world.spool.change(id, .sent) }
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `after a restart, a stopped job is processing if the printer is printing`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.spool.change(id, .printerStopped(message: "No paper"))
        try await world.printing { _ in
            let job = try await world.job(id, is: .processing)
            #expect(job.message == "Printing page 1 of 5")
        }
    }

    @Test func `after a restart, a job that the printer has lost is suspended and not sent again`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        await world.laser.forgetJobs()
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobSuspended] } }
        try await world.printing { _ in try await world.job(world.submit("next"), is: .completed) }
        #expect(try await world.spool.job(id)?.reasons == [.jobSuspended])
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `after a restart, a job to which the printer assigned no UUID is suspended`()
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
                job.message == "laser identifies its jobs only by number, so job 101 may be another job after "
                    + "the interruption, and it may have been printed; look at the paper, then 'printq resume 1 --from "
                    + "PAGE' continues at a page, 'printq reprint 1' prints the whole job again, 'printq cancel 1' "
                    + "cancels it")
            try await world.job(next) { $0.reasons == [.jobPrinting] }
        }
        #expect(await world.laser.received == ["job", "next"])
    }

    @Test func `a job to which the printer assigned no UUID is suspended if its page count decreases`()
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

    @Test func `a sent job is suspended and not aborted if the printer's address is unusable`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.receive(try #require(remote))
        try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "nowhere:"))
        try await world.printing { _ in
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.message.hasPrefix("nowhere: is not a usable printer address"))
            #expect(job.message.contains("'printq reprint 1'"))
        }
    }

    @Test func `after Cancel-Job, a job without its document is suspended if the printer counts no pages`() async throws
    {
        let (world, id, _) = try await interrupted(atPrinter: true)
        await world.laser.show(RemoteJobStatus(state: .pending, reasons: [.jobDataInsufficient]), of: "job")
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobSuspended] } }
        #expect(await world.laser.received == [])
    }

    @Test func `if the response to Create-Job is lost, the job is created again and printed once`() async throws {
        let world = try await World()
        await world.laser.fail(
            .create, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true), isDone: true)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.count(.create) == 2)
    }

    @Test func `a job canceled before a restart is canceled at the printer after the restart`() async throws {
        let (world, id, remote) = try await interrupted(atPrinter: true)
        await world.laser.printSlowly()
        await world.laser.receive(try #require(remote))
        try await world.cancel(id, telling: nil)
        try await world.printing { _ in try await world.job(id, is: .canceled) }
        #expect(await world.laser.canceled == ["job"])
    }

    @Test func `if the response to Send-Document is lost, the job is queried and not sent again`() async throws {
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
    func `after a shutdown during any step, the job has no error and is printed once at the next start`(
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

    @Test func `a job whose preparation was interrupted by a shutdown is printed at the next start`() async throws {
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
