import PrintModel
import PrintSpool
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JobRunFollowTests {
    @Test func `while a job is printing, the scheduler reports the number of completed pages`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 2), of: "job")
            let job = try await fixture.job(id) { $0.impressionsCompleted == 2 }
            #expect(job.message == "Printing page 3 of 5")
        }
    }

    @Test func `if a printer prints pages and stops between two requests, the printed pages are counted`() async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(PrinterStatus(state: .stopped, reasons: ["media-jam-error"], message: "Paper jam"))
            await fixture.laser.show(RemoteJobStatus(state: .processingStopped, impressionsCompleted: 2), of: "job")
            let stopped = try await fixture.job(id, is: .processingStopped)
            #expect(stopped.impressionsCompleted == 2)
            #expect(stopped.message == "Paper jam" && stopped.reasons == [.printerStopped])
        }
    }

    @Test func `if the paper runs out, a job stops with the printer's message, and continues after paper is loaded`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(
                PrinterStatus(state: .stopped, reasons: ["media-empty"], message: "Tray 1 is empty"))
            await fixture.laser.show(RemoteJobStatus(state: .processingStopped), of: "job")
            let stopped = try await fixture.job(id, is: .processingStopped)
            #expect(stopped.message == "Tray 1 is empty")
            #expect(stopped.reasons == [.printerStopped])

            await fixture.laser.show(PrinterStatus(state: .stopped, message: "The cover is open"))
            try await fixture.job(id) { $0.message == "The cover is open" }

            await fixture.laser.show(PrinterStatus(state: .processing))
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 1), of: "job")
            try await fixture.job(id) { $0.state == .processing && $0.impressionsCompleted == 1 }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `after an event reports that a printer stopped or continued, a status request returns the new status`()
        async throws
    {
        let fixture = try await SchedulerFixture(keepsStatus: true)
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            #expect(try await fixture.askStatus()?.state == .idle)
            await fixture.laser.show(PrinterStatus(state: .stopped, reasons: ["media-jam-error"], message: "Paper jam"))
            await fixture.laser.show(RemoteJobStatus(state: .processingStopped), of: "job")
            try await fixture.job(id, is: .processingStopped)
            #expect(try await fixture.askStatus()?.state == .stopped)
            await fixture.laser.show(PrinterStatus(state: .processing))
            await fixture.laser.show(RemoteJobStatus(state: .processing), of: "job")
            try await fixture.job(id, is: .processing)
            #expect(try await fixture.askStatus()?.state == .processing)
            await fixture.laser.show(PrinterStatus(state: .idle))
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
            #expect(try await fixture.askStatus()?.state == .idle)
        }
    }

    @Test
    func `if a job is pending at a stopped printer, the job is stopped with the printer's message`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.show(PrinterStatus(state: .stopped, reasons: ["media-empty"], message: "Tray 1 is empty"))
        await fixture.laser.begin(with: RemoteJobStatus(state: .pending))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            let stopped = try await fixture.job(id, is: .processingStopped)
            #expect(stopped.message == "Tray 1 is empty" && stopped.reasons == [.printerStopped])
            // The printer is ready again, and prints another job first.
            await fixture.laser.show(PrinterStatus(state: .processing))
            try await fixture.job(id, is: .processing)
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
        }
    }

    @Test func `if the printer starts a job again, a warning reports that pages might be printed twice`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(
                RemoteJobStatus(state: .processing, impressionsCompleted: 1, begunAt: 50), of: "job")
            let job = try await fixture.job(id) { $0.impressionsCompleted == 1 }
            #expect(!job.reasons.contains(.warningsDetected))
            await fixture.laser.show(RemoteJobStatus(state: .processing, begunAt: 60), of: "job")
            try await fixture.job(id) { $0.reasons.contains(.warningsDetected) }
            await fixture.laser.show(RemoteJobStatus(state: .completed, begunAt: 60), of: "job")
            let ended = try await fixture.job(id, is: .completed)
            #expect(ended.message == "The printer restarted the job: some pages may have been printed twice")
            #expect(ended.reasons == [.jobCompletedWithWarnings])
        }
    }

    @Test func `the event log contains each change of the printer's state reasons`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        func told(_ message: String) async throws -> JobEvent {
            let changes = fixture.spool.changes()
            while true {
                let events = try await fixture.spool.events(after: 0)
                if let found = events.last(where: { $0.jobID == nil && $0.message == message }) { return found }
                for await _ in changes { break }
                try Task.checkCancellation()
            }
        }
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(
                PrinterStatus(state: .processing, reasons: ["toner-low-report", "media-low-warning"]))
            let low = try await told("toner-low-report, media-low-warning")
            #expect(low.kind == "printer-state-changed" && low.printer == "laser" && low.printerState == .processing)
            #expect(low.reasons == ["toner-low-report", "media-low-warning"])

            await fixture.laser.show(
                PrinterStatus(state: .stopped, reasons: ["media-empty-error"], message: "Tray 1 is empty"))
            await fixture.laser.show(RemoteJobStatus(state: .processingStopped), of: "job")
            try await fixture.job(id, is: .processingStopped)
            #expect(try await told("Tray 1 is empty").reasons == ["media-empty-error"])

            await fixture.laser.show(PrinterStatus(state: .processing))
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 1), of: "job")
            #expect(try await told("Continues").reasons.isEmpty)
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
        }
        // The printer is polled separately, so the printer's event may be stored before the job's event. The printer's
        // event is stored only once.
        let events = try await fixture.spool.events(after: 0).filter { $0.jobID == nil }
        let end = try #require(events.lastIndex { $0.message == "Continues" })
        #expect(events[end...].allSatisfy { !$0.message.hasPrefix("No longer") && $0.message != "Tray 1 is empty" })
        #expect(events.count { $0.message == "Continues" } == 1)
    }

    @Test
    func `if a printer stops responding during a job, the scheduler continues to poll the job and does not resend it`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.fail(.status, with: .silent, stays: true)
            let waiting = try await fixture.job(id, is: .processingStopped)
            #expect(waiting.message == "Waiting for the printer's response: the printer does not answer")
            await fixture.laser.mend()
            try await fixture.job(id, is: .processing)
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "job")
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["job"])
    }

    @Test func `if a job was stopped for lack of paper, the job is still stopped after a failed connection`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        await fixture.laser.show(PrinterStatus(state: .stopped, message: "Tray 1 is empty"))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .processingStopped), of: "job")
            try await fixture.job(id) { $0.message == "Tray 1 is empty" }
            await fixture.laser.fail(.status, with: .silent, stays: true)
            try await fixture.job(id) { $0.message.hasPrefix("Waiting for") }
            await fixture.laser.mend()
            let job = try await fixture.job(id) { !$0.message.hasPrefix("Waiting for") }
            #expect(job.state == .processingStopped)
            #expect(job.message == "Tray 1 is empty")
        }
    }

    @Test func `if a job is aborted or canceled at the printer, the job ends with the printer's message`() async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let aborted = try await fixture.submit("aborted")
        let canceled = try await fixture.submit("canceled")
        let warned = try await fixture.submit("warned")
        try await fixture.printing { _ in
            try await fixture.job(aborted) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(
                RemoteJobStatus(state: .aborted, reasons: [.documentFormatError], message: "Not a PDF"), of: "aborted")
            let first = try await fixture.job(aborted, is: .aborted)
            #expect(first.reasons == [.documentFormatError, .abortedBySystem])
            #expect(first.message == "Not a PDF")

            try await fixture.job(canceled) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .canceled, message: "Stop key"), of: "canceled")
            #expect(try await fixture.job(canceled, is: .canceled).reasons == [.jobCanceledAtDevice])

            try await fixture.job(warned) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(
                RemoteJobStatus(state: .completed, reasons: [.jobCompletedWithWarnings], message: "Clipped"),
                of: "warned")
            #expect(try await fixture.job(warned, is: .completed).message == "Clipped")
        }
    }

    @Test func `if the printer loses a job, the job is suspended, and the next job is printed`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("doubtful")
        let next = try await fixture.submit("next")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .processing, impressionsCompleted: 2), of: "doubtful")
            try await fixture.job(id) { $0.impressionsCompleted == 2 }
            await fixture.laser.forgetJobs()
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(job.state == .processingStopped)
            #expect(
                job.message == "laser no longer has the job, and 2 pages were printed; check the printed sheets, then "
                    + "'printq resume 1' continues with page 3, '--from PAGE' selects another page, 'printq reprint 1' "
                    + "prints the whole job again, 'printq cancel 1' cancels the job")
            try await fixture.job(next) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "next")
            try await fixture.job(next, is: .completed)

            try await fixture.spool.change(id, .releaseRequested)
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
        }
        #expect(await fixture.laser.received == ["doubtful", "next", "doubtful"])
    }
}
