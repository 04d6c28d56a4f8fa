// What someone wants printed.

public import PrintModel

/// What someone wants printed, apart from the documents.
public struct Submission: Hashable, Sendable {
    /// The name of the printer.
    public var printer: String
    /// Who submits it.
    public var owner: String
    /// The job's name.
    public var name: String
    /// What is asked for; its `priority` and `holdUntil` are the job's (50, and not held, when nil).
    public var ticket: JobTicket
    /// What the sender calls it, so that the same again from the same owner returns the same job; nil for no name.
    public var submissionID: String?
    /// The side to begin with, counted over all copies from 1, when a part of the job was printed before; nil for all.
    public var resumeFrom: Int?
    /// The job whose documents are printed once more; nil for a job with documents of its own.
    var parentID: Int?

    /// A submission.
    public init(
        printer: String, owner: String, name: String, ticket: JobTicket = JobTicket(), submissionID: String? = nil
    ) {
        self.printer = printer
        self.owner = owner
        self.name = name
        self.ticket = ticket
        self.submissionID = submissionID
    }
}

extension Submission {
    /// The job it makes, without an id.
    ///
    /// `incoming` says that its documents are still to come.
    func job(uuid: String, incoming: Bool, now: UnixTime) -> Job {
        var job = Job(
            id: 0, uuid: uuid, printer: printer, owner: owner, name: name,
            state: incoming ? .pendingHeld : .pending, reasons: incoming ? [.jobIncoming] : [], ticket: ticket,
            priority: min(max(ticket.priority ?? 50, 1), 100), createdAt: now, submissionID: submissionID)
        job.parentID = parentID
        job.resumeFrom = resumeFrom.flatMap { $0 > 1 ? $0 : nil }
        let hold: JobStateMachine.Event? =
            switch ticket.holdUntil {
            case .indefinite: .holdRequested(until: nil)
            case .time(let time) where time > now: .holdRequested(until: time)
            default: nil
            }
        var machine = JobStateMachine(job: job)
        if let hold { _ = try? machine.handle(hold, at: now) }  // a new job can always be held
        return machine.job
    }
}
