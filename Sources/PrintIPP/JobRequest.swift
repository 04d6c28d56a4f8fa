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
