import PrintModel
import Testing

struct ExplanationTests {
    private func job(_ state: JobState, _ change: (inout Job) -> Void = { _ in }) -> Job {
        var job = Job(id: 3, uuid: "urn:uuid:3", printer: "laser", owner: "ann", name: "x", state: state, createdAt: 0)
        change(&job)
        return job
    }

    /// Returns the explanation of a job 100 seconds after the start of 1970.
    ///
    /// By default, the printer is idle.
    private func words(
        _ job: Job, printer: ConfiguredPrinter? = ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser"),
        status: PrinterStatus? = PrinterStatus(state: .idle), jobsAhead: Int = 0,
        turns: FairQueue.JobsAhead? = nil, blocker: JobCondition? = nil, driver: PrinterDriver? = nil
    ) -> String {
        job.condition(
            in: JobContext(
                printer: printer, status: status, jobsAhead: jobsAhead, turns: turns, blocker: blocker, driver: driver,
                now: 100)
        ).explanation(at: 100)
    }

    @Test func `in a shared queue, the explanation names the host that drives the printer`() {
        #expect(words(job(.pending), driver: .host("a")) == "Job 3 is next on laser. Host a drives laser.")
        #expect(words(job(.processing), driver: .host("a")) == "Job 3 is being printed. Host a drives laser.")
        #expect(words(job(.pendingHeld), driver: .host("a")) == "Job 3 is held; 'printq release 3' prints the job.")
    }

    @Test func `if no host that can reach the printer is alive, the explanation names the hosts to start`() {
        #expect(
            words(job(.pending), driver: .noHost(["a", "b"]))
                == "No host that can reach laser is alive: job 3 waits until one of the hosts a, b starts.")
        #expect(
            words(job(.processing), driver: .noHost(["a"]))
                == "Job 3 is being printed. No host that can reach laser is alive: the state of job 3 is unknown until "
                + "host a starts.")
    }

    @Test func `the explanation of a job with a password says how the job is released, and when it ends`() throws {
        var machine = JobStateMachine(job: job(.pending) { $0.ticket.passwordExpiresAt = 3700 })
        _ = try machine.handle(.holdRequested(until: nil), at: 50)
        #expect(
            words(machine.job)
                == "Job 3 waits for its PIN; 'printq release 3' prints the job. Otherwise the job ends in 60 min.")
        #expect(throws: JobStateMachine.InvalidTransition.self) {
            try machine.handle(.holdRequested(until: 80), at: 60)
        }
        _ = try machine.handle(.passwordLocked, at: 60)
        #expect(
            words(machine.job)
                == "Job 3 is locked, because three wrong PINs were entered; its owner can release the job: "
                + "'printq release 3' prints the job. Otherwise the job ends in 60 min.")
        #expect(try machine.handle(.passwordExpired, at: 3700) == .finish)
        #expect(machine.job.message.contains("within 1 hour,"))
    }

    @Test func `the explanation of an overtaken job says that its document is still being prepared`() throws {
        var machine = JobStateMachine(job: job(.pending))
        for event in [JobStateMachine.Event.claimed, .overtaken] { _ = try machine.handle(event, at: 50) }
        #expect(machine.job.state == .pending)
        #expect(
            words(machine.job)
                == "Job 3 is waiting because its document is still being prepared. Until then, laser prints jobs of "
                + "other users.")
        _ = try machine.handle(.prepared(impressions: 1, sheets: 1, notice: nil), at: 60)
        #expect(words(machine.job) == "Job 3 is next on laser.")
    }

    @Test func `the explanation of a job on a paused printer names the command that resumes the printer`() {
        var printer = ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser", isPaused: true)
        #expect(
            words(job(.pending), printer: printer)
                == "Job 3 is waiting because laser is paused; 'printq printers resume laser' resumes the printer.")
        printer.pauseMessage = "toner"
        #expect(
            words(job(.pending), printer: printer)
                == "Job 3 is waiting because laser is paused (toner); 'printq printers resume laser' resumes the "
                + "printer.")
    }

    @Test func `the explanation of a waiting job contains the reason for the wait`() {
        #expect(words(job(.pending)) == "Job 3 is next on laser.")
        #expect(words(job(.pending), status: nil) == "Job 3 is next on laser, which cannot be reached now.")
        #expect(
            words(job(.pending), status: PrinterStatus(state: .stopped, reasons: ["media-empty"]))
                == "Job 3 is next on laser, which has stopped: media-empty.")
        #expect(
            words(job(.pending), status: PrinterStatus(state: .stopped, message: "Tray 1 is empty."))
                == "Job 3 is next on laser, which has stopped: Tray 1 is empty.")
        #expect(words(job(.pending), jobsAhead: 1) == "Job 3 is queued behind 1 job on laser.")
        #expect(words(job(.pending), jobsAhead: 2) == "Job 3 is queued behind 2 jobs on laser.")
        #expect(
            words(job(.pending), printer: nil)
                == "Job 3 is waiting for laser, which no longer exists; cancel the job or add the printer again.")
    }

    @Test func `in fair order, the explanation counts the jobs ahead of the same user and of other users`() {
        #expect(
            words(job(.pending), jobsAhead: 3, turns: FairQueue.JobsAhead(own: 1, others: 2))
                == "Job 3 is queued behind 3 jobs on laser. Users take turns because the queue order is fair: "
                + "1 job of the same user and 2 jobs of other users will be printed first.")
        #expect(
            words(job(.pending), jobsAhead: 1, turns: FairQueue.JobsAhead(others: 1))
                == "Job 3 is queued behind 1 job on laser. Users take turns because the queue order is fair: "
                + "1 job of other users will be printed first.")
        #expect(words(job(.pending), turns: FairQueue.JobsAhead()) == "Job 3 is next on laser.")
    }

    @Test func `if a queue prints in strict order, a job's explanation includes the explanation of the blocking job`() {
        let blocker = JobCondition(
            job: 2, printer: "inkjet", phase: .printing, cause: .inProgress(.printing, message: ""))
        #expect(
            words(job(.pending), blocker: blocker)
                == "Job 3 is waiting for job 2 on inkjet because the queue prints in strict order. "
                + "Job 2 is being printed.")
    }

    @Test func `the explanation of a postponed job contains the failure and the time of the next attempt`() {
        let job = job(.pending) { ($0.retryAt, $0.attempts, $0.message) = (103.5, 2, "no answer") }
        #expect(words(job) == "Job 3 could not be delivered: no answer. The next attempt starts in 4 s (attempt 3).")
    }

    @Test func `the explanation of a held job contains the remaining time and the command that releases the job`() {
        #expect(words(job(.pendingHeld)) == "Job 3 is held; 'printq release 3' prints the job.")
        #expect(
            words(job(.pendingHeld) { $0.heldUntil = 160 })
                == "Job 3 is held for another 60 s; 'printq release 3' prints the job now.")
        #expect(
            words(job(.pendingHeld) { $0.heldUntil = 100 + 9000 })
                == "Job 3 is held for another 2 h 30 min; 'printq release 3' prints the job now.")
        #expect(
            words(job(.pendingHeld) { $0.reasons = [.jobIncoming] })
                == "Job 3 is waiting for its remaining documents.")
    }

    @Test func `the explanation of a job in progress contains the progress or the reason why the job is stopped`() {
        #expect(words(job(.processing)) == "Job 3 is being printed.")
        #expect(
            words(job(.processing) { ($0.reasons, $0.message) = ([.jobPrinting], "Printing page 2 of 5") })
                == "Job 3 is printing page 2 of 5.")
        #expect(words(job(.processing) { $0.reasons = [.jobTransforming] }) == "Job 3 is preparing.")
        #expect(
            words(job(.processing) { ($0.reasons, $0.message) = ([.jobTransforming], "2 pages are blank") })
                == "Job 3: 2 pages are blank.")
        #expect(
            words(job(.processing) { $0.reasons = [.processingToStopPoint] })
                == "Job 3 is being canceled; the printer stops printing the job.")
        #expect(
            words(job(.processingStopped) { ($0.reasons, $0.message) = ([.processingToStopPoint], "No paper") })
                == "Job 3 is being canceled. No paper. printd cancels the job at the printer when the printer responds "
                + "again. The job ends after one day without a response.")
        #expect(
            words(job(.processingStopped) { $0.message = "Tray 1 is empty." })
                == "Tray 1 is empty. Job 3 continues when laser is ready again.")
        #expect(
            words(job(.processingStopped) { ($0.reasons, $0.message) = ([.jobSuspended], "Try 'printq resume 3'") })
                == "Job 3 is suspended: Try 'printq resume 3'.")
    }

    @Test func `the explanation of an ended job contains the result and the reason`() {
        #expect(
            words(job(.canceled) { $0.reasons = [.jobCanceledByUser] }) == "Job 3 was canceled by its owner.")
        #expect(
            words(job(.canceled) { ($0.reasons, $0.message) = ([.jobCanceledAtDevice], "Stop key") })
                == "Job 3 was canceled by a user at the printer: Stop key.")
        #expect(
            words(job(.aborted) { $0.reasons = [.documentFormatError, .abortedBySystem] })
                == "Job 3 failed: document-format-error, aborted-by-system.")
        #expect(words(job(.aborted) { $0.message = "Not a PDF." }) == "Job 3 failed: Not a PDF.")
        #expect(
            words(job(.completed) { ($0.impressionsCompleted, $0.sheetsCompleted) = (2, 1) })
                == "Job 3 was printed: 2 pages on 1 sheet.")
    }
}
