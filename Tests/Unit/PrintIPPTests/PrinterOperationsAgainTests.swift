// Tests resuming, moving and reprinting jobs over IPP.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsAgainTests {
    private let service: ScriptedService = {
        var lab = ServedPrinter.office()
        lab.name = "lab"
        var done = Job.sample(id: 4, state: .completed, reasons: [.jobCompletedSuccessfully])
        done.ticket.copies = 2
        done.ticket.holdUntil = .indefinite
        return ScriptedService(
            printers: [.office(), lab],
            jobs: [
                .sample(id: 1), .sample(id: 2, owner: "bob"),
                .sample(id: 3, state: .processingStopped, reasons: [.jobSuspended]), done,
                .sample(id: 5, state: .processing, reasons: [.jobPrinting]),
            ])
    }()

    private let toLab = Attribute("job-printer-uri", .uri("ipp://localhost/printers/lab"))

    private var moves: [String] { service.record.withLock { $0.moves.map { "\($0.job) → \($0.printer)" } } }
    private var events: [JobStateMachine.Event] { service.record.withLock { $0.events.map(\.event) } }

    @Test
    func `Resume-Job continues at 'printq-resume-from', by default at the first side that is not reported as printed`()
        async
    {
        let uri = "ipp://localhost/jobs/3"
        #expect(await service.ask(.resumeJob, uri).status == .successfulOk)
        #expect(
            await service.ask(.resumeJob, uri, [Attribute("printq-resume-from", .integer(4))]).status == .successfulOk)
        #expect(events == [.resumeRequested(fromImpression: nil), .resumeRequested(fromImpression: 4)])
        #expect(await service.ask(.resumeJob, uri, as: "bob").status == .clientErrorNotAuthorized)
        let waiting = await service.ask(.resumeJob, "ipp://localhost/jobs/1")
        #expect(waiting.status == .clientErrorNotPossible)
        #expect(waiting.statusMessage == "job 1 is pending and cannot be resumed: only a suspended job can be resumed")
    }

    @Test func `CUPS-Move-Job reads the destination printer from the operation group or the job group`() async {
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/1", [toLab]).status == .successfulOk)
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/3", job: [toLab]).status == .successfulOk)
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/2", [toLab]).status == .clientErrorNotAuthorized)
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/5", [toLab]).status == .clientErrorNotPossible)
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/4", [toLab]).status == .clientErrorNotPossible)
        #expect(moves == ["1 → lab", "3 → lab"])
    }

    @Test func `a reprint of a document with a password requires the password again`() async {
        var locked = Job.sample(id: 6, state: .completed, reasons: [.jobCompletedSuccessfully])
        locked.ticket.hasDocumentPassword = true
        let service = ScriptedService(jobs: [locked])
        for operation in [IPP.Operation.resubmitJob, .restartJob] {
            let refused = await service.ask(operation, "ipp://localhost/jobs/6")
            #expect(refused.status == .clientErrorDocumentPasswordError)
            #expect(refused.statusMessage?.contains("'printq reprint 6 --password'") == true, "\(refused)")
            let password = Attribute("document-password", .octetString(Array("secret".utf8)))
            #expect(await service.ask(operation, "ipp://localhost/jobs/6", [password]).status == .successfulOk)
        }
        #expect(service.record.withLock { $0.reprints.map(\.request.documentPassword) } == ["secret", "secret"])
        // The password of a job that has not ended is still there.
        var stopped = Job.sample(id: 7, state: .processingStopped, reasons: [.jobSuspended])
        stopped.ticket.hasDocumentPassword = true
        #expect(
            await ScriptedService(jobs: [stopped]).ask(.resubmitJob, "ipp://localhost/jobs/7").status == .successfulOk)
    }

    @Test(arguments: [
        (nil, Status.clientErrorBadRequest), ("ipp://localhost/printers/attic", .clientErrorNotFound),
        ("ipp://localhost/", .clientErrorBadRequest), ("lab", .clientErrorBadRequest),
        ("ipp://localhost/jobs/3", .clientErrorBadRequest),
    ])
    func `CUPS-Move-Job without a valid destination moves no job`(uri: String?, status: Status) async {
        let attributes = uri.map { [Attribute("job-printer-uri", .uri($0))] } ?? []
        #expect(await service.ask(.cupsMoveJob, "ipp://localhost/jobs/1", attributes).status == status)
        #expect(moves.isEmpty)
    }

    @Test func `only an administrator can move all jobs of a printer, and jobs in progress are not moved`() async {
        let office = "ipp://localhost/printers/office"
        #expect(await service.ask(.cupsMoveJob, office, [toLab]).status == .clientErrorNotAuthorized)
        #expect(await service.ask(.cupsMoveJob, office, [toLab], over: .administrator).status == .successfulOk)
        #expect(moves == ["1 → lab", "2 → lab", "3 → lab"])
        #expect(
            await service.ask(.cupsMoveJob, "ipp://localhost/", [toLab], over: .administrator).status
                == .clientErrorBadRequest)
    }

    @Test func `Resubmit-Job creates a job with the options of the old job and of the request`() async throws {
        let answer = await service.ask(
            .resubmitJob, "ipp://localhost/jobs/4",
            [toLab, Attribute("printq-submission-id", .name("s")), Attribute("printq-resume-from", .integer(3))],
            job: [Attribute("number-up", .integer(2))])
        #expect(answer.status == .successfulOk)
        #expect(answer[.job]?.integer("job-id") == 43)
        let (job, request) = try #require(service.record.withLock { $0.reprints.first })
        #expect((job, request.printer.name, request.name) == (4, "lab", "Report"))
        #expect((request.ticket.copies, request.ticket.numberUp?.count) == (2, 2))
        #expect(request.ticket.holdUntil == nil)
        #expect((request.submissionID, request.resumeFrom) == ("s", 3))
    }

    @Test func `Resubmit-Job with ipp-attribute-fidelity rejects unsupported options`() async {
        let answer = await service.ask(
            .resubmitJob, "ipp://localhost/jobs/4", [Attribute("ipp-attribute-fidelity", .boolean(true))],
            job: [Attribute("number-up", .integer(3))])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(await service.ask(.resubmitJob, "ipp://localhost/jobs/2").status == .clientErrorNotAuthorized)
        #expect(service.record.withLock { $0.reprints.isEmpty })
    }

    @Test func `Restart-Job restarts a suspended job and reprints an ended job as a new job`() async {
        let suspended = await service.ask(.restartJob, "ipp://localhost/jobs/3")
        #expect(suspended.status == .successfulOk)
        #expect(events == [.releaseRequested])
        let ended = await service.ask(.restartJob, "ipp://localhost/jobs/4")
        #expect(ended[.job]?.integer("job-id") == 43)
        #expect(await service.ask(.restartJob, "ipp://localhost/jobs/1").status == .clientErrorNotPossible)
        #expect(await service.ask(.restartJob, "ipp://localhost/jobs/5").status == .clientErrorNotPossible)
    }

    @Test func `the parent-job-id of a reprint is the number of the original job`() async {
        var job = Job.sample(id: 9)
        job.parentID = 4
        let answer = await ScriptedService(jobs: [job, .sample(id: 1)]).ask(.getJobAttributes, "ipp://localhost/jobs/9")
        #expect(answer[.job]?.integer("parent-job-id") == 4)
        #expect(await service.ask(.getJobAttributes, "ipp://localhost/jobs/1")[.job]?["parent-job-id"] == nil)
    }
}
