import PrintModel
import Testing

/// Tests of jobs that the printer aborts.
///
/// By default, such a job is suspended until a person decides.
@Suite(.timeLimit(.minutes(1)))
struct JobRunInterruptionTests {
    private static let words = "The printer was switched off after 1 of 5 sides of it had been printed"

    /// Makes the printer abort a job after some sides.
    private func giveUp(
        _ id: Int, after sides: Int?, of name: String = "job", in fixture: SchedulerFixture,
        reasons: [JobStateReason] = [.abortedBySystem], message: String = words
    ) async throws {
        try await fixture.job(id) { $0.reasons == [.jobPrinting] }
        await fixture.laser.show(
            RemoteJobStatus(
                state: .aborted, reasons: reasons, message: message, impressionsCompleted: sides, sheetsCompleted: sides
            ),
            of: name)
    }

    @Test func `if the printer aborts a job for a reason other than the document, the job is suspended`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            try await giveUp(id, after: 1, in: fixture)
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.state == .processingStopped && job.impressionsCompleted == 1)
            #expect(
                job.message == "laser aborted the job: \(Self.words). 1 page was printed; check the printed sheets, "
                    + "then 'printq resume 1' continues with page 2, '--from PAGE' selects another page, "
                    + "'printq reprint 1' "
                    + "prints the whole job again, 'printq cancel 1' cancels the job")
            try await fixture.job(next) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "next")
            try await fixture.job(next, is: .completed)
            try await fixture.spool.change(id, .resumeRequested(fromImpression: nil))
            let resumed = try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            #expect(resumed.resumeFrom == 2)
            await fixture.laser.show(
                RemoteJobStatus(state: .completed, impressionsCompleted: 4, sheetsCompleted: 4), of: "job")
            let done = try await fixture.job(id, is: .completed)
            #expect((done.impressionsCompleted, done.printed.impressions) == (5, 5))
        }
        #expect(await fixture.laser.received == ["job", "next", "job"])
    }

    @Test func `with after-interruption=continue, a job resumes at the first side that was not reported as printed`()
        async throws
    {
        let fixture = try await SchedulerFixture(afterInterruption: .continue)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await giveUp(id, after: 1, in: fixture)
            let resumed = try await fixture.job(id) { $0.reasons == [.jobPrinting] && $0.resumeFrom == 2 }
            #expect((resumed.impressionsCompleted, resumed.attempts) == (1, 0))
            await fixture.laser.show(
                RemoteJobStatus(state: .completed, impressionsCompleted: 4, sheetsCompleted: 4), of: "job")
            let done = try await fixture.job(id, is: .completed)
            #expect((done.impressionsCompleted, done.printed.impressions) == (5, 5))
        }
        #expect(await fixture.laser.received == ["job", "job"])
        let events = try await fixture.spool.events(after: 0, jobID: id, limit: 100)
        #expect(events.contains { $0.reasons == ["job-resuming"] && $0.message == Self.words })
    }

    @Test func `with after-interruption=continue, an interrupted job is suspended if the printer counts no pages`()
        async throws
    {
        let fixture = try await SchedulerFixture(afterInterruption: .continue)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await giveUp(id, after: nil, in: fixture)
            try await fixture.job(id) { $0.reasons == [.jobSuspended] }
        }
    }

    @Test func `a job is suspended if it was resumed three times without a printed sheet`() async throws {
        let fixture = try await SchedulerFixture(afterInterruption: .continue)
        let id = try await fixture.submit("job")
        await fixture.laser.begin(
            with: RemoteJobStatus(
                state: .aborted, reasons: [.abortedBySystem], message: "Reset", impressionsCompleted: 0,
                sheetsCompleted: 0))
        try await fixture.printing { _ in
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message.hasPrefix(
                    "laser aborted the job: no sheet was printed in 3 attempts; last message: Reset. "),
                "\(job.message)")
        }
        #expect(await fixture.laser.received.count == 4)
    }

    @Test func `with after-interruption=abort, an interrupted job is aborted`() async throws {
        let fixture = try await SchedulerFixture(afterInterruption: .abort)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await giveUp(id, after: 1, in: fixture)
            #expect(try await fixture.job(id, is: .aborted).message == Self.words)
        }
    }

    @Test(
        arguments: [
            JobStateReason.documentFormatError, "unsupported-document-format", "unsupported-compression",
            "compression-error", "document-password-error", "document-unprintable-error",
        ], ConfiguredPrinter.AfterInterruption.allCases)
    func `with any value of after-interruption, the job is aborted if the printer cannot print the document`(
        reason: JobStateReason, setting: ConfiguredPrinter.AfterInterruption
    ) async throws {
        let fixture = try await SchedulerFixture(afterInterruption: setting)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await giveUp(id, after: 0, in: fixture, reasons: [.abortedBySystem, reason], message: "Not for me")
            let job = try await fixture.job(id, is: .aborted)
            #expect((job.reasons, job.message) == ([reason, .abortedBySystem], "Not for me"))
        }
    }

    @Test func `if the printer aborts a job after a cancel request, the job ends as canceled`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { scheduler in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.fail(.cancel, with: .silent, stays: true)
            try await fixture.cancel(id, telling: scheduler)
            await fixture.laser.show(
                RemoteJobStatus(state: .aborted, reasons: [.abortedBySystem], message: "Reset"), of: "job")
            #expect(try await fixture.job(id, is: .canceled).reasons == [.jobCanceledByUser])
        }
    }

    @Test func `if a job is canceled at the printer, the job ends as canceled, even if the printer reports 'aborted'`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await giveUp(id, after: 1, in: fixture, reasons: [.jobCanceledAtDevice], message: "Stop key")
            #expect(try await fixture.job(id, is: .canceled).reasons == [.jobCanceledAtDevice])
        }
    }

    @Test
    func `if the printer aborts a job before the document arrives, the scheduler creates a new job on the printer`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        await fixture.laser.set(gate, at: .send)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            await gate.arrival()
            await fixture.laser.show(
                RemoteJobStatus(state: .aborted, reasons: [.jobDataInsufficient], impressionsCompleted: 0), of: "job")
            await fixture.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-not-possible"))
            await fixture.laser.set(nil, at: .send)
            gate.open()
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if the printer aborts a job while printd is stopped, the job is suspended when printd starts`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id) { $0.reasons == [.jobPrinting] } }
        await fixture.laser.show(
            RemoteJobStatus(state: .aborted, reasons: [.abortedBySystem], message: "Reset", impressionsCompleted: 1),
            of: "job")
        try await fixture.printing { _ in try await fixture.job(id) { $0.reasons == [.jobSuspended] } }
    }
}
