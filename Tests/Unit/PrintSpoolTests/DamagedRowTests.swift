import PrintModel
import PrintSpool
import Testing

/// Tests of rows that were damaged by a user or a disk.
@Suite(.requiresSQLite("PostgreSQL checks the types of columns"))
struct DamagedRowTests {
    let files = TestSpool()

    /// Statements that make a row unreadable.
    ///
    /// The statements run without constraint checks, because disk damage ignores constraints.
    static let damages = [
        "ticket = '{'", "reasons = '[7]'", "reasons = x'00ff'", "priority = 'high'",
        "created_at = 'soon'", "impressions_completed = 'none'", "attempts = x'01'", "retry_at = 'later'",
        "resume_from = 'middle', parent_id = 'mother', moved_from = x'01'",
        "ticket = '{', held_until = 'x', sheets = 'y', sheets_completed = 'z', processing_at = 'a', remote_id = 'b'",
    ]

    private func damage(_ id: Int, _ what: String) throws { try damage("jobs", "\(what) WHERE id = \(id)") }

    private func damage(_ table: String, _ what: String) throws {
        let answer = try Database(files).shell(
            "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; UPDATE \(table) SET \(what)")
        try #require(answer.isEmpty, "\(answer)")
    }

    @Test(arguments: damages)
    func `a job with an unreadable row is aborted with a message, and other jobs continue`(what: String) async throws {
        let spool = try await files.open()
        try await spool.submit("damaged", priority: 60)
        try await spool.submit("sound")
        try damage(1, what)
        let claimed = try await spool.claimAll(from: ["laser"])
        #expect(claimed == ["sound"] || claimed == ["sound", "damaged"])
        let job = try #require(try await spool.job(1))
        #expect(job.state == .aborted)
        #expect(job.reasons == [.abortedBySystem])
        #expect(job.message == "The stored record of this job was damaged; submit the job again")
        #expect(job.owner == "ada")
        let events = try await spool.events(after: 0, jobID: 1)
        #expect(events.last?.kind == "job-completed")
        #expect(events.contains { $0.message.hasPrefix("The damaged record was: id = 1, ") })
        #expect(try await spool.jobs(JobFilter(.all)).count == 2)
    }

    @Test func `lists and queries report a job with a damaged row as aborted, and 'jobsToRescue' omits the job`()
        async throws
    {
        let spool = try await files.open()
        for name in ["a", "b", "c", "d"] { try await spool.submit(name) }
        try await spool.change(4, .claimed)
        for id in [1, 2, 3, 4] { try damage(id, "reasons = '[7]'") }
        #expect(try await spool.jobsToRescue().isEmpty)
        #expect(try await spool.job(1)?.state == .aborted)
        #expect(await code { try await spool.change(2, .cancelRequested(byOperator: false)) } == .notPossible)
        #expect(try await spool.jobs().isEmpty)
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.state) == [.aborted, .aborted, .aborted, .aborted])
    }

    @Test func `an ended job keeps its state if its row is damaged`() async throws {
        let spool = try await files.open()
        try await spool.submit("done")
        try await spool.complete(1)
        try damage(1, "ticket = '{', completed_at = 'once'")
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.state) == [.completed])
        #expect(try await spool.job(1)?.completedAt == files.clock.now)
    }

    @Test(arguments: [
        ("ticket = '{'", [JobStateReason.jobCompletedSuccessfully]),
        (#"ticket = '{', reasons = '["job-completed-with-warnings"]'"#, [.jobCompletedWithWarnings]),
        ("reasons = '[7]'", [.jobCompletedSuccessfully]),
    ])
    func `the damaged record of a completed job does not suggest to submit the job again`(
        what: String, reasons: [JobStateReason]
    ) async throws {
        let spool = try await files.open()
        try await spool.submit("done")
        try await spool.complete(1)
        try damage(1, what)
        let job = try #require(try await spool.job(1))
        #expect(job.state == .completed && job.reasons == reasons)
        #expect(job.message == "The stored record of this job was damaged after the job was completed")
        // Subscribers were already notified of the end of the job.
        let kinds = try await spool.events(after: 0, jobID: 1).map(\.kind)
        #expect(kinds.count { $0 == "job-completed" } == 1 && kinds.last == "job-config-changed")
    }

    @Test func `the damaged record of a canceled job keeps the reason of the cancellation`() async throws {
        let spool = try await files.open()
        try await spool.submit("canceled")
        try await spool.change(1, .cancelRequested(byOperator: true))
        try damage(1, "ticket = '{'")
        let job = try #require(try await spool.job(1))
        #expect(job.state == .canceled && job.reasons == [.jobCanceledByOperator])
        #expect(job.message == "The stored record of this job was damaged after the job was canceled")
    }

    @Test func `the damaged record of a job in progress suggests to check the printed pages`() async throws {
        let spool = try await files.open()
        try await spool.submit("printing")
        try await spool.change(1, .claimed)
        try damage(1, "ticket = '{'")
        let job = try #require(try await spool.job(1))
        #expect(job.state == .aborted && job.reasons == [.abortedBySystem])
        #expect(
            job.message == "The stored record of this job was damaged; submit the job again if the job was not printed "
                + "completely")
    }

    @Test(arguments: [
        "printer = x'ff00'", "time = 'soon'", "kind = x'ff'", "state = 'started'", "message = x'00ff'",
        "reasons = x'ff00'", "impressions = 'many'", "impressions_completed = x'01'", "job_id = 'first'",
    ])
    func `an event with an unreadable row keeps its number, and later events are readable`(what: String) async throws {
        let spool = try await files.open()
        try await spool.submit("a")
        let events = try await spool.events(after: 0)
        let damaged = try #require(events.last)
        try damage("events", "\(what) WHERE sequence = \(damaged.sequence)")
        try await spool.submit("b")
        let found = try await spool.events(after: damaged.sequence - 1)
        #expect(found.map(\.sequence) == [damaged.sequence, damaged.sequence + 1])
        #expect(found[0].message == "The stored record of this event was damaged")
        #expect(found[1].jobName == "b")
        #expect(try await spool.newestEvents(ofJob: 2).count == 1)
    }

    @Test(arguments: [
        "device_uri = x'ff00'", "info = x'ff'", "location = x'ff'", "is_default = 'yes'", "is_paused = 'no'",
        "pause_message = x'ff'", "is_accepting = 'yes'", "error_policy = 'hope'", "after_interruption = x'ff'",
        "options = '{'", "users = '{'",
    ])
    func `a printer with an unreadable row is paused with a message, and other printers continue`(
        what: String
    ) async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        try spool.close()
        try damage("printers", "\(what) WHERE name = 'laser'")
        let again = try await files.open()
        let printers = try await again.printers()
        #expect(printers.map(\.name) == ["laser", "photo"])
        #expect(printers[0].isPaused && !printers[0].isAccepting && !printers[1].isPaused)
        #expect(printers[0].pauseMessage.hasPrefix("the stored record of this printer was damaged; "))
        #expect(printers[0].policy == (what.hasPrefix("users") ? .nobody : PrinterPolicy()))
        try await again.submit(to: "photo")
        #expect(try await again.claimAll(from: printers.filter { !$0.isPaused }.map(\.name)) == ["job"])
        // A change by an administrator replaces the damaged fields.
        var change = PrinterChange()
        (change.deviceURI, change.isPaused, change.isAccepting) = ("printsim:laser", false, true)
        try await again.addOrModifyPrinter(named: "laser", change)
        let repaired = try #require(try await again.printer(named: "laser"))
        #expect(!repaired.isPaused && repaired.isAccepting && repaired.deviceURI == "printsim:laser")
    }

    @Test func `damaged rows of jobs and documents do not prevent counts, lists and backups`() async throws {
        let spool = try await files.open()
        for name in ["a", "b", "c"] { try await spool.submit(name, text: String(repeating: "x", count: 90_000)) }
        try await spool.complete(1)
        try damage(2, "owner = x'ff00'")
        try damage(3, "printer = x'ff00', created_at = 'once'")
        try damage("documents", "number = 'first', bytes = 'many' WHERE job_id = 2")
        #expect(try await spool.countUnfinishedJobs().map(\.jobs) == [1])
        #expect(try await spool.countJobs(JobFilter(.all), troubledPrinters: []).ended == 1)
        #expect(try await spool.jobs(JobFilter(.all)).count == 3)
        #expect(await code { _ = try await spool.documents(of: 2) } == .corrupt)
        try damage(1, "completed_at = 'once'")
        #expect(try await spool.purge(keepJobs: 0, keepSeconds: 0, now: files.clock.now + 10).contains(1))
    }

    @Test func `if the row of a job is damaged and 'keepsDocuments' is false, the job's documents are deleted`()
        async throws
    {
        let spool = try await files.open()
        var ticket = JobTicket()
        ticket.keepsDocuments = false
        let submission = Submission(printer: "laser", owner: "ada", name: "secret", ticket: ticket)
        try await spool.submit(
            submission, documents: [(spool.document("secret"), name: "secret.txt", format: .text)])
        try damage(1, "reasons = '[7]'")
        #expect(try await spool.job(1)?.state == .aborted)
        #expect(try await !spool.keepsDocuments(of: 1))
    }
}
