// The detail of a job in the JSON API.

import PrintIPP
import PrintModel
package import SpoolerClient

/// A job with its documents, options and timeline.
struct JobDetail: Sendable {
    private let summary: JobSummary
    private let details: DetailedJob

    /// The names of the job attributes to request for the details of a job.
    static let attributeNames =
        JobSummary.attributeNames + [
            "all", "printq-why", JobCondition.attributeName, "printq-output-folder", "printq-output-file",
            "printq-moved-from", "printq-warnings", "printq-documents", "printq-timeline",
        ]

    init(_ summary: JobSummary) { (self.summary, details) = (summary, DetailedJob(summary.group)) }

    /// The job as a JSON object with all members.
    var json: JSONText {
        var members = summary.members
        members += [
            ("why", .optional(summary.view.why.isEmpty ? nil : summary.view.why)),
            ("condition", details.condition?.json ?? .null),
            ("reprint-of", .optional(details.reprintOf)),
            ("moved-from", .optional(details.movedFrom)),
            ("resume-from", .optional(summary.view.resumeFrom)),
            ("documents", .array(documents)),
            ("options", .array(options)),
            ("paper", paper ?? .null),
            ("warnings", .strings(details.warnings)),
            ("timeline", .array(timeline)),
            ("output", output ?? .null),
        ]
        return .object(members)
    }

    private var documents: [JSONText] {
        details.documents.map { document in
            .object([
                ("number", .number(document.number)), ("name", .optional(document.name)),
                ("document-format", .optional(document.format?.rawValue)),
                ("type", .optional(document.format.flatMap { DocumentTypes.builtIn.type(for: $0) }?.name)),
                ("size", .optional(document.size)),
                // The spool stores the number of pages of the whole job.
                ("pages", details.documents.count == 1 ? .optional(summary.view.progress?.pages) : .null),
                ("kept", .bool(details.keepsDocuments)),
            ])
        }
    }

    private var options: [JSONText] {
        PrintOption.all.compactMap { option in
            // The phase shows the hold, and a priority of 50 is the default.
            guard option.name != "job-hold-until", let value = option.value(in: details.ticket),
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
            let media = details.ticket.media ?? summary.printer?.defaultMedia.flatMap({ Media(name: $0) })
        else { return nil }
        return .object([
            ("name", .string(media.name)), ("label", .string(media.localizedName)),
            ("width", .points(media.width.points)), ("height", .points(media.height.points)),
        ])
    }

    private var timeline: [JSONText] {
        details.timeline.map { event in
            .object([
                ("number", .number(event.number)), ("time", .time(event.time)), ("kind", .string(event.kind.rawValue)),
                ("page", .optional(event.page)), ("pages", .optional(event.pages)), ("text", .string(event.text)),
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
