// What a client wants printed, in the model's words.

public import IPP
public import PrintModel

/// A job as it is asked for.
public struct JobRequest: Sendable {
    /// The printer.
    public var printer: ServedPrinter
    /// Who asks.
    public var requester: Requester
    /// The job's name.
    public var name: String
    /// The options, those that cannot be taken left out.
    public var ticket: JobTicket
    /// The job attributes as they came.
    public var received: [Attribute]
    /// What of it is not done as it was asked for, as the client is told too; none when it could all be taken.
    public var substitutions: [Substitution] = []
    /// What the sender calls the submission (`printq-submission-id`).
    public var submissionID: String?
    /// The side to begin with, when the job goes on from another one (`printq-resume-from`); nil for all of it.
    public var resumeFrom: Int?
    /// The number that the job has in the client's queue, when the client is a printd (`printq-job-id`); nil for other clients.
    public var queueNumber: Int?
    /// Whether the job must be printed exactly as it was requested or not at all (`ipp-attribute-fidelity`).
    public var insistsOnAll = false

    /// Through how many spoolers a job may come.
    public static let mostForwarders = 16
}

extension JobRequest {
    /// Refuses a job that has come back to the spooler that sent it on, or that goes round among others.
    ///
    /// - Parameter spool: the identity of the spool that is asked to take the job.
    public func refuseLoop(at spool: String) throws(IPPFailure) {
        let spools = ticket.forwardedBy ?? []
        if spools.contains(spool) {
            throw IPPFailure(
                .clientErrorNotPossible,
                "the job comes back to the spooler that sent it on: \(printer.name.prefixOfUTF8(60)) here and a printer of "
                    + "the next spooler lead to each other; change the URI of one of them")
        }
        guard spools.count <= Self.mostForwarders else {
            throw IPPFailure(
                .clientErrorNotPossible,
                "the job has come through more than \(Self.mostForwarders) spoolers, whose printers may lead to each "
                    + "other")
        }
    }
}

/// An attribute of a job that is not done as it was asked for (RFC 8011 §4.1.7).
public struct Substitution: Hashable, Sendable {
    /// The attribute's name.
    public var attribute: String
    /// Why, in a sentence.
    public var problem: String
}

/// A document as it comes.
public struct DocumentRequest: Sendable {
    /// Its data; single pass.
    public var stream: DocumentStream
    /// What it is said to be; `application/octet-stream` must be found out.
    public var format: DocumentFormat
    /// Its name, often the file's.
    public var name: String?
}
