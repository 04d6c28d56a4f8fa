import PrintModel
import Testing

/// How a job that may have been printed goes on.
struct ResumeTests {
    typealias Event = JobStateMachine.Event

    /// A suspended job of six sides on so many sheets, of which some were seen printed.
    private func suspended(seen: Int, sheets: Int = 6) throws -> JobStateMachine {
        try JobStateMachineTests.machine(after: [
            .claimed, .prepared(impressions: 6, sheets: sheets, notice: nil),
            .createdAtPrinter(JobStateMachineTests.remote), .sent, .progressed(impressions: seen, sheets: nil),
            .doubted(message: "lost"),
        ])
    }

    private func refusal(_ machine: JobStateMachine, _ event: Event) -> String? {
        var machine = machine
        do throws(JobStateMachine.NotPossible) {
            _ = try machine.handle(event, at: 20)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a suspended job goes on with the first side not seen printed, and counts over all of it`() throws {
        var machine = try suspended(seen: 2)
        #expect(try machine.handle(.resumeRequested(fromImpression: nil), at: 20) == .none)
        #expect((machine.job.state, machine.job.resumeFrom, machine.job.remote) == (.pending, 3, nil))
        #expect(machine.job.impressionsCompleted == 2)
        for event in JobStateMachineTests.printing.dropLast(3) { _ = try machine.handle(event, at: 21) }
        _ = try machine.handle(.prepared(impressions: 6, sheets: 6, notice: nil), at: 22)
        // The printer counts the four sides it was sent.
        _ = try machine.handle(.progressed(impressions: 1, sheets: 1), at: 23)
        #expect(machine.job.message == "Printing page 4 of 6")
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (3, 3))
        #expect(try machine.handle(.delivered(warning: nil), at: 24) == .finish)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (6, 6))
    }

    @Test func `on two sides it goes on with the front of the sheet`() throws {
        var machine = try suspended(seen: 3, sheets: 3)
        _ = try machine.handle(.resumeRequested(fromImpression: nil), at: 20)
        #expect((machine.job.resumeFrom, machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2, 1))
        #expect(machine.job.resumePoint?.words(of: 6) == "page 3 of 6, the front of the sheet with page 4")
        _ = try machine.handle(.claimed, at: 21)
        _ = try machine.handle(.progressed(impressions: 2, sheets: 1), at: 22)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2))
    }

    @Test func `from a page it goes back or ahead, and a second doubt counts on from there`() throws {
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

    @Test func `from page 1, and released, all of it is printed again`() throws {
        for event: Event in [.resumeRequested(fromImpression: 1), .releaseRequested] {
            var machine = try suspended(seen: 4)
            _ = try machine.handle(.resumeRequested(fromImpression: 3), at: 20)
            for event: Event in [.claimed, .doubted(message: "lost"), event] { _ = try machine.handle(event, at: 21) }
            #expect((machine.job.resumeFrom, machine.job.impressionsCompleted) == (nil, 0))
            #expect(machine.job.state == .pending)
        }
    }

    @Test func `only a suspended job resumes, and only from a page that it has`() throws {
        let waiting = JobStateMachineTests.machine()
        #expect(
            refusal(waiting, .resumeRequested(fromImpression: 2))
                == "job 7 is pending and cannot be resumed: only a suspended job can be resumed")
        let machine = try suspended(seen: 6)
        #expect(
            refusal(machine, .resumeRequested(fromImpression: nil))
                == "job 7 is processing-stopped and cannot be resumed: all of its 6 pages were seen printed; "
                + "'printq reprint 7' prints it again, 'printq cancel 7' lets it be")
        #expect(
            refusal(machine, .resumeRequested(fromImpression: 7))?.contains(
                "cannot be resumed from page 7: it has 6 pages") == true)
        #expect(refusal(machine, .resumeRequested(fromImpression: 0))?.contains("pages count from 1") == true)
    }

    @Test func `a suspended job says what may be done with it`() throws {
        let ways = try [0, 2, 6].map { try suspended(seen: $0).job.waysOn }
        let rest = ", 'printq reprint 7' prints all of it, 'printq cancel 7' gives it up"
        #expect(
            ways == [
                "'printq resume 7 --from PAGE' goes on with a page" + rest,
                "'printq resume 7' goes on with page 3, '--from PAGE' with another" + rest,
                "'printq resume 7 --from PAGE' goes back to a page" + rest,
            ])
    }

    @Test func `a waiting job moves, and is tried at once`() throws {
        var machine = try JobStateMachineTests.machine(after: [.claimed, .postponed(until: 99, message: "off")])
        #expect(try machine.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((machine.job.printer, machine.job.movedFrom) == ("q", "p"))
        #expect((machine.job.retryAt, machine.job.attempts, machine.job.reasons) == (nil, 0, []))
        var held = JobStateMachineTests.machine(.pendingHeld, [.jobHoldUntilSpecified])
        #expect(try held.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((held.job.state, held.job.printer) == (.pendingHeld, "q"))
    }

    @Test func `a suspended job moves and stays suspended, for moving says nothing of its pages`() throws {
        var machine = try suspended(seen: 2)
        #expect(try machine.handle(.moveRequested(to: "q"), at: 20) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.processingStopped, [.jobSuspended]))
        #expect((machine.job.printer, machine.job.remote) == ("q", nil))
        #expect(machine.job.message == "It was moved from p, where 2 pages were seen printed; \(machine.job.waysOn)")
        _ = try machine.handle(.resumeRequested(fromImpression: nil), at: 21)
        #expect((machine.job.state, machine.job.resumeFrom) == (.pending, 3))
    }

    @Test func `a job that prints or has ended does not move`() throws {
        let printing = try JobStateMachineTests.printingMachine()
        #expect(
            refusal(printing, .moveRequested(to: "q"))
                == "job 7 is processing and cannot be moved: it is in hand at p; cancel it with 'printq cancel 7' "
                + "and then print it there with 'printq reprint 7 -d q'")
        var ended = printing
        _ = try ended.handle(.delivered(warning: nil), at: 20)
        #expect(
            refusal(ended, .moveRequested(to: "q"))
                == "job 7 is completed and cannot be moved: it has ended; 'printq reprint 7 -d q' prints it there")
    }

    @Test func `from a later side on, all copies are laid out here`() {
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

/// How a job goes on by itself after its printer gave it up.
struct ContinueTests {
    typealias Event = JobStateMachine.Event

    /// A job of three sheets with two sides each, of which so many sides were seen printed.
    private func printing(seen: Int) throws -> JobStateMachine {
        try JobStateMachineTests.machine(after: [
            .claimed, .prepared(impressions: 6, sheets: 3, notice: nil),
            .createdAtPrinter(JobStateMachineTests.remote), .sent, .progressed(impressions: seen, sheets: nil),
        ])
    }

    @Test(arguments: [(0, nil, 0), (1, 2, 0), (2, 3, 2), (3, 4, 2), (5, 6, 4)] as [(Int, Int?, Int)])
    func `it goes on with the first sheet that was not seen printed`(seen: Int, from: Int?, before: Int) throws {
        var machine = try printing(seen: seen)
        #expect(machine.job.impressionsOnWholeSheets == before)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .none)
        let job = machine.job
        #expect((job.state, job.reasons, job.message) == (.pending, [.jobResuming], "Reset"))
        #expect((job.resumeFrom, job.impressionsCompleted, job.retryAt) == (from, before, 30))
        #expect(job.remote == nil && job.attempts == 0)
        #expect(job.printed.impressions == seen)
    }

    @Test func `all of it seen printed, it is completed with a warning`() throws {
        var machine = try printing(seen: 6)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.completed, [.jobCompletedWithWarnings]))
        #expect(machine.job.message == "Reset")
    }

    @Test func `canceled before, it stays canceled`() throws {
        var machine = try printing(seen: 2)
        _ = try machine.handle(.cancelRequested(byOperator: false), at: 19)
        #expect(try machine.handle(.continues(at: 30, message: "Reset"), at: 20) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.canceled, [.jobCanceledByUser]))
    }

    @Test func `while it waits, it says where and when it goes on`() throws {
        var machine = try printing(seen: 2)
        _ = try machine.handle(.continues(at: 30, message: "The printer was switched off"), at: 20)
        let printer = ConfiguredPrinter(name: "p", deviceURI: "test:")
        let surroundings = JobContext(printer: printer, status: nil, jobsAhead: 0, now: 20)
        #expect(
            machine.job.explanation(in: surroundings)
                == "Job 7 was interrupted: The printer was switched off. It goes on with page 3 of 6 in 10 s.")
    }
}
