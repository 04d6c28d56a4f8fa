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
            "all", "printq-why", "printq-output-folder", "printq-output-file", "printq-moved-from", "printq-warnings",
            "printq-documents", "printq-timeline",
        ]

    /// Creates the details of a job.
    init(_ summary: JobSummary) { (self.summary, group) = (summary, summary.group) }

    /// The job as a JSON object with all members.
    var json: JSONText {
        var members = summary.members
        if let index = members.firstIndex(where: { $0.name == "why" }), !summary.view.why.isEmpty {
            members[index].value = .string(summary.view.why)
        }
        members += [
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
            return .object([
                ("number", .number(Int(event.integer("printq-event-number") ?? 0))),
                ("time", .time(event.integer("printer-up-time").map(Double.init))),
                ("kind", .string(TimelineKind(event).rawValue)),
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

/// The kind of an event in a job's timeline.
enum TimelineKind: String, Sendable, CaseIterable {
    case accepted, preparing, prepared, sent, started, page, stopped, suspended, held, released, retrying, stopping
    case changed, completed, canceled, failed

    /// Creates the kind of event from the IPP attributes of the event.
    init(_ event: AttributeGroup) {
        let kind = event.string("notify-subscribed-event") ?? ""
        let text = event.string("notify-text") ?? ""
        let reasons = event.keywords("job-state-reasons")
        let state = event.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
        switch (kind, state) {
        case ("job-created", _): self = .accepted
        case ("job-config-changed", _): self = .changed
        case ("job-progress", _): self = text.hasPrefix("Prepar") ? .prepared : .page
        case (_, .canceled?): self = .canceled
        case (_, .aborted?): self = .failed
        case (_, .completed?): self = .completed
        case (_, .pendingHeld?): self = .held
        case (_, .processingStopped?):
            self = reasons.contains("job-suspended") || text.contains("printq resume") ? .suspended : .stopped
        case (_, .processing?):
            if reasons.contains("processing-to-stop-point") || text.hasPrefix("Stopping") {
                self = .stopping
            } else if text.hasPrefix("Preparing") {
                self = .preparing
            } else {
                self = text.hasPrefix("Sending") ? .sent : .started
            }
        case (_, .pending?): self = text.hasPrefix("Released") || text.isEmpty ? .released : .retrying
        case (_, nil): self = .changed
        }
    }
}

extension JSONText {
    /// Returns a length in points as a JSON number, rounded to one decimal place.
    package static func points(_ length: Double) -> JSONText { .decimal((length * 10).rounded() / 10) }
}
