// A request to print.

public import PrintModel

/// A request to print, without the documents.
public struct Submission: Hashable, Sendable {
    /// The name of the printer.
    public var printer: String
    /// The user who submits the job.
    public var owner: String
    /// The job's name.
    public var name: String
    /// The options.
    ///
    /// Its `priority` and `holdUntil` become those of the job (50 and not held, when nil).
    public var ticket: JobTicket
    /// The sender's name for the submission; nil for no name.
    ///
    /// A second submission of the same owner with this name returns the first job.
    public var submissionID: String?
    /// The first side to print, counted over all copies from 1, when a part of the job was printed before; nil for the
    /// whole job.
    public var resumeFrom: Int?
    /// The job whose documents are printed again; nil for a job with separate documents.
    var parentID: Int?

    /// Creates a submission.
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
    /// Returns the job of the submission, without an id.
    ///
    /// `incoming` tells that the documents follow.
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
