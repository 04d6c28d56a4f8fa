// Get-Jobs, Get-Job-Attributes, the operations that cancel jobs, Hold-Job, Release-Job, Set-Job-Attributes.

import IPP
import PrintModel

extension PrinterOperations {
    func getJobAttributes(_ exchange: Exchange) async throws -> Message {
        let job = try await requestedJob(exchange)
        try exchange.permit(exchange.ownership(of: job.owner), at: job.printer)
        let wanted = exchange.requestedAttributes()
        let extra = await extraAttributes(of: [job], exchange, wanted)
        var group = shownJob(job, exchange, wanted, extra)
        if wantsJobsBefore(wanted), let count = try await service.jobsBefore([job])[job.id] {
            group.append("printq-jobs-before", .integer(Int32(clamping: count)))
        }
        return exchange.reply([group])
    }

    /// Returns whether `printq-jobs-before` is requested.
    ///
    /// A client that counts the jobs of a list itself requests `printq-jobs-before-in-turn`.
    private func wantsJobsBefore(_ wanted: RequestedAttributes) -> Bool {
        wanted.names("printq-jobs-before") || service.takesTurns && wanted.names("printq-jobs-before-in-turn")
    }

    /// Handles Get-Jobs: sends the first jobs immediately, and the other jobs while the client reads the response.
    func getJobs(_ exchange: Exchange) async throws -> IPPAnswer {
        try exchange.permit(.own, at: exchange.target.printer)
        let filter = try await jobFilter(exchange)
        let wanted = exchange.requestedAttributes(or: RequestedAttributes(["job-id", "job-uri"]))
        var range = try jobListRange(exchange)
        range.parts = wanted.parts
        let pages = try await service.listing(filter, in: range)
        let next: IPPAnswer.More = { () async throws in
            guard let jobs = try await pages.next() else { return nil }
            guard jobs.count > Self.mostOnEventLoop else {
                return IPPAnswer.Part(try await shownJobs(jobs, exchange, wanted))
            }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws in
                IPPAnswer.Part(try await shownJobs(jobs, exchange, wanted))
            }
        }
        let first = try await next()?.groups ?? []
        let second = first.isEmpty ? nil : try await next()?.groups
        var message = exchange.reply(first + (second ?? []))
        if wanted.names("printq-job-count"), let count = try await service.countJobs(filter) {
            message[.operation]?.append("printq-job-count", .integer(Int32(clamping: count)))
        }
        if wanted.names("printq-job-counts"), let counts = try await service.jobCounts(filter) {
            message[.operation]?.append("printq-job-counts", .collection(counts.collection))
        }
        return IPPAnswer(message, more: second == nil ? nil : next)
    }

    /// The maximum number of jobs whose attributes are made on the event loop that serves the clients.
    private static let mostOnEventLoop = 50

    private func shownJobs(
        _ jobs: [Job], _ exchange: Exchange, _ wanted: RequestedAttributes
    ) async throws -> [AttributeGroup] {
        let before = wantsJobsBefore(wanted) ? try await service.jobsBefore(jobs) : [:]
        let extra = await extraAttributes(of: jobs, exchange, wanted)
        var groups: [AttributeGroup] = []
        for job in jobs {
            var group = shownJob(job, exchange, wanted, extra)
            if let count = before[job.id] { group.append("printq-jobs-before", .integer(Int32(clamping: count))) }
            groups.append(group)
        }
        return groups
    }

    /// Returns the filter of a Get-Jobs request (RFC 8011 §4.2.6.1).
    private func jobFilter(_ exchange: Exchange) async throws -> JobFilter {
        var filter = try await reachableJobs(exchange)
        if let which = exchange.attributes.string("which-jobs") {
            guard let known = JobFilter.Which(keyword: which) else {
                throw IPPFailure(
                    .clientErrorAttributesOrValuesNotSupported,
                    "which-jobs '\(which)' is not supported; use not-completed, completed or all",
                    unsupported: exchange.received("which-jobs"))
            }
            filter.which = known
        }
        let onlyOwn =
            exchange.attributes.boolean("my-jobs") == true
            || exchange.permission(.others, at: filter.printer) == .refused
            || filter.printer.map(exchange.reach.hidden.contains) == true
        if onlyOwn { filter.owner = exchange.requester.name }
        if let ids = exchange.attributes["job-ids"] { filter.ids = ids.values.compactMap(\.intValue).map(Int.init) }
        try await addOwnConditions(to: &filter, exchange)
        return filter
    }

    /// Adds the conditions that printq defines: `printq-held`, `printq-attention`, `printq-owner` and `printq-search`.
    ///
    /// If the requester is not allowed to see the private values of a job, a search finds the job only by the name of
    /// its printer.
    private func addOwnConditions(to filter: inout JobFilter, _ exchange: Exchange) async throws {
        // A client without credentials sees no jobs of others, whatever `jobPrivateAccess` is.
        let others = exchange.permission(.others, at: filter.printer)
        let seesAll = others == .allowed || others == .withoutPrivateValues && jobPrivacy().hidesNothing
        filter.isHeld = exchange.attributes.boolean("printq-held")
        if exchange.attributes.boolean("printq-attention") == true {
            filter.troubledPrinters = try await service.troubledPrinters()
        }
        if let owner = exchange.attributes.string("printq-owner") {
            guard seesAll || owner == exchange.requester.name else {
                throw exchange.refusal("only administrators can list the jobs of \(owner)")
            }
            filter.owner = owner
        }
        if let text = exchange.attributes.string("printq-search"), !text.isEmpty {
            filter.search = JobSearch(text, reader: seesAll ? nil : exchange.requester.name)
        }
    }

    /// Returns the part of the job list that a Get-Jobs request selects (`limit`, `printq-after`, and `first-index` of
    /// PWG 5100.13).
    private func jobListRange(_ exchange: Exchange) throws(IPPFailure) -> JobListRange {
        var range = JobListRange()
        if let limit = exchange.attributes.integer("limit") {
            guard limit > 0 else { throw .badRequest("limit must be greater than 0, not \(limit)") }
            range.limit = Int(limit)
        }
        if let first = exchange.attributes.integer("first-index") { range.offset = max(0, Int(first) - 1) }
        if let after = exchange.attributes.string("printq-after") {
            guard let place = QueuePosition(after) else {
                throw .badRequest(
                    "printq-after '\(after)' is not a queue position; use the value of printq-place of a job")
            }
            range.after = place
        }
        return range
    }

    func cancelJob(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        try await service.change(job, .cancelRequested(byOperator: job.owner != exchange.requester.name))
        return exchange.reply()
    }

    /// Handles Cancel-Jobs and Cancel-My-Jobs: cancels the jobs of the requester, or of all users.
    ///
    /// With `job-ids`, the method cancels only these jobs. `purgeJobs` also calls this method.
    func cancelJobs(_ exchange: Exchange) async throws -> Message {
        let onlyOwn = exchange.operation == .cancelMyJobs || exchange.attributes.boolean("my-jobs") == true
        try exchange.permit(onlyOwn ? .own : .others, at: exchange.target.printer)
        var filter = try await reachableJobs(exchange)
        if onlyOwn { filter.owner = exchange.requester.name }
        let pages = try await cancelable(filter, exchange)
        while let jobs = try await pages.next() {
            // A job that has just ended, or that is being canceled already, remains unchanged.
            try await service.change(
                jobs.map { ($0, .cancelRequested(byOperator: $0.owner != exchange.requester.name)) })
        }
        return exchange.reply()
    }

    /// Returns the jobs to cancel (PWG 5100.11, Cancel-Jobs and Cancel-My-Jobs).
    ///
    /// If the request has `job-ids`, the method returns the jobs with these numbers. Otherwise the method returns the
    /// jobs that the filter selects.
    ///
    /// - Throws: `IPPFailure` if a job in `job-ids` does not exist or has ended.
    private func cancelable(_ filter: JobFilter, _ exchange: Exchange) async throws -> JobListParts {
        guard let ids = exchange.attributes["job-ids"] else { return try await service.listing(filter, in: .all) }
        var filter = filter
        filter.ids = ids.values.compactMap(\.intValue).map(Int.init)
        filter.which = .all
        let jobs = try await service.jobs(filter, in: .all)
        let found = Set(jobs.map(\.id))
        let missing = ids.values.filter { value in value.intValue.map { !found.contains(Int($0)) } ?? true }
        guard missing.isEmpty else {
            throw IPPFailure(
                .clientErrorNotFound, "some jobs in job-ids do not exist; no job was canceled",
                unsupported: [Attribute("job-ids", missing)])
        }
        let ended = jobs.filter(\.state.isTerminal).map { Value.integer(Int32(clamping: $0.id)) }
        guard ended.isEmpty else {
            throw IPPFailure(
                .clientErrorNotPossible, "some jobs in job-ids have already ended; no job was canceled",
                unsupported: [Attribute("job-ids", ended)])
        }
        return JobListParts(jobs)
    }

    func holdOrRelease(_ exchange: Exchange) async throws -> Message {
        if exchange.operation == .releaseJob, exchange.attributes["job-password"] != nil {
            return try await releaseWithPassword(exchange)
        }
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

    func setJobAttributes(_ exchange: Exchange) async throws -> Message {
        let job = try await ownJob(exchange)
        let attributes = exchange.request.message.groups(.job).flatMap(\.attributes)
        // A hold is stored as an event, not as a change of the ticket.
        var before = job.ticket
        before.holdUntil = nil
        var reading = read(attributes, printer: job.printer, onto: before)
        let given = attributes.first { $0.name == "job-name" }
        let name = given?.stringValue.flatMap { $0.isEmpty ? nil : $0.prefixOfUTF8(255) }
        if let given, name == nil {
            reading.unsupported.append(given)
            reading.problems.append("job-name must be a text that is not empty")
        }
        if let problem = reading.problems.first {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, problem, unsupported: reading.unsupported)
        }
        let hold = reading.ticket.holdUntil
        reading.ticket.holdUntil = nil
        reading.ticket.unapplied?.removeAll { old in attributes.contains { $0.name == old.option } }
        let isChanged = reading.ticket != before
        reading.ticket.holdUntil = job.ticket.holdUntil
        // Hold the job before the change and release it after the change, so that a partly changed job is never
        // printed.
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

    /// Returns the name of the printer whose jobs are requested; `nil` for all printers.
    func queriedPrinter(_ exchange: Exchange) async throws -> String? {
        if let name = exchange.target.printer { return try await service.printer(named: name).name }
        // `/ipp/print` is the default printer; any other URI without a name is the server with all its printers.
        return exchange.target.isDefaultPrinter && !numbersJobsGlobally
            ? try await service.printer(named: nil).name : nil
    }

    /// Returns the filter for the unfinished jobs of the requested printer, or of all printers in reach.
    private func reachableJobs(_ exchange: Exchange) async throws -> JobFilter {
        var filter = JobFilter(printer: try await queriedPrinter(exchange))
        if let printer = filter.printer {
            try exchange.checkReach(printer)
        } else {
            filter.reach = exchange.reach.jobReach(of: exchange.requester.name)
        }
        return filter
    }

    /// Returns the job that is the target of the request, if its printer is in the requester's reach.
    func requestedJob(_ exchange: Exchange) async throws -> Job {
        let job = try await anyJob(exchange)
        try exchange.checkReach(of: job)
        return job
    }

    private func anyJob(_ exchange: Exchange) async throws -> Job {
        guard let id = exchange.target.jobID else { throw IPPFailure.badRequest("the request has no job-id") }
        if id == 0, exchange.operation == .cancelJob, let printer = exchange.target.printer {
            return try await currentJob(of: printer)
        }
        guard id > 0 else { throw IPPFailure.badRequest("job-id \(id) must be greater than 0") }
        return try await service.job(id, printer: exchange.target.printer)
    }

    /// If the printer prints no job, the result is the next job.
    ///
    /// The CUPS commands `cancel NAME` and `lprm` require this behavior.
    private func currentJob(of printer: String) async throws -> Job {
        let name = try await service.destination(named: printer).name
        guard let job = try await service.jobs(JobFilter(printer: name), in: JobListRange(limit: 1)).first else {
            throw IPPFailure.notPossible("\(name) has no waiting or printing job")
        }
        return job
    }

    /// Returns the job that is the target of the request, if the requester is allowed to change the job.
    func ownJob(_ exchange: Exchange) async throws -> Job {
        let job = try await requestedJob(exchange)
        try exchange.permit(exchange.ownership(of: job.owner), "job \(job.id)", at: job.printer)
        return job
    }

    /// Returns the requested attributes that only the service can provide, by job number.
    ///
    /// The result omits the jobs whose private values the requester is not allowed to see.
    private func extraAttributes(
        of jobs: [Job], _ exchange: Exchange, _ wanted: RequestedAttributes
    ) async -> [Int: [Attribute]] {
        let jobs = jobs.filter { visible($0, exchange).isWhole }
        let extra = await service.extraAttributes(of: jobs, requested: wanted)
        return Dictionary(zip(jobs.map(\.id), extra)) { first, _ in first }
    }

    /// Returns the requested attributes of a job, without the attributes that the requester is not allowed to see.
    ///
    /// - Parameter extra: The result of `extraAttributes`.
    private func shownJob(
        _ job: Job, _ exchange: Exchange, _ wanted: RequestedAttributes, _ extra: [Int: [Attribute]]
    ) -> AttributeGroup {
        let attributes = attributes(of: visible(job, exchange), job, exchange, wanted)
        return AttributeGroup(.job, attributes + (extra[job.id] ?? []))
    }

    private func visible(_ job: Job, _ exchange: Exchange) -> VisibleJob {
        VisibleJob(
            job, to: exchange.requester, as: exchange.kind(at: job.printer), by: exchange.operation,
            privacy: jobPrivacy())
    }

    /// Returns the attributes of a job for a requester, except the attributes that the service adds.
    func attributes(
        of visible: VisibleJob, _ job: Job, _ exchange: Exchange, _ wanted: RequestedAttributes
    ) -> [Attribute] {
        visible.attributes(
            wanted, printerURI: exchange.target.printerURI(job.printer),
            jobURI: exchange.target.jobURI(job.id, printer: job.printer, isGlobal: numbersJobsGlobally), now: clock())
    }
}

extension JobCounts {
    /// The counts as a collection (`printq-job-counts`).
    fileprivate var collection: IPP.Collection {
        func count(_ name: String, _ number: Int) -> Attribute {
            Attribute(name, .integer(Int32(clamping: number)))
        }
        let printers = queuedByPrinter.sorted { $0.key < $1.key }.map { name, number in
            Value.collection(
                IPP.Collection([Attribute("printer-name", .name(name)), count("queued-job-count", number)]))
        }
        return IPP.Collection(
            [
                count("all", all), count("queue", queue), count("active", active), count("attention", attention),
                count("held", held), count("ended", ended),
            ] + (printers.isEmpty ? [] : [Attribute("printers", printers)]))
    }
}

extension JobFilter.Which {
    /// Creates the value of a `which-jobs` keyword; `nil` for an unknown keyword.
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
