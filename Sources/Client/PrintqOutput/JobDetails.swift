// Formats the details of a job for `printq show`.

package import IPP
import PrintIPP
package import PrintModel
import SpoolerClient

/// The details of a job, in the format of `printq show`.
package struct JobDetails: Sendable {
    private let job: JobView
    private let details: DetailedJob
    private let group: AttributeGroup

    private static let names = [
        "all", "printq-why", JobCondition.attributeName, "printq-output-folder", "printq-output-file",
        "printq-resume-from", "printq-resume-words", "printq-copies", "printq-current-copy", "printq-moved-from",
        "printq-documents-kept", "printq-password-deleted",
    ]
    /// The job attributes to request from printd for the text.
    package static let attributeNames = names + ["printq-timeline"]
    /// The job attributes to request for `printq show --json`.
    package static let jsonNames = names + ["printq-job-events", "printq-output-files"]

    package init(_ group: AttributeGroup) {
        self.group = group
        details = DetailedJob(group)
        job = details.job
    }

    /// Returns the details of the job.
    ///
    /// Each detail is on a separate line with its name.
    ///
    /// - Parameter hasEvents: Whether the text ends with the events of the job.
    package func text(now: UnixTime, hasEvents: Bool = true) -> String {
        var lines = [("job", "\(job.id): \(job.name)"), ("printer", job.printer), ("owner", job.owner)]
        lines.append(("state", job.stateText(now: now)))
        if !job.explanation.isEmpty { lines.append(("", job.explanation)) }
        if !job.reasons.isEmpty { lines.append(("reasons", job.reasons.joined(separator: ", "))) }
        if !job.pages.isEmpty { lines.append(("pages", pages)) }
        if let parent = details.reprintOf { lines.append(("reprint of", "\(parent)")) }
        if let printer = details.movedFrom { lines.append(("moved from", printer)) }
        if job.resumeFrom != nil { lines.append(("continued with", job.resumeText)) }
        for (title, moment) in [("submitted", job.createdAt), ("ended", job.completedAt)] {
            if let moment { lines.append((title, LocalTime.long(moment))) }
        }
        if let format = group.string("document-format") { lines.append(("format", format)) }
        lines += options
        if let output = job.outputFolder ?? job.outputFile { lines.append(("output", output)) }
        if !commands.isEmpty { lines.append(("commands", commands.joined(separator: ", "))) }
        for (index, event) in details.timeline.enumerated() where hasEvents {
            let text = event.text.isEmpty ? "" : ": \(event.text)"
            let time = LocalTime.long(event.time ?? 0)
            lines.append((index == 0 ? "events" : "", "\(time)  \(event.keyword)\(text)"))
        }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { title, value in
            title + String(repeating: " ", count: width - title.count + 2) + value.printable + "\n"
        }.joined()
    }

    /// Returns the events as lines, oldest first.
    ///
    /// Each line consists of the local time and a sentence: `09:41:04  Printed page 1 of 5`.
    package func events(now: UnixTime) -> [String] {
        details.timeline.map { event in
            let sentence = event.kind.sentence(page: event.page, of: event.pages, text: event.text)
            return "\(LocalTime.precise(event.time ?? 0, now: now))  \(sentence)"
        }
    }

    /// The options of the job.
    package var ticket: JobTicket { details.ticket }

    /// The commands that apply to the job in its current state, and the commands for its printer and its hosts.
    ///
    /// The remedies for the printer and the hosts come first.
    private var commands: [String] {
        let remedies = details.condition?.remedies.filter { $0.job == nil } ?? []
        return remedies.compactMap(\.command) + jobCommands
    }

    private var jobCommands: [String] {
        let names: [String] =
            switch job.state {
            case .pending?, .pendingHeld?:
                (job.heldUntil != nil || isHeld ? ["release"] : ["hold"]) + ["move", "cancel"]
            case .processing?: job.reasons.contains("processing-to-stop-point") ? [] : ["cancel"]
            case .processingStopped?: job.isSuspended ? ["resume", "reprint", "move", "cancel"] : ["cancel"]
            case .canceled?, .aborted?, .completed?: details.keepsDocuments ? ["reprint"] : []
            case nil: []
            }
        return names.map { name in
            let rest =
                switch name {
                case "move": " PRINTER"
                case "reprint" where group.boolean("printq-password-deleted") == true: " --password"
                default: ""
                }
            return "printq \(name) \(job.id)\(rest)"
        }
    }

    private var isHeld: Bool { job.reasons.contains("job-hold-until-specified") }

    /// The progress in pages, such as `2 of 5 printed, on 1 sheet`.
    ///
    /// If the job has several copies or several pages per side, the text has more details:
    /// `2 of 5 printed, copy 2 of 3, 7 sides on 4 sheets`.
    private var pages: String {
        let sheets = job.sheetsCompleted == 1 ? "1 sheet" : "\(job.sheetsCompleted) sheets"
        guard let progress = job.pageProgress else { return "\(job.impressionsCompleted) printed, on \(sheets)" }
        let printed = "\(progress.completed) of \(progress.pages) printed"
        guard progress.completed != job.impressionsCompleted else { return "\(printed), on \(sheets)" }
        let copy = progress.copies > 1 ? ", copy \(progress.copy) of \(progress.copies)" : ""
        let sides = job.impressionsCompleted == 1 ? "1 side" : "\(job.impressionsCompleted) sides"
        return "\(printed)\(copy), \(sides) on \(sheets)"
    }

    /// The options of the job, in the order of `PrintOption.all`.
    private var options: [(String, String)] {
        PrintOption.all.compactMap { option in
            // The state shows the hold, and a priority of 50 is the default.
            guard option.name != "job-hold-until", let value = option.value(in: details.ticket),
                (option.name, value) != ("job-priority", "50")
            else { return nil }
            return (option.name, Int(value).map(option.word(for:)) ?? value)
        }
    }
}

extension TimelineKind {
    /// Returns the event as a sentence for people.
    ///
    /// - Parameters:
    ///   - page: The number of the page in progress; nil if unknown.
    ///   - text: The text of the event; empty if the event has no text.
    func sentence(page: Int?, of pages: Int?, text: String) -> String {
        let words =
            switch self {
            case .accepted: "Accepted"
            case .preparing: "Preparing the pages"
            case .prepared: pages.map { "Prepared \($0) page\($0 == 1 ? "" : "s")" } ?? "Prepared"
            case .sent: "Sent to the printer"
            case .started: "Printing started"
            case .page: page.map { "Printed page \($0)" + (pages.map { " of \($0)" } ?? "") } ?? "Printed a page"
            case .stopped: "Stopped"
            case .suspended: "Suspended"
            case .held: "Held"
            case .released: "Released"
            case .retrying: "Waiting for another attempt"
            case .stopping: "Stopping"
            case .changed: "Changed"
            case .completed: "Completed"
            case .canceled: "Canceled"
            case .failed: "Failed"
            }
        return text.isEmpty || self == .page ? words : "\(words): \(text)"
    }
}
