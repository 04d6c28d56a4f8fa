// Builds IPP requests to printd.

import FoundationEssentials
package import IPP
import PrintIPP
public import PrintModel

extension Message {
    /// Creates a request to printd about a printer, a job, or the whole spooler.
    ///
    /// - Parameters:
    ///   - printer: The printer's name; nil means the default printer or all printers, depending on the IPP operation.
    ///   - job: The job's number.
    ///   - user: The name of the requesting user (`requesting-user-name`).
    ///   - attributes: Additional operation attributes.
    ///   - requested: The attributes to request; nil means printd's default.
    package static func request(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, user: String, attributes: [Attribute] = [],
        requested: [String]? = nil
    ) -> Message {
        let path = printer.map { "printers/\($0)" } ?? ""
        var group = AttributeGroup.operation([Attribute("printer-uri", .uri("ipp://localhost/\(path)"))])
        if let job { group.append("job-id", .integer(Int32(clamping: job))) }
        group.append("requesting-user-name", .name(user))
        group.append(contentsOf: attributes)
        if let requested { group.append(Attribute("requested-attributes", requested.map { .keyword($0) })) }
        return Message(operation: operation, requestID: 1, groups: [group])
    }
}

/// A job that the client submits.
///
///     var submission = try JobSubmission(files: ["cover.pdf", "report.docx"], printer: "office")
///     submission.ticket.duplex = .longEdge
///     let id = try await spooler.submit(submission)
public struct JobSubmission: Sendable {
    /// The printer's name; nil means the default printer.
    public var printer: String?
    /// The job's name; nil means the name of the first document.
    public var title: String?
    /// The print options of the job.
    public var ticket = JobTicket()
    /// The documents of the job, at least one document.
    package var documents: [DocumentFile]
    /// The password of the encrypted documents; nil if there are none.
    public var documentPassword: String?
    /// The PIN with which a person releases the job, 4 to 8 digits; nil for a job that does not wait.
    public var pin: String?
    /// The unique ID of the submission.
    ///
    /// The ID prevents a second job if the request is repeated.
    package var id: String
    /// Whether the caller repeats a failed submission with the same ID.
    ///
    /// In this case, a job with a part of its documents stays in the queue until it is complete or printd aborts it.
    /// Otherwise, the job is canceled.
    package var isRepeatable = false

    package init(documents: [DocumentFile], id: String) {
        self.documents = documents
        self.id = id
    }

    /// Creates a job from files, which `printd` converts if they are not PDF: text, HTML, Office documents, images.
    ///
    /// - Parameters:
    ///   - files: The paths of at least one file. The files are documents of one job.
    ///   - printer: The printer's name; nil means the default printer.
    ///   - id: The identifier of the submission, 1 to 255 bytes, for example of a request that can arrive twice:
    ///     another submission by the same user with the same identifier returns the first job. If the value is nil, the
    ///     submission has a new identifier.
    /// - Throws: `SpoolerClientError`: `usage` without files, or for an identifier of another length; `noInput` if a
    ///   file cannot be read; `badDocument` if a file is empty.
    public init(files: [String], printer: String? = nil, id: String? = nil) throws(SpoolerClientError) {
        guard !files.isEmpty else { throw SpoolerClientError(.usage, "a job requires at least one file") }
        if let id, !(1...255).contains(id.utf8.count) {
            throw SpoolerClientError(.usage, "the submission identifier has \(id.utf8.count) bytes; use 1 to 255 bytes")
        }
        var documents: [DocumentFile] = []
        for file in files { documents.append(try DocumentFile(path: file)) }
        self.init(documents: documents, id: id ?? UUID().uuidString)
        self.printer = printer
        isRepeatable = id != nil
    }

    /// Returns the request that creates the job: Print-Job for one document, or Create-Job for several documents.
    func creation(user: String) -> Message {
        var attributes = [
            Attribute("job-name", .name(title ?? documents.first?.name ?? "Untitled")),
            Attribute("printq-submission-id", .name(id)),
        ]
        attributes += ticket.demands + .pin(pin)
        let isWhole = documents.count == 1
        if isWhole { attributes += documentAttributes(0) }
        var message = Message.request(
            isWhole ? .printJob : .createJob, printer: printer, user: user, attributes: attributes)
        let options = ticket.attributes
        if !options.isEmpty { message.groups.append(AttributeGroup(.job, options)) }
        return message
    }

    /// Returns the Send-Document request for the document with the given zero-based index.
    func sending(_ index: Int, to job: Int, user: String) -> Message {
        let place = [
            Attribute("printq-document-number", .integer(Int32(clamping: index + 1))),
            Attribute("last-document", .boolean(index == documents.count - 1)),
        ]
        return .request(.sendDocument, job: job, user: user, attributes: documentAttributes(index) + place)
    }

    private func documentAttributes(_ index: Int) -> [Attribute] {
        documents[index].attributes + .password(documentPassword)
    }
}

/// A request to print a job again.
///
///     var reprint = JobReprint(job: 7)
///     reprint.ticket.pageRanges = try PageRanges("2-3")
///     let id = try await spooler.reprint(reprint)
public struct JobReprint: Sendable {
    /// The number of the job that is printed again.
    public var job: Int
    /// The printer's name; nil means the printer of the original job.
    public var printer: String?
    /// The new job's name; nil means the name of the original job.
    public var title: String?
    /// The options that override the options of the original job.
    public var ticket = JobTicket()
    /// The first side to print, counted from 1 over all copies; nil means the whole job.
    public var from: Int?
    /// The password of the encrypted documents, which printd no longer has.
    public var documentPassword: String?
    /// The unique ID of the submission.
    ///
    /// The ID prevents a second job if the request is repeated.
    package var id: String

    /// Creates a request to print the whole job again.
    public init(job: Int) { self.init(job: job, id: UUID().uuidString) }

    package init(job: Int, id: String) {
        self.job = job
        self.id = id
    }

    /// Whether the reprint differs from the original job in any property.
    package var changesSomething: Bool {
        printer != nil || title != nil || from != nil || documentPassword != nil || ticket != JobTicket()
    }

    /// Returns the Resubmit-Job request for the reprint.
    package func request(user: String) -> Message {
        var attributes = [Attribute("printq-submission-id", .name(id))] + ticket.demands
        if let printer { attributes.append(.destination(printer)) }
        if let title { attributes.append(Attribute("job-name", .name(title))) }
        if let from { attributes.append(.resumeFrom(from)) }
        attributes += .password(documentPassword)
        var message = Message.request(.resubmitJob, job: job, user: user, attributes: attributes)
        let options = ticket.attributes
        if !options.isEmpty { message.groups.append(AttributeGroup(.job, options)) }
        return message
    }
}

extension JobTicket {
    /// The attributes that require printd to apply all options of the ticket: `job-mandatory-attributes` (PWG 5100.7)
    /// and `ipp-attribute-fidelity`.
    ///
    /// With these attributes, printd rejects a request with an unsupported option. Otherwise printd would print the job
    /// without the option.
    fileprivate var demands: [Attribute] {
        var demands: [Attribute] = []
        let names = attributes.map(\.name)
        if !names.isEmpty { demands.append(Attribute("job-mandatory-attributes", names.map { .keyword($0) })) }
        if requiresFidelity == true { demands.append(Attribute("ipp-attribute-fidelity", .boolean(true))) }
        return demands
    }
}

extension Attribute {
    /// Returns the attribute for the first side of a resumed job (`printq-resume-from`).
    package static func resumeFrom(_ impression: Int) -> Attribute {
        Attribute("printq-resume-from", .integer(Int32(clamping: impression)))
    }

    /// Returns the attribute for the destination printer of a job (`job-printer-uri`).
    package static func destination(_ printer: String) -> Attribute {
        Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(printer)"))
    }
}

extension [Attribute] {
    /// Returns the attribute for the PIN of a job (`job-password`); empty for no PIN.
    static func pin(_ pin: String?) -> [Attribute] {
        pin.map { [Attribute("job-password", .octetString([UInt8]($0.utf8)))] } ?? []
    }

    /// Returns the attribute for the password of a document (`document-password`); empty for no password.
    fileprivate static func password(_ password: String?) -> [Attribute] {
        password.map { [Attribute("document-password", .octetString([UInt8]($0.utf8)))] } ?? []
    }
}

extension DocumentFile {
    fileprivate var attributes: [Attribute] {
        [
            Attribute("document-name", .name(name)),
            Attribute("document-format", .mimeMediaType(format.rawValue)),
        ]
    }
}

extension HoldUntil {
    /// The Hold-Job attributes that set the hold time (`job-hold-until`, `job-hold-until-time`).
    package var attributes: [Attribute] {
        var ticket = JobTicket()
        ticket.holdUntil = self
        return ticket.attributes
    }
}
