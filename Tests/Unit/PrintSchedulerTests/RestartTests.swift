import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of a new scheduler that continues the previous scheduler's jobs, for each phase of a job.
@Suite(.timeLimit(.minutes(1)))
struct RestartTests {
    /// Returns a fixture with a claimed job, which also exists at the printer if `atPrinter` is true.
    private func interrupted(atPrinter: Bool) async throws -> (fixture: SchedulerFixture, id: Int, remote: RemoteJob?) {
        let fixture = try await SchedulerFixture()
        let id = try await fixture.submit("job")
        _ = try await fixture.spool.claim(fromPrinters: ["laser"])
        try await fixture.spool.change(id, .prepared(impressions: 5, sheets: 5, notice: nil))
        guard atPrinter else { return (fixture, id, nil) }
        let remote = await fixture.laser.makeJob("job")
        try await fixture.spool.change(id, .createdAtPrinter(remote))
        return (fixture, id, remote)
    }

    @Test func `if a prepared job was not sent before printd restarts, it is printed once, before the next job`()
        async throws
    {
        let (fixture, id, _) = try await interrupted(atPrinter: false)
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in try await fixture.job(next, is: .completed) }
        #expect(try await fixture.spool.job(id)?.state == .completed)
        #expect(await fixture.laser.received == ["job", "next"])
    }

    @Test
    func `after a restart, a job is canceled at the printer and sent again if its document did not reach the printer`()
        async throws
    {
        let (fixture, id, _) = try await interrupted(atPrinter: true)
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
        #expect(await fixture.laser.canceled == ["job"])
    }

    @Test
    func `if printd crashes after withdrawing a job from the printer, the job is sent again as a new job`() async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        try await fixture.spool.change(id, .withdrawing)
        try await fixture.laser.cancelJob(try #require(remote))
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if the response to Cancel-Job is lost, the withdrawn job is sent again as a new job`() async throws {
        let (fixture, id, _) = try await interrupted(atPrinter: true)
        await fixture.laser.fail(.cancel, with: BackendError(.unreachable, "laser: no answer"), isDone: true)
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
        #expect(await fixture.laser.canceled == ["job"])
    }

    @Test func `if a sent job is canceled at the printer before printd restarts, the job ends as canceled`()
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.printSlowly()
        await fixture.laser.receive(try #require(remote))
        try await fixture.spool.change(id, .sent)
        await fixture.laser.show(
            RemoteJobStatus(state: .canceled, reasons: [.jobCanceledAtDevice], impressionsCompleted: 0), of: "job")
        try await fixture.printing { _ in try await fixture.job(id, is: .canceled) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if the printer aborts a job because no document arrived, the job is sent again as a new job`()
        async throws
    {
        let (fixture, id, _) = try await interrupted(atPrinter: true)
        await fixture.laser.show(
            RemoteJobStatus(state: .aborted, reasons: [.multipleOperationTimeOut], impressionsCompleted: 0), of: "job")
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if the printer prints a job despite Cancel-Job, the job is not printed again`() async throws {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        let gate = Gate()
        await fixture.laser.set(gate, at: .cancel)
        try await fixture.printing { _ in
            await gate.arrival()
            await fixture.laser.receive(try #require(remote))
            gate.open()
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `after printd restarts, a job with the reason 'job-incoming' at the printer is not sent again`()
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.printSlowly()
        await fixture.laser.receive(try #require(remote))
        await fixture.laser.show(RemoteJobStatus(state: .processing, reasons: [.jobIncoming]), of: "job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test(arguments: [false, true])
    func `after printd restarts, a sent job is polled until the job ends, and is not sent again`(isNoted: Bool)
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.receive(try #require(remote))
        if isNoted { try await fixture.spool.change(id, .sent) }
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `after printd restarts, a stopped job changes to 'processing' if the printer is printing the job`()
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.printSlowly()
        await fixture.laser.receive(try #require(remote))
        try await fixture.spool.change(id, .printerStopped(message: "No paper"))
        try await fixture.printing { _ in
            let job = try await fixture.job(id, is: .processing)
            #expect(job.message == "Printing page 1 of 5")
        }
    }

    @Test func `after printd restarts, a job is suspended and not sent again if the printer has lost the job`()
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.receive(try #require(remote))
        await fixture.laser.forgetJobs()
        try await fixture.printing { _ in try await fixture.job(id) { $0.reasons == [.jobSuspended] } }
        try await fixture.printing { _ in try await fixture.job(fixture.submit("next"), is: .completed) }
        #expect(try await fixture.spool.job(id)?.reasons == [.jobSuspended])
        #expect(await fixture.laser.received == ["job", "next"])
    }

    @Test func `after printd restarts, a job is suspended if it has no UUID from the printer`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.nameJobsByNumberOnly()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id) { $0.reasons == [.jobPrinting] } }
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message == "laser identifies jobs only by number, so its job 101 may be a different job after "
                    + "the interruption; the job may have been printed; check the printed sheets, then 'printq "
                    + "resume 1 --from PAGE' continues at page PAGE, 'printq reprint 1' prints the whole job "
                    + "again, 'printq cancel 1' cancels the job")
            try await fixture.job(next) { $0.reasons == [.jobPrinting] }
        }
        #expect(await fixture.laser.received == ["job", "next"])
    }

    @Test func `if a printing job has no UUID from the printer, the job is suspended when its page count decreases`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.nameJobsByNumberOnly()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 3), of: "job")
            try await fixture.job(id) { $0.impressionsCompleted == 3 }
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 1), of: "job")
            try await fixture.job(id) { $0.reasons == [.jobSuspended] }
        }
    }

    @Test func `a sent job is suspended and not aborted if the printer's address is unusable`() async throws {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.receive(try #require(remote))
        try await fixture.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "nowhere:"))
        try await fixture.printing { _ in
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.message.hasPrefix("nowhere: is not a usable printer address"))
            #expect(job.message.contains("'printq reprint 1'"))
        }
    }

    @Test func `if printd withdraws a job from a printer that reports no page count, the job is suspended`()
        async throws
    {
        let (fixture, id, _) = try await interrupted(atPrinter: true)
        await fixture.laser.show(RemoteJobStatus(state: .pending, reasons: [.jobDataInsufficient]), of: "job")
        try await fixture.printing { _ in try await fixture.job(id) { $0.reasons == [.jobSuspended] } }
        #expect(await fixture.laser.received == [])
    }

    @Test func `if the response to Create-Job is lost, Create-Job is sent again, and the job is printed once`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(
            .create, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true), isDone: true)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
        #expect(await fixture.laser.count(.create) == 2)
    }

    @Test func `if a job is canceled before printd restarts, printd cancels the job at the printer after the restart`()
        async throws
    {
        let (fixture, id, remote) = try await interrupted(atPrinter: true)
        await fixture.laser.printSlowly()
        await fixture.laser.receive(try #require(remote))
        try await fixture.cancel(id, telling: nil)
        try await fixture.printing { _ in try await fixture.job(id, is: .canceled) }
        #expect(await fixture.laser.canceled == ["job"])
    }

    @Test func `if the response to Send-Document is lost, the job is queried and not sent again`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(
            .send, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true), isDone: true)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if the transfer of a document is interrupted, the document is sent again after a delay`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(.send, with: BackendError(.unreachable, "cut off", mayHaveBeenReceived: true))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            let job = try await fixture.job(id, is: .completed)
            #expect(job.attempts == 1)
        }
        #expect(await fixture.laser.received == ["job"])
        #expect(await fixture.laser.canceled == ["job"])
    }

    @Test(arguments: [ScriptedPrinter.Step.capabilities, .create, .send, .status])
    func `if a shutdown of printd interrupts a job at any step, the job is printed once at the next start`(
        step: ScriptedPrinter.Step
    ) async throws {
        let fixture = try await SchedulerFixture(policy: .abortJob)
        let gate = Gate()
        await fixture.laser.set(gate, at: step)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in await gate.arrival() }
        let left = try #require(try await fixture.spool.job(id))
        #expect(left.state == .processing)
        #expect(left.attempts == 0)
        #expect(!left.message.contains("answer"))
        await fixture.laser.set(nil, at: step)
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if a shutdown of printd interrupts the preparation of a job, the job is printed at the next start`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        fixture.worker.set(gate)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in await gate.arrival() }
        #expect(fixture.worker.cancelCount == 1)
        #expect(try await fixture.spool.job(id)?.state == .processing)
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(await fixture.laser.received == ["job"])
    }
}
