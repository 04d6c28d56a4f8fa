// Resume-Job, CUPS-Move-Job, Resubmit-Job, Restart-Job: what people do with a job that did not go well.

import IPP
import PrintModel

extension PrinterOperations {
    /// Resume-Job (RFC 3998 §4.3.2): a suspended job goes on, from the side that `printq-resume-from` says, else from the
    /// first one that was not seen printed.
    func resumeJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        try await service.change(job, .resumeRequested(fromImpression: Self.impression(exchange)))
        return exchange.reply()
    }

    /// CUPS-Move-Job: one job, or all jobs of a printer, to the printer that `job-printer-uri` says.
    func moveJobs(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        guard let name = try Self.otherPrinter(exchange) else {
            throw .badRequest("CUPS-Move-Job must say job-printer-uri, where the job goes")
        }
        guard exchange.target.jobID == nil else {
            let job = try await ownJob(exchange)
            let destination = try await service.destination(named: name)
            try await destination.admit(job.owner, accounts)
            try await service.move(job, to: destination)
            return exchange.reply()
        }
        guard let source = exchange.target.printer else {
            throw .badRequest("CUPS-Move-Job must name a job, or the printer whose jobs are moved")
        }
        try exchange.permit(.others)
        let destination = try await service.destination(named: name)
        var refusal: IPPFailure?
        for job in try await service.jobs(JobQuery(printer: try await service.destination(named: source).name)) {
            do throws(IPPFailure) {
                try await destination.admit(job.owner, accounts)
                try await service.move(job, to: destination)
            } catch  where error.status == .clientErrorNotPossible {
                continue  // it is in hand there, or has ended meanwhile
            } catch  where error.status == .clientErrorNotAuthorized {
                refusal = refusal ?? error  // the others can go
            }
        }
        if let refusal { throw refusal }
        return exchange.reply()
    }

    /// Resubmit-Job (PWG 5100.7-2023 §5.3): the documents of a job that has ended once more, with the same options but for
    /// those that are given; to the printer that `job-printer-uri` says, else to the same; from the side that
    /// `printq-resume-from` says, else all of it.
    func resubmitJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        try await resubmit(try await ownJob(exchange), exchange)
    }

    /// Restart-Job (RFC 8011 §4.3.7), which `lp -H restart` sends: a suspended job from its beginning.
    ///
    /// One that has ended stays ended, for its history is true; a new job prints it once more, and the answer names that
    /// one.
    func restartJob(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let job = try await ownJob(exchange)
        guard !job.state.isTerminal else { return try await resubmit(job, exchange) }
        guard job.reasons.contains(.jobSuspended) else {
            throw .notPossible("job \(job.id) is \(job.state) and cannot be restarted: it is still to be printed")
        }
        try await service.change(job, .releaseRequested)
        return exchange.reply()
    }

    private func resubmit(_ job: Job, _ exchange: Exchange) async throws(IPPFailure) -> Message {
        let printer = try await acceptingPrinter(
            named: try Self.otherPrinter(exchange) ?? job.printer, for: exchange.requester.name)
        var ticket = job.ticket
        ticket.holdUntil = nil
        let asked = try await jobRequest(exchange, at: printer, name: givenName(exchange) ?? job.name, onto: ticket)
        var request = asked.request
        request.resumeFrom = Self.impression(exchange)
        let again = try await service.resubmit(job, as: request)
        return exchange.reply([jobGroup(again, exchange)], unsupported: asked.unsupported)
    }

    /// The side to go on from, when one is said.
    private static func impression(_ exchange: Exchange) -> Int? {
        exchange.attributes.integer("printq-resume-from").map(Int.init)
    }

    /// The printer that `job-printer-uri` names, which clients write into either group; nil when it is not said.
    private static func otherPrinter(_ exchange: Exchange) throws(IPPFailure) -> String? {
        let name = "job-printer-uri"
        let given = exchange.attributes.string(name) ?? exchange.request.message[.job]?.string(name)
        return try given.map { uri throws(IPPFailure) in try RequestTarget.printer(in: uri, attribute: name) }
    }
}
