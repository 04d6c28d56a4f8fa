// The job and document requests of a client, in the types of the model.

package import IPP
package import PrintModel

/// A client's request for a new job.
public struct JobRequest: Sendable {
    package var printer: ServedPrinter
    package var requester: Requester
    package var name: String
    package var ticket: JobTicket
    package var received: [Attribute]
    /// The whole message of the client.
    package var message: Message? = nil
    /// The attributes that are not applied as requested.
    ///
    /// The response to the client contains the same list. The list is empty if all attributes were accepted.
    package var substitutions: [Substitution] = []
    /// The identifier that the sender has assigned to the submission (`printq-submission-id`).
    package var submissionID: String?
    /// The side at which to start, if the job continues another job (`printq-resume-from`); `nil` for all sides.
    package var resumeFrom: Int?
    /// The job's number in the client's queue if the client is a printd (`printq-job-id`); `nil` for other clients.
    package var queueNumber: Int?
    /// Whether the service must reject a job that the service cannot print exactly as requested
    /// (`ipp-attribute-fidelity`).
    package var insistsOnAll = false
    /// The password of the documents of an ended job that is printed again (`document-password`).
    package var documentPassword: String?

    /// The password with which a person releases the job (`job-password`).
    package var password: JobPassword?

    /// A function that returns which of the given groups contain the owner of the job.
    package var groups: @Sendable ([String]) async throws -> Set<String> = { _ in [] }

    /// The maximum number of spoolers that can forward a job.
    package static let mostForwarders = 16
}

extension JobRequest {
    /// Throws an error if the spool that receives the job has already forwarded the job.
    ///
    /// The method also throws an error if more than ``mostForwarders`` spools have forwarded the job. The job might
    /// then circulate among these spools.
    ///
    /// - Parameter spool: The identity of the spool that receives the job.
    package func refuseLoop(at spool: String) throws(IPPFailure) {
        let spools = ticket.forwardedBy ?? []
        if spools.contains(spool) {
            throw IPPFailure(
                .clientErrorNotPossible,
                "this spooler has already forwarded the job: \(printer.name.prefixOfUTF8(60)) and a printer of "
                    + "another spooler forward jobs to each other; change the URI of one of these printers")
        }
        guard spools.count <= Self.mostForwarders else {
            throw IPPFailure(
                .clientErrorNotPossible,
                "more than \(Self.mostForwarders) spoolers have forwarded the job, possibly in a loop; check the printer "
                    + "URIs of these spoolers")
        }
    }
}

/// A job attribute that is not applied as requested (RFC 8011 §4.1.7).
public struct Substitution: Hashable, Sendable {
    package var attribute: String
    /// The reason why the attribute is not applied, as a sentence.
    package var problem: String
    /// Whether the printer does not support the option.
    ///
    /// Another printer may support the option.
    package var dependsOnPrinter = false

    package init(attribute: String, problem: String, dependsOnPrinter: Bool = false) {
        (self.attribute, self.problem, self.dependsOnPrinter) = (attribute, problem, dependsOnPrinter)
    }
}

extension JobRequest {
    /// The options that the job does not apply, regardless of its printer.
    ///
    /// An option that this request sets replaces the same option of a job that is printed again.
    package var unapplied: [UnappliedOption] {
        let names = Set(received.map(\.name))
        let own = substitutions.filter { !$0.dependsOnPrinter }
        return (ticket.unapplied ?? []).filter { !names.contains($0.option) }
            + own.map { UnappliedOption(option: $0.attribute, reason: $0.problem) }
    }
}

/// A document that the client is sending.
public struct DocumentRequest: Sendable {
    /// The data can be read only once.
    package var stream: DocumentStream
    /// The whole message of the client, without the data of the document.
    package var message: Message?
    /// The document format that the client declares.
    ///
    /// `application/octet-stream` means that the format must be detected.
    package var format: DocumentFormat
    /// The document's name, often a file name.
    package var name: String?
    /// The password that opens the document (`document-password`, PWG 5100.13).
    package var password: String?
    /// The number of the document in its job, counted from 1 (`printq-document-number`).
    ///
    /// A repeated request with the same number adds no document. The value is `nil` if the client did not send a number.
    package var number: Int?
}
