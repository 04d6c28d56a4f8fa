import PrintModel
import Testing

/// Tests of resuming a suspended job.
struct ResumeTests {
    typealias Event = JobStateMachine.Event

    /// Returns a suspended job with six sides.
    ///
    /// The printer has printed the first `seen` sides.
    private func suspended(seen: Int, sheets: Int = 6) throws -> JobStateMachine {
        try JobStateMachineTests.machine(after: [
            .claimed, .prepared(impressions: 6, sheets: sheets, notice: nil),
            .createdAtPrinter(JobStateMachineTests.remote), .sent, .progressed(impressions: seen, sheets: nil),
            .doubted(message: "lost"),
        ])
    }

    private func refusal(_ machine: JobStateMachine, _ event: Event) -> String? {
        var machine = machine
        do throws(JobStateMachine.InvalidTransition) {
            _ = try machine.handle(event, at: 20)
            return nil
        } catch {
            return error.description
        }
    }

    @Test
    func `a suspended job resumes with the first unprinted side, and the page counts include the printed sides`() throws
    {
        var machine = try suspended(seen: 2)
        #expect(try machine.handle(.resumeRequested(fromImpression: nil), at: 20) == .none)
        #expect((machine.job.state, machine.job.resumeFrom, machine.job.remote) == (.pending, 3, nil))
        #expect(machine.job.impressionsCompleted == 2)
        for event in JobStateMachineTests.printing.dropLast(3) { _ = try machine.handle(event, at: 21) }
        _ = try machine.handle(.prepared(impressions: 6, sheets: 6, notice: nil), at: 22)
        // The printer counts the four sides that it received.
        _ = try machine.handle(.progressed(impressions: 1, sheets: 1), at: 23)
        #expect(machine.job.message == "Printing page 4 of 6")
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (3, 3))
        #expect(try machine.handle(.delivered(warning: nil), at: 24) == .finish)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (6, 6))
    }

    @Test func `a two-sided job resumes at the front side of a sheet`() throws {
        var machine = try suspended(seen: 3, sheets: 3)
        _ = try machine.handle(.resumeRequested(fromImpression: nil), at: 20)
        #expect((machine.job.resumeFrom, machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2, 1))
        #expect(machine.job.resumeText == "page 3 of 6, the front of the sheet with page 4")
        _ = try machine.handle(.claimed, at: 21)
        _ = try machine.handle(.progressed(impressions: 2, sheets: 1), at: 22)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2))
    }

    @Test func `if a job resumes from a requested page, the job reports progress from this page`() throws {
        var machine = try suspended(seen: 4)
        _ = try machine.handle(.resumeRequested(fromImpression: 2), at: 20)
        #expect((machine.job.resumeFrom, machine.job.impressionsCompleted) == (2, 1))
        for event: Event in [.claimed, .progressed(impressions: 2, sheets: nil), .doubted(message: "lost")] {
            _ = try machine.handle(event, at: 21)
        }
        #expect(machine.job.impressionsCompleted == 3)
        _ = try machine.handle(.resumeRequested(fromImpression: nil), at: 22)
        #expect(machine.job.resumeFrom == 4)
    }

    @Test func `if a suspended job is released or is resumed from page 1, the whole job is printed`() throws {
        for event: Event in [.resumeRequested(fromImpression: 1), .releaseRequested] {
            var machine = try suspended(seen: 4)
            _ = try machine.handle(.resumeRequested(fromImpression: 3), at: 20)
            for event: Event in [.claimed, .doubted(message: "lost"), event] { _ = try machine.handle(event, at: 21) }
            #expect((machine.job.resumeFrom, machine.job.impressionsCompleted) == (nil, 0))
            #expect(machine.job.state == .pending)
        }
    }

    @Test func `only a suspended job can be resumed, and only from an existing page`() throws {
        let waiting = JobStateMachineTests.machine()
        #expect(
            refusal(waiting, .resumeRequested(fromImpression: 2))
                == "job 7 is pending and cannot be resumed: only a suspended job can be resumed")
        let machine = try suspended(seen: 6)
        #expect(
            refusal(machine, .resumeRequested(fromImpression: nil))
                == "job 7 is processing-stopped and cannot be resumed: all 6 pages were printed; "
                + "'printq reprint 7' prints the job again, 'printq cancel 7' cancels the job")
        #expect(
            refusal(machine, .resumeRequested(fromImpression: 7))?.contains(
                "cannot be resumed from page 7: the job has 6 pages") == true)
        #expect(refusal(machine, .resumeRequested(fromImpression: 0))?.contains("page numbers start at 1") == true)
    }

    @Test func `'resumeCommands' lists the commands that resume, reprint or cancel a suspended job`() throws {
        let ways = try [0, 2, 6].map { try suspended(seen: $0).job.resumeCommands }
        let rest = ", 'printq reprint 7' prints the whole job again, 'printq cancel 7' cancels the job"
        #expect(
            ways == [
                "'printq resume 7 --from PAGE' continues at page PAGE" + rest,
                "'printq resume 7' continues with page 3, '--from PAGE' selects another page" + rest,
                "'printq resume 7 --from PAGE' prints again from page PAGE" + rest,
            ])
    }

    @Test func `if a job is moved, the retry time and the number of attempts are cleared, and a held job remains held`()
        throws
    {
        var machine = try JobStateMachineTests.machine(after: [.claimed, .postponed(until: 99, message: "off")])
        #expect(try machine.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((machine.job.printer, machine.job.movedFrom) == ("q", "p"))
        #expect((machine.job.retryAt, machine.job.attempts, machine.job.reasons) == (nil, 0, []))
        var held = JobStateMachineTests.machine(.pendingHeld, [.jobHoldUntilSpecified])
        #expect(try held.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((held.job.state, held.job.printer) == (.pendingHeld, "q"))
    }

    @Test func `a suspended job stays suspended when it is moved`() throws {
        var machine = try suspended(seen: 2)
        #expect(try machine.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.processingStopped, [.jobSuspended]))
        #expect((machine.job.printer, machine.job.remote) == ("q", nil))
        #expect(
            machine.job.message
                == "The job was moved from p, where 2 pages were printed; \(machine.job.resumeCommands)")
        _ = try machine.handle(.resumeRequested(fromImpression: nil), at: 21)
        #expect((machine.job.state, machine.job.resumeFrom) == (.pending, 3))
    }

    @Test func `a printing or ended job cannot be moved`() throws {
        let printing = try JobStateMachineTests.printingMachine()
        #expect(
            refusal(printing, .moveRequested(to: "q"))
                == "job 7 is processing and cannot be moved: the job is in progress on p; run 'printq cancel 7' "
                + "and then 'printq reprint 7 -d q'")
        var ended = printing
        _ = try ended.handle(.delivered(warning: nil), at: 20)
        #expect(
            refusal(ended, .moveRequested(to: "q"))
                == "job 7 is completed and cannot be moved: the job has ended; 'printq reprint 7 -d q' prints "
                + "the job on q")
    }

    @Test func `if a job does not resume at the first side, imposition makes the copies instead of the printer`() {
        var ticket = JobTicket()
        ticket.copies = 3
        let printer = PrintPlanTests().printer()
        let whole = ticket.plan(for: printer)
        #expect((whole.device.copies, whole.imposition.copies, whole.imposition.firstImpression) == (3, 1, 1))
        let rest = ticket.plan(for: printer, from: 5)
        #expect((rest.device.copies, rest.imposition.copies, rest.imposition.firstImpression) == (1, 3, 5))
        #expect(rest.imposition.collated)
    }
}

/// Tests of jobs that continue automatically after their printer aborted them.
struct ContinueTests {
    typealias Event = JobStateMachine.Event

    /// Returns a job with three two-sided sheets.
    ///
    /// The printer has printed the first `seen` sides.
    private func printing(seen: Int) throws -> JobStateMachine {
        try JobStateMachineTests.machine(after: [
            .claimed, .prepared(impressions: 6, sheets: 3, notice: nil),
            .createdAtPrinter(JobStateMachineTests.remote), .sent, .progressed(impressions: seen, sheets: nil),
        ])
    }

    @Test(arguments: [(0, nil, 0), (1, 2, 0), (2, 3, 2), (3, 4, 2), (5, 6, 4)] as [(Int, Int?, Int)])
    func `an interrupted job continues with the first incomplete sheet`(seen: Int, from: Int?, before: Int) throws {
        var machine = try printing(seen: seen)
        #expect(machine.job.impressionsOnWholeSheets == before)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .none)
        let job = machine.job
        #expect((job.state, job.reasons, job.message) == (.pending, [.jobResuming], "Reset"))
        #expect((job.resumeFrom, job.impressionsCompleted, job.retryAt) == (from, before, 30))
        #expect(job.remote == nil && job.attempts == 0)
        #expect(job.printed.impressions == seen)
    }

    @Test func `if all sides were printed before the interruption, the job is completed with a warning`() throws {
        var machine = try printing(seen: 6)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.completed, [.jobCompletedWithWarnings]))
        #expect(machine.job.message == "Reset")
    }

    @Test func `if a job is canceled before an interruption, the job does not continue`() throws {
        var machine = try printing(seen: 2)
        _ = try machine.handle(.cancelRequested(byOperator: false), at: 19)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.canceled, [.jobCanceledByUser]))
    }

    @Test func `the explanation of an interrupted job contains the page and the time at which the job continues`()
        throws
    {
        var machine = try printing(seen: 2)
        _ = try machine.handle(.continues(at: 30, message: "The printer was switched off"), at: 20)
        let printer = ConfiguredPrinter(name: "p", deviceURI: "test:")
        let context = JobContext(printer: printer, status: nil, jobsAhead: 0, now: 20)
        #expect(
            machine.job.condition(in: context).explanation(at: 20)
                == "Job 7 was interrupted: The printer was switched off. In 10 s, the job continues with page 3 of 6.")
    }
}
