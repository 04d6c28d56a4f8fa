// Tests listing, holding, changing and canceling jobs over IPP.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsJobsTests {
    private let service = ScriptedService(jobs: [
        .sample(id: 1), .sample(id: 2, owner: "bob"), .sample(id: 3, state: .processing, reasons: [.jobPrinting]),
        .sample(id: 4, state: .completed, reasons: [.jobCompletedSuccessfully]),
    ])

    private func numbers(_ attributes: [Attribute], as user: String? = "alice") async -> [Int32] {
        await service.ask(.getJobs, "ipp://localhost/printers/office", attributes, as: user)
            .groups(.job).compactMap { $0.integer("job-id") }
    }

    private var tickets: [JobTicket] { service.record.withLock { $0.tickets.map(\.ticket) } }

    @Test func `Get-Jobs filters jobs by state, owner, number and position`() async {
        #expect(await numbers([]) == [1, 2, 3])
        #expect(await numbers([Attribute("which-jobs", .keyword("completed"))]) == [4])
        #expect(await numbers([Attribute("which-jobs", .keyword("all"))]) == [1, 2, 3, 4])
        #expect(await numbers([Attribute("which-jobs", .keyword("processing"))]) == [3])
        #expect(await numbers([Attribute("my-jobs", .boolean(true))], as: "bob") == [2])
        #expect(await numbers([Attribute("job-ids", .integer(3), .integer(1), .integer(-9))]) == [1, 3])
        #expect(await numbers([Attribute("limit", .integer(2))]) == [1, 2])
        #expect(await numbers([Attribute("first-index", .integer(2)), Attribute("limit", .integer(1))]) == [2])
        #expect(await numbers([Attribute("first-index", .integer(.min))]) == [1, 2, 3])
    }

    @Test func `Get-Jobs returns only the number and URI of each job by default`() async {
        let plain = await service.ask(.getJobs)
        #expect(plain[.job]?.attributes.map(\.name) == ["job-uri", "job-id"])
        let named = await service.ask(
            .getJobs, "ipp://localhost/", [Attribute("requested-attributes", .keyword("job-state"))])
        #expect(named[.job]?.attributes == [Attribute("job-state", .enumeration(3))])
    }

    @Test func `an unknown which-jobs value and a limit below 1 are rejected`() async {
        let which = Attribute("which-jobs", .keyword("happy"))
        let answer = await service.ask(.getJobs, "ipp://localhost/", [which])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(answer[.unsupported]?.attributes == [which])
        for limit in [0, -1, Int32.min] {
            let refused = await service.ask(.getJobs, "ipp://localhost/", [Attribute("limit", .integer(limit))])
            #expect(refused.status == .clientErrorBadRequest)
        }
    }

    @Test
    func `the root URI selects the jobs of all printers, and a printer URI selects the jobs of that printer`() async {
        _ = await service.ask(.getJobs, "ipp://localhost/")
        _ = await service.ask(.getJobs, "ipp://localhost/printers/office")
        _ = await service.ask(.getJobs, "ipp://localhost/ipp/print", global: false)
        #expect(service.record.withLock { $0.filters.map(\.printer) } == [nil, "office", "office"])
    }

    @Test func `a client can request the description attributes and the template attributes of a job separately`() async
    {
        let uri = "ipp://localhost/jobs/1"
        func names(_ group: String) async -> Set<String> {
            let answer = await service.ask(
                .getJobAttributes, uri, [Attribute("requested-attributes", .keyword(group))])
            return Set(answer[.job]?.attributes.map(\.name) ?? [])
        }
        #expect(await names("job-template") == ["job-priority", "job-hold-until"])
        let description = await names("job-description")
        #expect(description.contains("job-state") && !description.contains("job-priority"))
    }

    @Test func `only the owner of a job or an administrator can cancel the job`() async {
        #expect(await service.ask(.cancelJob, "ipp://localhost/jobs/2").status == .clientErrorNotAuthorized)
        #expect(await service.ask(.cancelJob, "ipp://localhost/jobs/1").status == .successfulOk)
        #expect(await service.ask(.cancelJob, "ipp://localhost/jobs/2", over: .administrator).status == .successfulOk)
        #expect(await service.ask(.cancelJob, "ipp://localhost/jobs/4").status == .clientErrorNotPossible)
        let events = service.record.withLock { $0.events.map(\.event) }
        #expect(events == [.cancelRequested(byOperator: false), .cancelRequested(byOperator: true)])
    }

    @Test func `only an administrator can cancel all jobs, and users can cancel their own jobs`() async {
        #expect(await service.ask(.cancelJobs).status == .clientErrorNotAuthorized)
        #expect(
            await service.ask(.cancelJobs, "ipp://localhost/", [Attribute("my-jobs", .boolean(true))]).status
                == .successfulOk)
        #expect(await service.ask(.cancelMyJobs, as: "bob").status == .successfulOk)
        #expect(service.changed == [1, 3, 2])
        #expect(await service.ask(.cancelJobs, over: .administrator).status == .successfulOk)
        #expect(service.changed == [1, 3, 2, 1, 2, 3])
    }

    @Test(arguments: [
        ([1, 99], [99], Status.clientErrorNotFound), ([1, 2], [2], .clientErrorNotFound),
        ([1, 4], [4], .clientErrorNotPossible),
    ])
    func `if a request to cancel several jobs contains a job that cannot be canceled, no job is canceled`(
        ids: [Int], wrong: [Int], status: Status
    ) async {
        let answer = await service.ask(
            .cancelMyJobs, "ipp://localhost/", [Attribute("job-ids", ids.map { .integer(Int32($0)) })])
        #expect(answer.status == status)
        #expect(answer[.unsupported]?["job-ids"]?.values.compactMap(\.intValue).map(Int.init) == wrong)
        #expect(service.changed == [])
    }

    @Test func `Cancel-My-Jobs with job-ids cancels only the jobs with these numbers`() async {
        let answer = await service.ask(
            .cancelMyJobs, "ipp://localhost/", [Attribute("job-ids", .integer(3))])
        #expect(answer.status == .successfulOk)
        #expect(service.changed == [3])
    }

    @Test func `Hold-Job holds a job until a release or until a given time, and 'no-hold' releases the job`() async {
        let uri = "ipp://localhost/jobs/1"
        #expect(await service.ask(.holdJob, uri).status == .successfulOk)
        let time = Attribute("job-hold-until-time", .dateTime(DateTime(unixTime: 2_000_000)))
        #expect(await service.ask(.holdJob, uri, [time]).status == .successfulOk)
        let noHold = Attribute("job-hold-until", .keyword("no-hold"))
        #expect(await service.ask(.holdJob, uri, [noHold]).status == .successfulOk)
        #expect(await service.ask(.releaseJob, uri).status == .successfulOk)
        let events = service.record.withLock { $0.events.map(\.event) }
        #expect(
            events == [
                .holdRequested(until: nil), .holdRequested(until: 2_000_000), .releaseRequested, .releaseRequested,
            ])
    }

    @Test func `a hold with an unknown 'job-hold-until' value is rejected`() async {
        let until = Attribute("job-hold-until", .keyword("someday"))
        let answer = await service.ask(.holdJob, "ipp://localhost/jobs/1", [until])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(answer[.unsupported]?.attributes == [until])
        #expect(await service.ask(.holdJob, "ipp://localhost/jobs/3").status == .clientErrorNotPossible)
        #expect(service.changed == [])
    }

    @Test func `Set-Job-Attributes changes the given attributes and keeps the other attributes`() async throws {
        var ticket = JobTicket()
        for (option, value) in [("number-up", "2"), ("number-up-layout", "tblr"), ("page-border", "single")] {
            try ticket.set(option, to: value, at: 0)
        }
        ticket.media = .a4
        let service = ScriptedService(jobs: [.sample(ticket: ticket)])
        let answer = await service.ask(
            .setJobAttributes, "ipp://localhost/jobs/1",
            job: [
                Attribute("number-up", .integer(4)), Attribute("media", .keyword("A5")),
                Attribute("job-name", .name("New")),
            ])
        #expect(answer.status == .successfulOk)
        ticket.numberUp = ticket.numberUp.map { NumberUp(count: 4, layout: $0.layout, border: $0.border) }
        ticket.media = .a5
        #expect(service.record.withLock { $0.tickets.map(\.ticket) } == [ticket])
        #expect(service.record.withLock { $0.tickets.map(\.name) } == ["New"])
    }

    @Test func `Set-Job-Attributes can remove a border and an orientation`() async throws {
        var ticket = JobTicket()
        ticket.numberUp = NumberUp(count: 2, border: .single)
        ticket.orientation = .landscape
        let service = ScriptedService(jobs: [.sample(ticket: ticket)])
        let answer = await service.ask(
            .setJobAttributes, "ipp://localhost/jobs/1",
            job: [Attribute("page-border", .keyword("none")), Attribute("orientation-requested", .enumeration(7))])
        #expect(answer.status == .successfulOk)
        ticket.numberUp?.border = PageBorder.none
        ticket.orientation = nil
        #expect(service.record.withLock { $0.tickets.map(\.ticket) } == [ticket])
    }

    @Test func `Set-Job-Attributes can hold a job, but changes nothing if one of the values is invalid`() async {
        let uri = "ipp://localhost/jobs/1"
        let hold = Attribute("job-hold-until", .keyword("indefinite"))
        #expect(await service.ask(.setJobAttributes, uri, job: [hold]).status == .successfulOk)
        #expect(service.changed == [1])
        #expect(tickets == [])
        let wrong = await service.ask(
            .setJobAttributes, uri, job: [hold, Attribute("number-up", .integer(3))])
        #expect(wrong.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(wrong.unsupportedNames == ["number-up"])
        #expect(service.changed == [1])
        let named = await service.ask(.setJobAttributes, uri, job: [Attribute("job-name", .integer(3))])
        #expect(named.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(
            await service.ask(.setJobAttributes, "ipp://localhost/jobs/2", job: [hold]).status
                == .clientErrorNotAuthorized)
    }

    @Test func `Set-Job-Attributes accepts only supported options`() async {
        let service = ScriptedService(jobs: [.sample()], options: ["copies"])
        let answer = await service.ask(
            .setJobAttributes, "ipp://localhost/jobs/1", job: [Attribute("number-up", .integer(2))])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(answer.unsupportedNames == ["number-up"])
    }
}
