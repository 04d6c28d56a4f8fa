// Get-Jobs, Get-Job-Attributes, Cancel-Job and its kin, Hold-Job, Release-Job, Set-Job-Attributes.

import IPP
import PrintModel

extension PrinterOperations {
    func getJobAttributes(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await requestedJob(exchange)
        try exchange.permit(exchange.ownership(of: job.owner))
        let wanted = exchange.requestedAttributes()
        return exchange.reply([await shownJob(job, exchange, wanted)])
    }

    /// Get-Jobs: the first pages at once, the others as the client takes them.
    func getJobs(_ exchange: Exchange) async throws(IPPFailure) -> IPPAnswer {
        try exchange.permit(.own)
        let query = try await jobQuery(exchange)
        let wanted = exchange.requestedAttributes(or: RequestedAttributes(["job-id", "job-uri"]))
        let pages = try await service.listing(query)
        let next: IPPAnswer.More = { () async throws(IPPFailure) in
            guard let jobs = try await pages.next() else { return nil }
            var groups: [AttributeGroup] = []
            for job in jobs { groups.append(await shownJob(job, exchange, wanted)) }
            return groups
        }
        let first = try await next() ?? []
        let second = first.isEmpty ? nil : try await next()
        var message = exchange.reply(first + (second ?? []))
        if wanted.names("printq-job-count"), let count = try await service.countJobs(query) {
            message[.operation]?.append("printq-job-count", .integer(Int32(clamping: count)))
        }
        return IPPAnswer(message, more: second == nil ? nil : next)
    }

    /// Which jobs Get-Jobs asks for (RFC 8011 §4.2.6.1; `first-index`, PWG 5100.13).
    private func jobQuery(_ exchange: Exchange) async throws(IPPFailure) -> JobQuery {
        var query = JobQuery(printer: try await queriedPrinter(exchange))
        if let which = exchange.attributes.string("which-jobs") {
            guard let known = JobQuery.Which(keyword: which) else {
                throw IPPFailure(
                    .clientErrorAttributesOrValuesNotSupported,
                    "which-jobs '\(which)' is not supported; use not-completed, completed or all",
                    unsupported: exchange.given("which-jobs"))
            }
            query.which = known
        }
        if exchange.attributes.boolean("my-jobs") == true { query.owner = exchange.requester.name }
        if let limit = exchange.attributes.integer("limit") {
            guard limit > 0 else { throw .badRequest("limit must be above 0, not \(limit)") }
            query.limit = Int(limit)
        }
        if let first = exchange.attributes.integer("first-index") { query.skip = max(0, Int(first) - 1) }
        if let ids = exchange.attributes["job-ids"] { query.ids = ids.values.compactMap(\.intValue).map(Int.init) }
        if let after = exchange.attributes.string("printq-after") {
            guard let place = QueuePosition(after) else {
                throw .badRequest("printq-after '\(after)' is no place; give the printq-place of a job")
            }
            query.after = place
        }
        return query
    }

    func cancelJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        try await service.change(job, .cancelRequested(byOperator: job.owner != exchange.requester.name))
        return exchange.reply()
    }

    /// Cancel-Jobs, Cancel-My-Jobs, Purge-Jobs: all of the requester's, or everybody's.
    func cancelJobs(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let onlyOwn = exchange.operation == .cancelMyJobs || exchange.attributes.boolean("my-jobs") == true
        try exchange.permit(onlyOwn ? .own : .others)
        var query = JobQuery(printer: try await queriedPrinter(exchange))
        if onlyOwn { query.owner = exchange.requester.name }
        let pages = try await cancelable(query, exchange)
        while let jobs = try await pages.next() {
            for job in jobs {
                let event = JobStateMachine.Event.cancelRequested(byOperator: job.owner != exchange.requester.name)
                do throws(IPPFailure) {
                    try await service.change(job, event)
                } catch  where error.status == .clientErrorNotPossible {
                    continue  // it ended meanwhile, or is being canceled already
                }
            }
        }
        return exchange.reply()
    }

    /// The jobs to cancel; of those named by number, all or none (PWG 5100.11, Cancel-Jobs and Cancel-My-Jobs).
    private func cancelable(_ query: JobQuery, _ exchange: Exchange) async throws(IPPFailure) -> JobPages {
        guard let ids = exchange.attributes["job-ids"] else { return try await service.listing(query) }
        var query = query
        query.ids = ids.values.compactMap(\.intValue).map(Int.init)
        query.which = .all
        let jobs = try await service.jobs(query)
        let found = Set(jobs.map(\.id))
        let missing = ids.values.filter { value in value.intValue.map { !found.contains(Int($0)) } ?? true }
        guard missing.isEmpty else {
            throw IPPFailure(
                .clientErrorNotFound, "not all of these jobs are there; nothing was canceled",
                unsupported: [Attribute("job-ids", missing)])
        }
        let ended = jobs.filter(\.state.isTerminal).map { Value.integer(Int32(clamping: $0.id)) }
        guard ended.isEmpty else {
            throw IPPFailure(
                .clientErrorNotPossible, "not all of these jobs can be canceled, some have ended; nothing was canceled",
                unsupported: [Attribute("job-ids", ended)])
        }
        return JobPages(jobs)
    }

    func holdOrRelease(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        if exchange.operation == .releaseJob {
            try await service.change(job, .releaseRequested)
            return exchange.reply()
        }
        let asked = exchange.attributes.attributes.filter { $0.name.hasPrefix("job-hold-until") }
        let reading = JobTicket.read(asked, at: clock())
        if let problem = reading.problems.first {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, problem, unsupported: reading.unsupported)
        }
        try await service.change(job, Self.event(holding: reading.ticket.holdUntil ?? .indefinite))
        return exchange.reply()
    }

    func setJobAttributes(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        let attributes = exchange.request.message.groups(.job).flatMap(\.attributes)
        // A hold is an event, not a change of the ticket.
        var before = job.ticket
        before.holdUntil = nil
        var reading = read(attributes, printer: job.printer, onto: before)
        let given = attributes.first { $0.name == "job-name" }
        let name = given?.stringValue.flatMap { $0.isEmpty ? nil : $0.prefixOfUTF8(255) }
        if let given, name == nil {
            reading.unsupported.append(given)
            reading.problems.append("a job's name must be some text")
        }
        if let problem = reading.problems.first {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, problem, unsupported: reading.unsupported)
        }
        let hold = reading.ticket.holdUntil
        reading.ticket.holdUntil = nil
        let isChanged = reading.ticket != before
        reading.ticket.holdUntil = job.ticket.holdUntil
        // Whatever is held is held before it changes, and released after, so that it never prints half changed.
        if let hold, hold != .noHold { try await service.change(job, Self.event(holding: hold)) }
        if isChanged || name != nil { try await service.setTicket(reading.ticket, name: name, of: job) }
        if hold == .noHold { try await service.change(job, .releaseRequested) }
        return exchange.reply()
    }

    private static func event(holding hold: HoldUntil) -> JobStateMachine.Event {
        switch hold {
        case .noHold: .releaseRequested
        case .indefinite: .holdRequested(until: nil)
        case .time(let moment): .holdRequested(until: moment)
        }
    }

    // MARK: - Steps

    /// The printer whose jobs are meant: nil for those of all.
    func queriedPrinter(_ exchange: Exchange) async throws(IPPFailure) -> String? {
        if let name = exchange.target.printer { return try await service.printer(named: name).name }
        // A printer by itself is meant even when its name is not given.
        return numbersJobsGlobally ? nil : try await service.printer(named: nil).name
    }

    /// The job that the request names.
    private func requestedJob(_ exchange: Exchange) async throws(IPPFailure) -> Job {
        guard let id = exchange.target.jobID else { throw .badRequest("the request names no job-id") }
        if id == 0, exchange.operation == .cancelJob, let printer = exchange.target.printer {
            return try await currentJob(of: printer)
        }
        guard id > 0 else { throw .badRequest("job-id \(id) is not above 0") }
        return try await service.job(id, printer: exchange.target.printer)
    }

    /// The job that a printer prints, else the next one: what CUPS' `cancel NAME` and `lprm` mean.
    private func currentJob(of printer: String) async throws(IPPFailure) -> Job {
        let name = try await service.destination(named: printer).name
        guard let job = try await service.jobs(JobQuery(printer: name, limit: 1)).first else {
            throw .notPossible("there is no job on \(name)")
        }
        return job
    }

    /// The job that the request names, if the requester may change it.
    func ownJob(_ exchange: Exchange) async throws(IPPFailure) -> Job {
        let job = try await requestedJob(exchange)
        try exchange.permit(exchange.ownership(of: job.owner), "job \(job.id)")
        return job
    }

    /// The attributes of a job that are wanted, no others being made, and none that the requester may not see.
    private func shownJob(_ job: Job, _ exchange: Exchange, _ wanted: RequestedAttributes) async -> AttributeGroup {
        guard !showsPrivateValues, exchange.permission(exchange.ownership(of: job.owner)) == .withoutPrivateValues
        else {
            return await shownJobInFull(job, exchange, wanted)
        }
        let all = job.attributes(
            printerURI: exchange.target.printerURI(job.printer),
            jobURI: exchange.target.jobURI(job.id, printer: job.printer, isGlobal: numbersJobsGlobally), now: clock())
        var shown = all.filter { PrivateJobValues.publicNames.contains($0.name) }
        shown = wanted.filter(shown, in: ["job-description", "job-template"])
        if wanted.names("printq-place") {
            shown.append(Attribute("printq-place", .name(QueuePosition(job).description)))
        }
        return AttributeGroup(.job, shown)
    }

    private func shownJobInFull(
        _ job: Job, _ exchange: Exchange, _ wanted: RequestedAttributes
    ) async -> AttributeGroup {
        var attributes = job.description(
            printerURI: exchange.target.printerURI(job.printer),
            jobURI: exchange.target.jobURI(job.id, printer: job.printer, isGlobal: numbersJobsGlobally), now: clock()
        ) { wanted.wants($0, in: ["job-description"]) }
        attributes += wanted.filter(job.template, in: ["job-template"])
        if wanted.wantsJobOptions {
            attributes += wanted.filter(job.options, in: ["job-template"])
        }
        if wanted.names("printq-place") {
            attributes.append(Attribute("printq-place", .name(QueuePosition(job).description)))
        }
        return AttributeGroup(.job, attributes + (await service.extraAttributes(of: job, requested: wanted)))
    }
}

extension JobQuery.Which {
    /// The part of a job's life that a `which-jobs` keyword means; nil when it is not known.
    init?(keyword: String) {
        switch keyword {
        case "not-completed": self = .notCompleted
        case "completed": self = .completed
        case "all": self = .all
        default:
            guard let state = JobState.allCases.first(where: { $0.description == keyword }) else { return nil }
            self = .state(state)
        }
    }
}
