// IPP requests as printd takes them.

package import IPP
import PrintIPP
package import PrintModel

extension Message {
    /// A request about a printer, or about all of them.
    ///
    /// - Parameters:
    ///   - printer: its name; nil for the default one, or for all, as the operation has it.
    ///   - job: the number of the job it is about.
    ///   - user: who asks (`requesting-user-name`).
    ///   - attributes: further operation attributes.
    ///   - requested: the attributes wanted in the answer; nil leaves it to printd.
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

/// A job to be made.
package struct JobSubmission: Sendable {
    /// The printer's name; nil for the default one.
    package var printer: String?
    /// The job's name; nil for the first document's.
    package var title: String?
    /// The options.
    package var ticket = JobTicket()
    /// The documents, one or more.
    package var documents: [DocumentFile]
    /// What the submission is called, so that repeating it makes no second job.
    package var id: String

    /// A submission of the given documents.
    package init(documents: [DocumentFile], id: String) {
        self.documents = documents
        self.id = id
    }

    /// Print-Job for one document, Create-Job for several.
    func creation(user: String) -> Message {
        var attributes = [
            Attribute("job-name", .name(title ?? documents.first?.name ?? "Untitled")),
            Attribute("printq-submission-id", .name(id)),
        ]
        attributes += ticket.demands
        let isWhole = documents.count == 1
        if isWhole { attributes += documents[0].attributes }
        var message = Message.request(
            isWhole ? .printJob : .createJob, printer: printer, user: user, attributes: attributes)
        let options = ticket.attributes
        if !options.isEmpty { message.groups.append(AttributeGroup(.job, options)) }
        return message
    }

    /// Send-Document for one of several documents.
    func sending(_ index: Int, to job: Int, user: String) -> Message {
        let last = Attribute("last-document", .boolean(index == documents.count - 1))
        return .request(.sendDocument, job: job, user: user, attributes: documents[index].attributes + [last])
    }
}

/// A job to be printed once more.
package struct JobReprint: Sendable {
    /// The number of the job.
    package var job: Int
    /// The printer's name; nil for the same one.
    package var printer: String?
    /// The new job's name; nil for the same one.
    package var title: String?
    /// The options that are to be others.
    package var ticket = JobTicket()
    /// The side to begin with, counted over all copies from 1; nil for all of it.
    package var from: Int?
    /// What the submission is called, so that repeating it makes no second job.
    package var id: String

    /// A job to be printed once more.
    package init(job: Int, id: String) {
        self.job = job
        self.id = id
    }

    /// Whether anything is to be other than it was.
    package var changesSomething: Bool { printer != nil || title != nil || from != nil || ticket != JobTicket() }

    /// Resubmit-Job.
    package func request(user: String) -> Message {
        var attributes = [Attribute("printq-submission-id", .name(id))] + ticket.demands
        if let printer { attributes.append(.destination(printer)) }
        if let title { attributes.append(Attribute("job-name", .name(title))) }
        if let from { attributes.append(.resumeFrom(from)) }
        var message = Message.request(.resubmitJob, job: job, user: user, attributes: attributes)
        let options = ticket.attributes
        if !options.isEmpty { message.groups.append(AttributeGroup(.job, options)) }
        return message
    }
}

extension JobTicket {
    /// What the printer must not replace: every option that the ticket sets (`job-mandatory-attributes`, PWG 5100.7), so
    /// that an option which the printer does not support is an error and no surprise on paper.
    fileprivate var demands: [Attribute] {
        var demands: [Attribute] = []
        let names = attributes.map(\.name)
        if !names.isEmpty { demands.append(Attribute("job-mandatory-attributes", names.map { .keyword($0) })) }
        if requiresFidelity == true { demands.append(Attribute("ipp-attribute-fidelity", .boolean(true))) }
        return demands
    }
}

extension Attribute {
    /// The side a job goes on from (`printq-resume-from`).
    package static func resumeFrom(_ impression: Int) -> Attribute {
        Attribute("printq-resume-from", .integer(Int32(clamping: impression)))
    }

    /// The printer a job goes to (`job-printer-uri`).
    package static func destination(_ printer: String) -> Attribute {
        Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(printer)"))
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
    /// What Hold-Job says of the time (`job-hold-until`, `job-hold-until-time`).
    package var attributes: [Attribute] {
        var ticket = JobTicket()
        ticket.holdUntil = self
        return ticket.attributes
    }
}
