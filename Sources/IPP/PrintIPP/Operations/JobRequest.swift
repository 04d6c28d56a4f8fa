// The job and document requests of a client, in the types of the model.

public import IPP
public import PrintModel

/// A request for a job.
public struct JobRequest: Sendable {
    /// The printer.
    public var printer: ServedPrinter
    /// The requester.
    public var requester: Requester
    /// The job's name.
    public var name: String
    /// The options, without the unsupported options.
    public var ticket: JobTicket
    /// The job attributes as received.
    public var received: [Attribute]
    /// The attributes that are not applied as requested.
    ///
    /// The client receives the same list. The list is empty if all attributes were accepted.
    public var substitutions: [Substitution] = []
    /// The sender's identifier of the submission (`printq-submission-id`).
    public var submissionID: String?
    /// The side at which to start, if the job continues another job (`printq-resume-from`); `nil` for all sides.
    public var resumeFrom: Int?
    /// The job's number in the client's queue if the client is a printd (`printq-job-id`); `nil` for other clients.
    public var queueNumber: Int?
    /// Whether the job must be rejected if it cannot be printed exactly as requested (`ipp-attribute-fidelity`).
    public var insistsOnAll = false

    /// The maximum number of spoolers that can forward a job.
    public static let mostForwarders = 16
}

extension JobRequest {
    /// Throws an error if the job has returned to a spooler that already forwarded it, or circulates among other
    /// spoolers.
    ///
    /// - Parameter spool: The identity of the spool that receives the job.
    public func refuseLoop(at spool: String) throws(IPPFailure) {
        let spools = ticket.forwardedBy ?? []
        if spools.contains(spool) {
            throw IPPFailure(
                .clientErrorNotPossible,
                "the job has returned to a spooler that forwarded it: \(printer.name.prefixOfUTF8(60)) and a printer of "
                    + "the next spooler point to each other; change the URI of one printer")
        }
        guard spools.count <= Self.mostForwarders else {
            throw IPPFailure(
                .clientErrorNotPossible,
                "more than \(Self.mostForwarders) spoolers have forwarded the job; their printers may point to each "
                    + "other")
        }
    }
}

/// A job attribute that is not applied as requested (RFC 8011 §4.1.7).
public struct Substitution: Hashable, Sendable {
    /// The attribute's name.
    public var attribute: String
    /// The reason, as a sentence.
    public var problem: String
}

/// A document as it arrives.
public struct DocumentRequest: Sendable {
    /// The data, which can be read once.
    public var stream: DocumentStream
    /// The declared format.
    ///
    /// `application/octet-stream` means that the format must be detected.
    public var format: DocumentFormat
    /// The document's name, often a file name.
    public var name: String?
}
