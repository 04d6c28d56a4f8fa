import PrintModel
import Testing

struct ExplanationTests {
    private func job(_ state: JobState, _ change: (inout Job) -> Void = { _ in }) -> Job {
        var job = Job(id: 3, uuid: "urn:uuid:3", printer: "laser", owner: "ann", name: "x", state: state, createdAt: 0)
        change(&job)
        return job
    }

    /// The words for a job among the given others, 100 seconds after 1970, on a printer that is idle.
    private func words(
        _ job: Job, printer: ConfiguredPrinter? = ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser"),
        status: PrinterStatus? = PrinterStatus(state: .idle), jobsAhead: Int = 0,
        blocker: JobContext.Blocker? = nil
    ) -> String {
        job.explanation(
            in: JobContext(printer: printer, status: status, jobsAhead: jobsAhead, blocker: blocker, now: 100))
    }

    @Test func `a job of a paused printer says how to go on`() {
        var printer = ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser", isPaused: true)
        #expect(
            words(job(.pending), printer: printer)
                == "Job 3 waits because laser is paused; it goes on with 'printq printers resume laser'.")
        printer.pauseMessage = "toner"
        #expect(
            words(job(.pending), printer: printer)
                == "Job 3 waits because laser is paused (toner); it goes on with 'printq printers resume laser'.")
    }

    @Test func `a waiting job says what it waits for`() {
        #expect(words(job(.pending)) == "Job 3 is next on laser.")
        #expect(words(job(.pending), status: nil) == "Job 3 is next on laser, which cannot be reached now.")
        #expect(
            words(job(.pending), status: PrinterStatus(state: .stopped, reasons: ["media-empty"]))
                == "Job 3 is next on laser, which has stopped: media-empty.")
        #expect(
            words(job(.pending), status: PrinterStatus(state: .stopped, message: "Tray 1 is empty."))
                == "Job 3 is next on laser, which has stopped: Tray 1 is empty.")
        #expect(words(job(.pending), jobsAhead: 1) == "Job 3 waits its turn: 1 job comes before it on laser.")
        #expect(words(job(.pending), jobsAhead: 2) == "Job 3 waits its turn: 2 jobs come before it on laser.")
        #expect(
            words(job(.pending), printer: nil)
                == "Job 3 waits for laser, which no longer exists; cancel the job or add the printer again.")
    }

    @Test func `in strict order a job names the one before it, and that one's reason`() {
        let blocker = JobContext.Blocker(id: 2, printer: "inkjet", explanation: "Job 2 is being printed.")
        #expect(
            words(job(.pending), blocker: blocker)
                == "Job 3 waits because the queue prints in strict order and job 2 on inkjet is before it. "
                + "Job 2 is being printed.")
    }

    @Test func `a job to be tried again says why, and when`() {
        let job = job(.pending) { ($0.retryAt, $0.attempts, $0.message) = (103.5, 2, "no answer") }
        #expect(words(job) == "Job 3 could not be delivered: no answer. It is tried again in 4 s (try 3).")
    }

    @Test func `a held job says until when`() {
        #expect(words(job(.pendingHeld)) == "Job 3 is held until 'printq release 3'.")
        #expect(
            words(job(.pendingHeld) { $0.heldUntil = 160 })
                == "Job 3 is held for another 60 s; 'printq release 3' prints it now.")
        #expect(
            words(job(.pendingHeld) { $0.heldUntil = 100 + 9000 })
                == "Job 3 is held for another 2 h 30 min; 'printq release 3' prints it now.")
        #expect(
            words(job(.pendingHeld) { $0.reasons = [.jobIncoming] }) == "Job 3 waits for the rest of its documents.")
    }

    @Test func `a job in hand says how far it is`() {
        #expect(words(job(.processing)) == "Job 3 is being printed.")
        #expect(
            words(job(.processing) { $0.message = "Printing page 2 of 5" })
                == "Job 3 is in hand: Printing page 2 of 5.")
        #expect(
            words(job(.processing) { $0.reasons = [.processingToStopPoint] })
                == "Job 3 is being canceled; the printer is coming to a stop.")
        #expect(
            words(job(.processingStopped) { $0.message = "Tray 1 is empty." })
                == "Job 3 has stopped: Tray 1 is empty. It goes on when the printer does.")
        #expect(
            words(job(.processingStopped) { ($0.reasons, $0.message) = ([.jobSuspended], "It was lost") })
                == "Job 3 is suspended: It was lost. Look at the paper, then 'printq resume 3 --from PAGE' goes on with a "
                + "page, 'printq reprint 3' prints all of it, 'printq cancel 3' gives it up.")
        #expect(
            words(job(.processingStopped) { ($0.reasons, $0.message) = ([.jobSuspended], "Try 'printq resume 3'") })
                == "Job 3 is suspended: Try 'printq resume 3'.")
    }

    @Test func `a job that has ended says how`() {
        #expect(
            words(job(.canceled) { $0.reasons = [.jobCanceledByUser] }) == "Job 3 was canceled by its owner.")
        #expect(
            words(job(.canceled) { ($0.reasons, $0.message) = ([.jobCanceledAtDevice], "Stop key") })
                == "Job 3 was canceled by someone at the printer: Stop key.")
        #expect(
            words(job(.aborted) { $0.reasons = [.documentFormatError, .abortedBySystem] })
                == "Job 3 was given up: document-format-error, aborted-by-system.")
        #expect(words(job(.aborted) { $0.message = "Not a PDF." }) == "Job 3 was given up: Not a PDF.")
        #expect(
            words(job(.completed) { ($0.impressionsCompleted, $0.sheetsCompleted) = (2, 1) })
                == "Job 3 was printed: 2 pages on 1 sheet.")
    }
}
