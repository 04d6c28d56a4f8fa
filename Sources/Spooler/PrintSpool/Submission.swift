// Defines the request to print a job.

public import PrintModel

/// A request to print a job, without the documents.
public struct Submission: Hashable, Sendable {
    /// The name of the printer.
    public var printer: String
    /// The user who submits the job.
    public var owner: String
    /// The name of the job.
    public var name: String
    /// The print options of the job.
    ///
    /// The ticket's `priority` and `holdUntil` apply to the job. If these options are nil, the job has priority 50 and
    /// is not held.
    public var ticket: JobTicket
    /// The client's id for this submission; nil if the client has sent no id.
    ///
    /// A second submission with the same id and owner returns the job of the first submission.
    public var submissionID: String?
    /// The number of the first side to print, counted from 1 across all copies, for a job that was partly printed; nil
    /// for all sides.
    public var resumeFrom: Int?
    /// The password of all documents that this request submits or reprints; nil for no password.
    ///
    /// The spool deletes the password when the job ends.
    package var documentPassword: String?
    /// The password for the release of the job; nil for no password.
    package var releasePassword: PasswordHash?
    /// The time in seconds for which the job waits for its password.
    package var passwordLifetime = 86400.0
    /// The options that the printer does not support, one sentence each.
    package var warnings: [String] = []
    /// Whether the printer prints the job in color, as far as the options tell.
    package var isColor = false
    /// The id of the job whose documents are reprinted; nil for a job with new documents.
    var parentID: Int?

    /// Creates a request to print a job.
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
    /// Returns the new job, without an id.
    ///
    /// - Parameter incoming: Whether the documents follow later.
    func job(uuid: String, incoming: Bool, now: UnixTime) -> Job {
        var job = Job(
            id: 0, uuid: uuid, printer: printer, owner: owner, name: name,
            state: incoming ? .pendingHeld : .pending, reasons: incoming ? [.jobIncoming] : [], ticket: ticket,
            priority: min(max(ticket.priority ?? 50, 1), 100), createdAt: now, submissionID: submissionID)
        job.ticket.hasDocumentPassword = documentPassword == nil ? nil : true
        if releasePassword != nil {
            job.ticket.passwordExpiresAt = now + passwordLifetime
            // A repair of a damaged record looks only for this option.
            job.ticket.keepsDocuments = false
        }
        job.parentID = parentID
        job.warnings = warnings
        job.message = job.warningText
        job.resumeFrom = resumeFrom.flatMap { $0 > 1 ? $0 : nil }
        let hold: JobStateMachine.Event? =
            switch ticket.holdUntil {
            case _ where releasePassword != nil, .indefinite: .holdRequested(until: nil)
            case .time(let time) where time > now: .holdRequested(until: time)
            default: nil
            }
        var machine = JobStateMachine(job: job)
        if let hold { _ = try? machine.handle(hold, at: now) }  // a new job can always be held
        return machine.job
    }
}
