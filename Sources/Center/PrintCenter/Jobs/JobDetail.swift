// The detail of a job in the JSON API.

import IPP
import PrintIPP
import PrintModel
package import PrintqOutput
import SpoolerClient

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
        if let index = members.firstIndex(where: { $0.name == "why" }), !summary.view.why.isEmpty {
            members[index].value = .string(summary.view.why)
        }
        members += [
            ("condition", JobCondition(attributes: group)?.json ?? .null),
            ("next", .optional(next)),
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

    /// The word for a printed side in messages: `page` or `side`.
    ///
    /// The word is `page` if the job has one copy and one page per side.
    private var sideName: String {
        guard let progress = summary.view.progress else { return "side" }
        return progress.copies == 1 && progress.completed == summary.view.impressionsCompleted ? "page" : "side"
    }

    /// A sentence about the next step in the processing of the job; nil if no next step is known.
    private var next: String? {
        switch summary.phase {
        case .arriving: "The job starts when all documents have arrived."
        case .preparing: "After the preparation, the job is sent to \(summary.view.printer)."
        case .waiting:
            switch Int(group.integer("printq-jobs-before") ?? 0) {
            case 0: "The job is printed next on \(summary.view.printer)."
            case 1: "The job is printed after 1 other job."
            case let count: "The job is printed after \(count) other jobs."
            }
        case .retrying: "The job will soon be sent to \(summary.view.printer) again."
        case .stopped:
            summary.view.impressionsCompleted > 0
                ? "The job will continue with \(sideName) \(summary.view.impressionsCompleted + 1)."
                : "The job continues when the problem of the printer is solved."
        case .suspended: "Check the printed pages. Then resume, reprint or cancel the job."
        case .held: summary.view.heldUntil == nil ? "The job waits until a user releases it." : nil
        case .stopping: "The job ends when the printer stops printing the job."
        case .printing, .canceled, .completed, .failed: nil
        }
    }

    private var documents: [JSONText] {
        let documents = (group["printq-documents"]?.values ?? []).compactMap(\.collectionValue)
        let kept = group.boolean("printq-documents-kept") ?? false
        return documents.map { document in
            let members = AttributeGroup(.document, document.members)
            return .object([
                ("number", .number(Int(members.integer("document-number") ?? 0))),
                ("name", .optional(members.string("document-name")?.printable)),
                ("document-format", .optional(members.string("document-format"))),
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
