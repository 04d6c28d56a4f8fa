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

    private func damage(_ id: Int, _ what: String) throws {
        let answer = try Database(files).shell(
            "PRAGMA ignore_check_constraints = 1; UPDATE jobs SET \(what) WHERE id = \(id)")
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
