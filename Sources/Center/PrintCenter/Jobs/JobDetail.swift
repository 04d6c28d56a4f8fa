// The detail of a job in the JSON API.

import IPP
import PrintIPP
import PrintModel
package import SpoolerClient

/// A job with its documents, options and timeline.
struct JobDetail: Sendable {
    private let summary: JobSummary
    private let group: AttributeGroup

    /// The names of the job attributes to request for the details of a job.
    static let attributeNames =
        JobSummary.attributeNames + [
            "all", "printq-why", JobCondition.attributeName, "printq-output-folder", "printq-output-file",
            "printq-moved-from", "printq-warnings", "printq-documents", "printq-timeline",
        ]

    init(_ summary: JobSummary) { (self.summary, group) = (summary, summary.group) }

    /// The job as a JSON object with all members.
    var json: JSONText {
        var members = summary.members
        members += [
            ("why", .optional(summary.view.why.isEmpty ? nil : summary.view.why)),
            ("condition", JobCondition(attributes: group)?.json ?? .null),
            ("reprint-of", .optional(group.integer("parent-job-id").map(Int.init))),
            ("moved-from", .optional(group.string("printq-moved-from"))),
            ("resume-from", .optional(summary.view.resumeFrom)),
            ("documents", .array(documents)),
            ("options", .array(options)),
            ("paper", paper ?? .null),
            ("warnings", .strings(group.strings("printq-warnings").map(\.printable))),
            ("timeline", .array(timeline)),
            ("output", output ?? .null),
        ]
        return .object(members)
    }

    private var documents: [JSONText] {
        let documents = (group["printq-documents"]?.values ?? []).compactMap(\.collectionValue)
        let kept = group.boolean("printq-documents-kept") ?? false
        return documents.map { document in
            let members = AttributeGroup(.document, document.members)
            let format = members.string("document-format").map { DocumentFormat(rawValue: $0) }
            return .object([
                ("number", .number(Int(members.integer("document-number") ?? 0))),
                ("name", .optional(members.string("document-name")?.printable)),
                ("document-format", .optional(format?.rawValue)),
                ("type", .optional(format.flatMap { DocumentTypes.builtIn.type(for: $0) }?.name)),
                ("size", .optional(members.integer("printq-octets").map(Int.init))),
                // The spool stores the number of pages of the whole job.
                ("pages", documents.count == 1 ? .optional(summary.view.progress?.pages) : .null),
                ("kept", .bool(kept)),
            ])
        }
    }

    private var ticket: JobTicket {
        let names = Set(PrintOption.all.map(\.name) + ["media-col"])
        return JobTicket.read(group.attributes.filter { names.contains($0.name) }, at: 0).ticket
    }

    private var options: [JSONText] {
        let ticket = ticket
        return PrintOption.all.compactMap { option in
            // The phase shows the hold, and a priority of 50 is the default.
            guard option.name != "job-hold-until", let value = option.value(in: ticket),
                (option.name, value) != ("job-priority", "50")
            else { return nil }
            let word = Int(value).map(option.word(for:)) ?? value
            return .object([
                ("name", .string(option.name)), ("label", .string(OptionForm.label(of: option.name))),
                ("value", .string(word.printable)),
            ])
        }
    }

    private var paper: JSONText? {
        guard !summary.isWithheld,
            let media = ticket.media ?? summary.printer?.defaultMedia.flatMap({ Media(name: $0) })
        else { return nil }
        return .object([
            ("name", .string(media.name)), ("label", .string(media.localizedName)),
            ("width", .points(media.width.points)), ("height", .points(media.height.points)),
        ])
    }

    private var timeline: [JSONText] {
        (group["printq-timeline"]?.values ?? []).compactMap(\.collectionValue).map { event in
            let event = AttributeGroup(.eventNotification, event.members)
            let kind = event.string("printq-timeline-kind").flatMap(TimelineKind.init) ?? .changed
            return .object([
                ("number", .number(Int(event.integer("printq-event-number") ?? 0))),
                ("time", .time(event.integer("printer-up-time").map(Double.init))),
                ("kind", .string(kind.rawValue)),
                ("page", .optional(event.integer("printq-page").map(Int.init))),
                ("pages", .optional(event.integer("job-pages").map(Int.init))),
                ("text", .string((event.string("notify-text") ?? "").printable)),
            ])
        }
    }

    private var output: JSONText? {
        let (folder, file) = (summary.view.outputFolder, summary.view.outputFile)
        guard folder != nil || file != nil else { return nil }
        return .object([("folder", .optional(folder)), ("file", .optional(file))])
    }
}

extension JSONText {
    /// Returns a length in points as a JSON number, rounded to one decimal place.
    package static func points(_ length: Double) -> JSONText { .decimal((length * 10).rounded() / 10) }
}
