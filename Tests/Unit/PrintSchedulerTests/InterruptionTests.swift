import PrintModel
import Testing

/// Jobs that their printer aborts: no job ends unprinted without a decision of a person.
@Suite(.timeLimit(.minutes(1)))
struct InterruptionTests {
    private static let words = "The printer was switched off after 1 of 5 sides of it had been printed"

    /// Makes the printer print some sides of a job and abort it.
    private func giveUp(
        _ id: Int, after sides: Int?, of name: String = "job", in world: World,
        reasons: [JobStateReason] = [.abortedBySystem], message: String = words
    ) async throws {
        try await world.job(id) { $0.reasons == [.jobPrinting] }
        await world.laser.show(
            RemoteJobStatus(
                state: .aborted, reasons: reasons, message: message, impressionsCompleted: sides, sheetsCompleted: sides
            ),
            of: name)
    }

    @Test func `a job that its printer aborted without a fault of the document is suspended, and can be resumed`()
        async throws
    {
        let world = try await World()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        let next = try await world.submit("next")
        try await world.printing { _ in
            try await giveUp(id, after: 1, in: world)
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.state == .processingStopped && job.impressionsCompleted == 1)
            #expect(
                job.message == "laser aborted the job: \(Self.words). 1 page was seen printed; look at the paper, then "
                    + "'printq resume 1' goes on with page 2, '--from PAGE' with another, 'printq reprint 1' prints all of "
                    + "it, 'printq cancel 1' gives it up")
            try await world.job(next) { $0.reasons == [.jobPrinting] }
            await world.laser.show(RemoteJobStatus(state: .completed), of: "next")
            try await world.job(next, is: .completed)
            try await world.spool.change(id, .resumeRequested(fromImpression: nil))
            let resumed = try await world.job(id) { $0.reasons == [.jobPrinting] }
            #expect(resumed.resumeFrom == 2)
            await world.laser.show(
                RemoteJobStatus(state: .completed, impressionsCompleted: 4, sheetsCompleted: 4), of: "job")
            let done = try await world.job(id, is: .completed)
            #expect((done.impressionsCompleted, done.printed.impressions) == (5, 5))
        }
        #expect(await world.laser.received == ["job", "next", "job"])
    }

    @Test func `with after-interruption continue, a job resumes with the first side that was not seen printed`()
        async throws
    {
        let world = try await World(afterInterruption: .continue)
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await giveUp(id, after: 1, in: world)
            let resumed = try await world.job(id) { $0.reasons == [.jobPrinting] && $0.resumeFrom == 2 }
            #expect((resumed.impressionsCompleted, resumed.attempts) == (1, 0))
            await world.laser.show(
                RemoteJobStatus(state: .completed, impressionsCompleted: 4, sheetsCompleted: 4), of: "job")
            let done = try await world.job(id, is: .completed)
            #expect((done.impressionsCompleted, done.printed.impressions) == (5, 5))
        }
        #expect(await world.laser.received == ["job", "job"])
        let events = try await world.spool.events(after: 0, jobID: id, limit: 100)
        #expect(events.contains { $0.reasons == ["job-resuming"] && $0.message == Self.words })
    }

    @Test func `with after-interruption continue, a job of a printer that does not count is suspended`() async throws {
        let world = try await World(afterInterruption: .continue)
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await giveUp(id, after: nil, in: world)
            try await world.job(id) { $0.reasons == [.jobSuspended] }
        }
    }

    @Test func `a job that resumes three times without a printed sheet is suspended`() async throws {
        let world = try await World(afterInterruption: .continue)
        let id = try await world.submit("job")
        await world.laser.begin(
            with: RemoteJobStatus(
                state: .aborted, reasons: [.abortedBySystem], message: "Reset", impressionsCompleted: 0,
                sheetsCompleted: 0))
        try await world.printing { _ in
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message.hasPrefix("laser aborted the job: After 3 attempts without a printed sheet: Reset. "),
                "\(job.message)")
        }
        #expect(await world.laser.received.count == 4)
    }

    @Test func `with after-interruption abort, an interrupted job is aborted`() async throws {
        let world = try await World(afterInterruption: .abort)
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await giveUp(id, after: 1, in: world)
            #expect(try await world.job(id, is: .aborted).message == Self.words)
        }
    }

    @Test(
        arguments: [
            JobStateReason.documentFormatError, "unsupported-document-format", "unsupported-compression",
            "compression-error", "document-password-error", "document-unprintable-error",
        ], ConfiguredPrinter.AfterInterruption.allCases)
    func `a job whose document the printer cannot print is aborted with any setting`(
        reason: JobStateReason, setting: ConfiguredPrinter.AfterInterruption
    ) async throws {
        let world = try await World(afterInterruption: setting)
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await giveUp(id, after: 0, in: world, reasons: [.abortedBySystem, reason], message: "Not for me")
            let job = try await world.job(id, is: .aborted)
            #expect((job.reasons, job.message) == ([reason, .abortedBySystem], "Not for me"))
        }
    }

    @Test func `a job that was canceled before its printer aborted it is canceled`() async throws {
        let world = try await World()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { scheduler in
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            await world.laser.fail(.cancel, with: .silent, stays: true)
            try await world.cancel(id, telling: scheduler)
            await world.laser.show(
                RemoteJobStatus(state: .aborted, reasons: [.abortedBySystem], message: "Reset"), of: "job")
            #expect(try await world.job(id, is: .canceled).reasons == [.jobCanceledByUser])
        }
    }

    @Test func `a job that a person canceled at the printer is canceled, even if the printer reports it as aborted`()
        async throws
    {
        let world = try await World()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in
            try await giveUp(id, after: 1, in: world, reasons: [.jobCanceledAtDevice], message: "Stop key")
            #expect(try await world.job(id, is: .canceled).reasons == [.jobCanceledAtDevice])
        }
    }

    @Test func `a printer that aborted the empty job gets a new job`() async throws {
        let world = try await World()
        let gate = Gate()
        await world.laser.set(gate, at: .send)
        let id = try await world.submit("job")
        try await world.printing { _ in
            await gate.arrival()
            await world.laser.show(
                RemoteJobStatus(state: .aborted, reasons: [.jobDataInsufficient], impressionsCompleted: 0), of: "job")
            await world.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-not-possible"))
            await world.laser.set(nil, at: .send)
            gate.open()
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.received == ["job"])
    }

    @Test func `a job that its printer aborted while printd was stopped is suspended at the next start`() async throws {
        let world = try await World()
        await world.laser.printSlowly()
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobPrinting] } }
        await world.laser.show(
            RemoteJobStatus(state: .aborted, reasons: [.abortedBySystem], message: "Reset", impressionsCompleted: 1),
            of: "job")
        try await world.printing { _ in try await world.job(id) { $0.reasons == [.jobSuspended] } }
    }
}
