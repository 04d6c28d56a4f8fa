// Formats the details of a job for `printq show`.

package import IPP
package import PrintModel
import SpoolerClient

/// The output of `printq show`.
package struct JobDetails: Sendable {
    private let job: JobView
    private let group: AttributeGroup

    /// The attributes to request.
    package static let attributeNames = [
        "all", "printq-why", "printq-output-folder", "printq-output-file", "printq-resume-from", "printq-resume-words",
        "printq-copies", "printq-current-copy", "printq-moved-from",
        "printq-documents-kept", "printq-job-events",
    ]

    /// Creates the details of the job with these attributes.
    package init(_ group: AttributeGroup) {
        self.group = group
        job = JobView(group)
    }

    /// Returns the details, one per line, each with its name.
    package func text(now: UnixTime) -> String {
        var lines = [("job", "\(job.id): \(job.name)"), ("printer", job.printer), ("owner", job.owner)]
        lines.append(("state", job.stateWords(now: now)))
        let words = job.why.isEmpty ? job.message : job.why
        if !words.isEmpty { lines.append(("", words)) }
        if !job.reasons.isEmpty { lines.append(("reasons", job.reasons.joined(separator: ", "))) }
        if !job.pages.isEmpty { lines.append(("pages", pages)) }
        if let parent = group.integer("parent-job-id") { lines.append(("reprint of", "\(parent)")) }
        if let printer = group.string("printq-moved-from") { lines.append(("moved from", printer)) }
        if job.resumeFrom != nil { lines.append(("continued with", job.resumeWords)) }
        for (title, moment) in [("submitted", job.createdAt), ("ended", job.completedAt)] {
            if let moment { lines.append((title, LocalTime.long(moment))) }
        }
        if let format = group.string("document-format") { lines.append(("format", format)) }
        lines += options
        if let output = job.outputFolder ?? job.outputFile { lines.append(("output", output)) }
        if !commands.isEmpty { lines.append(("commands", commands.joined(separator: ", "))) }
        for (index, event) in group.strings("printq-job-events").enumerated() {
            lines.append((index == 0 ? "events" : "", Self.withLocalTime(event)))
        }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { title, value in
            title + String(repeating: " ", count: width - title.count + 2) + value.printable + "\n"
        }.joined()
    }

    /// The commands that apply to the job in its current state, the most useful command first.
    private var commands: [String] {
        let names: [String] =
            switch job.state {
            case .pending?, .pendingHeld?:
                (job.heldUntil != nil || isHeld ? ["release"] : ["hold"]) + ["move", "cancel"]
            case .processing?: job.reasons.contains("processing-to-stop-point") ? [] : ["cancel"]
            case .processingStopped?: job.isSuspended ? ["resume", "reprint", "move", "cancel"] : ["cancel"]
            case .canceled?, .aborted?, .completed?: group.boolean("printq-documents-kept") == true ? ["reprint"] : []
            case nil: []
            }
        return names.map { "printq \($0) \(job.id)" + ($0 == "move" ? " PRINTER" : "") }
    }

    private var isHeld: Bool { job.reasons.contains("job-hold-until-specified") }

    /// Replaces the timestamp in `@1700000000 printed` by the local time.
    private static func withLocalTime(_ event: String) -> String {
        let parts = event.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("@"), let moment = UnixTime(parts[0].dropFirst()) else {
            return event
        }
        return "\(LocalTime.long(moment))  \(parts[1])"
    }

    /// The progress in pages, such as `2 of 5 printed, on 1 sheet`.
    ///
    /// With copies or several pages per side: `2 of 5 printed, copy 2 of 3, 7 sides on 4 sheets`.
    private var pages: String {
        let sheets = job.sheetsCompleted == 1 ? "1 sheet" : "\(job.sheetsCompleted) sheets"
        guard let progress = job.pageProgress else { return "\(job.impressionsCompleted) printed, on \(sheets)" }
        let printed = "\(progress.completed) of \(progress.pages) printed"
        guard progress.completed != job.impressionsCompleted else { return "\(printed), on \(sheets)" }
        let copy = progress.copies > 1 ? ", copy \(progress.copy) of \(progress.copies)" : ""
        let sides = job.impressionsCompleted == 1 ? "1 side" : "\(job.impressionsCompleted) sides"
        return "\(printed)\(copy), \(sides) on \(sheets)"
    }

    /// The options of the job, in the order of the table of options.
    private var options: [(String, String)] {
        let ticket = JobDetails.ticket(of: group)
        return PrintOption.all.compactMap { option in
            // The state shows the hold, and a priority of 50 is the default.
            guard option.name != "job-hold-until", let value = option.value(in: ticket),
                (option.name, value) != ("job-priority", "50")
            else { return nil }
            return (option.name, Int(value).map(option.word(for:)) ?? value)
        }
    }
}
