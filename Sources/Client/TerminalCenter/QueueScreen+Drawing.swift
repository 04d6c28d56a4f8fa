// Draws the terminal Print Center as lines.

package import PrintModel
package import SpoolerClient

extension QueueScreen {
    /// The number of rows of the pane for the selected job, excluding the border; 0 if the terminal is too small.
    ///
    /// The pane is below the list.
    var paneRows: Int { size.rows >= 18 ? min(9, size.rows / 3) : 0 }

    /// The number of rows of the list.
    var listRows: Int { max(1, size.rows - 4 - (paneRows > 0 ? paneRows + 1 : 0)) }

    /// The number of rows for the details of a job if the details fill the whole screen.
    var detailsRows: Int { max(1, size.rows - 5) }

    package func lines(now: UnixTime) -> [StyledLine] {
        var lines: [StyledLine]
        switch mode {
        case .list, .search, .confirm, .move: lines = listLines(now: now)
        case .form(let form): lines = form.lines(width: size.columns)
        case .printers, .moveJobs: lines = printerLines
        case .details: lines = wholeDetails(now: now)
        case .why: lines = message(title: "Why", details?.job.why ?? selectedJob?.message ?? "", now: now)
        case .keys: lines = keyLines
        }
        let body = size.rows - 2
        lines = Array(lines.prefix(body))
        lines += Array(repeating: StyledLine(), count: max(0, body - lines.count))
        return lines + [rule, footer]
    }

    var rule: StyledLine { StyledLine(String(repeating: "─", count: size.columns), .faint) }

    // MARK: List

    private func listLines(now: UnixTime) -> [StyledLine] {
        let columns = ListColumns(listing.jobs[visible], width: size.columns)
        var lines = [heading(now: now), columns.heading(ended: section == .ended)]
        let waiting = QueueCount(listing.jobs.prefix(top))
        var counts = waiting
        for job in listing.jobs[visible] {
            var line = columns.line(
                job, isMarked: marks.contains(job.id),
                state: stateText(job, before: counts.jobsBefore(job), now: now), now: now)
            line.isSelected = job.id == selection
            lines.append(line)
            counts.add(job)
        }
        if listing.jobs.isEmpty { lines.append(StyledLine("  " + emptyText, .faint)) }
        lines += Array(repeating: StyledLine(), count: max(0, listRows + 2 - lines.count))
        if paneRows > 0 { lines += [rule] + pane(now: now) }
        return lines
    }

    private var visible: Range<Int> {
        let first = min(top, listing.jobs.count)
        return first..<min(listing.jobs.count, first + listRows)
    }

    private var emptyText: String {
        if !isLoaded { return "loading …" }
        if !query.isEmpty { return "no job matches \"\(query)\"" }
        return section == .queue ? "no jobs" : "no job has ended yet"
    }

    private func heading(now: UnixTime) -> StyledLine {
        var line = StyledLine("Print Center", .strong)
        let attention = listing.jobs.count { $0.needsAttention }
        let count = query.isEmpty ? listing.count ?? listing.jobs.count : listing.jobs.count
        let more = listing.isComplete || listing.count != nil ? "" : "+"
        let what = !query.isEmpty ? "matching \"\(query)\"" : section == .queue ? "in the queue" : "ended"
        line.append("   \(count)\(more) \(what)", .faint)
        if section == .queue, attention > 0 {
            line.append(", \(attention) need\(attention == 1 ? "s" : "") attention", .attention)
        }
        if !marks.isEmpty { line.append(", \(marks.count) marked", .accent) }
        let clock = (isLive ? "live " : "reconnecting ") + LocalTime.short(now, now: now)
        line = line.truncated(to: max(0, size.columns - clock.columns - 1))
        line.pad(to: size.columns - clock.columns)
        line.append(clock, isLive ? .faint : .attention)
        return line
    }

    /// Returns the state of a job as a short text, and the style of the text.
    ///
    /// - Parameter before: The number of jobs ahead of the job at the same printer; nil if unknown.
    private func stateText(_ job: JobView, before: Int?, now: UnixTime) -> (String, TerminalStyle) {
        let words = job.stateText(now: now)
        switch job.state {
        case .processing?:
            guard job.phase == .printing, let progress = job.pageProgress else { return (words, .accent) }
            return ("\(progress.completed) of \(progress.pages)", .accent)
        case .processingStopped?: return (job.message.isEmpty ? words : job.message, .attention)
        case .pending?:
            if job.needsAttention { return (job.message.isEmpty ? "retrying" : job.message, .attention) }
            guard let before, query.isEmpty else { return (words, .faint) }
            return (before == 0 ? "next" : before == 1 ? "1 job before" : "\(before) jobs before", .faint)
        case .pendingHeld?:
            let until = job.phase == .held ? job.heldUntil : nil
            return (until.map { "until \(LocalTime.short($0, now: now))" } ?? words, .faint)
        case .aborted?: return ("failed", .failure)
        default: return (words, .faint)
        }
    }

    // MARK: Selected job

    /// Returns the lines of the pane for the selected job.
    private func pane(now: UnixTime) -> [StyledLine] {
        guard let job = selectedJob else { return [] }
        var title = StyledLine(job.name, .strong)
        title.append("   job \(job.id), \(job.owner), \(job.printer)", .faint)
        var lines = [title]
        let details = details.flatMap { $0.job.id == job.id ? $0 : nil }
        let why = details?.job.why ?? ""
        let text = why.isEmpty ? job.message.isEmpty ? job.stateText(now: now) : job.message : why
        lines += text.wrapped(to: size.columns, lines: 2).map { StyledLine($0, job.style) }
        if let progress = job.pageProgress, job.impressionsCompleted > 0 { lines.append(progressLine(progress, job)) }
        guard let events = details?.events, paneRows > lines.count + 1 else { return lines }
        return lines + [StyledLine()] + events.suffix(paneRows - lines.count - 1).map { StyledLine($0, .faint) }
    }

    private func progressLine(_ progress: PageProgress, _ job: JobView) -> StyledLine {
        let width = max(10, min(40, size.columns / 2))
        let done = progress.pages > 0 ? width * min(progress.completed, progress.pages) / progress.pages : 0
        var line = StyledLine(String(repeating: "█", count: done), .accent)
        line.append(String(repeating: "░", count: width - done), .faint)
        let copy = progress.copies > 1 ? ", copy \(progress.copy) of \(progress.copies)" : ""
        let sheets = job.sheetsCompleted == 1 ? "1 sheet" : "\(job.sheetsCompleted) sheets"
        line.append("  \(progress.completed) of \(progress.pages) pages\(copy), \(sheets)", .faint)
        return line
    }

    /// The lines of the selected job's details.
    ///
    /// A line that is too long is wrapped.
    var detailsLines: [StyledLine] {
        guard let details, details.job.id == selection else { return [StyledLine("loading …", .faint)] }
        let events = details.events.isEmpty ? [] : [StyledLine(), StyledLine("Timeline", .strong)]
        return details.lines.flatMap { line in
            line.wrapped(to: size.columns, lines: 20, indentation: details.indentation).map { StyledLine($0) }
        } + events
            + details.events.flatMap { line in
                line.wrapped(to: size.columns, lines: 5, indentation: 10).map { StyledLine($0) }
            }
    }

    private func wholeDetails(now: UnixTime) -> [StyledLine] {
        guard let job = selectedJob else { return [StyledLine("the job no longer exists", .faint)] }
        var title = StyledLine(job.name, .strong)
        title.append("   job \(job.id)" + (mode == .details(follows: true) ? ", following" : ""), .faint)
        let state = stateText(job, before: nil, now: now)
        var line = StyledLine(state.0, state.1)
        if let progress = job.pageProgress, job.impressionsCompleted > 0 { line = progressLine(progress, job) }
        return [title, line, StyledLine()] + detailsLines.dropFirst(detailsTop).prefix(detailsRows)
    }

    private func message(title: String, _ text: String, now: UnixTime) -> [StyledLine] {
        guard let job = selectedJob else { return [] }
        var heading = StyledLine("\(title): \(job.name)", .strong)
        heading.append("   job \(job.id), \(job.owner), \(job.printer)", .faint)
        let words = text.isEmpty ? "job \(job.id) is \(job.stateText(now: now))" : text
        return [heading, StyledLine()]
            + words.wrapped(to: size.columns, lines: size.rows).map { StyledLine($0, job.style) }
    }
}

/// The widths of the list's columns, in characters.
///
/// The columns fit the width of the terminal.
private struct ListColumns {
    private var id: Int
    private var name: Int
    private var printer: Int
    private var owner: Int
    private var state: Int
    private static let time = 5

    init(_ jobs: ArraySlice<JobView>, width: Int) {
        id = max(4, jobs.map { "\($0.id)".count }.max() ?? 0)
        printer = width < 50 ? 0 : min(14, max(7, jobs.map(\.printer.columns).max() ?? 0))
        owner = width < 64 ? 0 : min(9, max(5, jobs.map(\.owner.columns).max() ?? 0))
        state = width < 100 ? 14 : min(40, 14 + (width - 100))
        let gaps = 2 * (3 + (printer > 0 ? 1 : 0) + (owner > 0 ? 1 : 0))
        name = max(8, width - 2 - id - printer - owner - state - Self.time - gaps)
    }

    func heading(ended: Bool) -> StyledLine {
        var line = StyledLine("  ")
        fill(&line, ["JOB", "NAME", "PRINTER", "OWNER", "STATE", ended ? "ENDED" : "TIME"], .faint, .faint)
        return line
    }

    func line(_ job: JobView, isMarked: Bool, state: (String, TerminalStyle), now: UnixTime) -> StyledLine {
        var line = StyledLine(job.mark, job.style)
        line.append(isMarked ? "*" : " ", .accent)
        let moment = job.completedAt ?? job.createdAt
        let time = moment.map { LocalTime.short($0, now: now) } ?? ""
        // Older jobs show the month and the day in place of the time.
        let shownTime = time.count > Self.time ? String(time.dropFirst(5).prefix(Self.time)) : time
        fill(&line, ["\(job.id)", job.name, job.printer, job.owner, state.0, shownTime], .plain, state.1)
        return line
    }

    private func fill(_ line: inout StyledLine, _ cells: [String], _ style: TerminalStyle, _ stateStyle: TerminalStyle)
    {
        let widths = [id, name, printer, owner, state, Self.time]
        for (index, (cell, width)) in zip(cells, widths).enumerated() where width > 0 {
            if index > 0 { line.append("  ") }
            let look: TerminalStyle = index == 4 ? stateStyle : index == 5 ? .faint : style
            line.append(cell, look, width: width, isRight: index == 0)
        }
    }
}

/// A counter of the waiting and printing jobs of each printer.
///
/// The caller adds the jobs in queue order. Before the caller adds a job, `jobsBefore(_:)` returns the number of jobs
/// ahead of this job.
private struct QueueCount {
    private var jobs: [String: Int] = [:]

    init(_ jobs: ArraySlice<JobView>) { for job in jobs { add(job) } }

    mutating func add(_ job: JobView) {
        if !job.hasEnded, job.state != .pendingHeld { jobs[job.printer, default: 0] += 1 }
    }

    func jobsBefore(_ job: JobView) -> Int { job.jobsBefore ?? jobs[job.printer] ?? 0 }
}

extension JobView {
    /// Whether the job has stopped, was aborted, or is waiting because of a problem that the state message describes.
    package var needsAttention: Bool {
        state == .processingStopped || state == .aborted || state == .pending && !message.isEmpty
    }

    /// A character that shows the job's state on terminals without colors.
    fileprivate var mark: String {
        switch state {
        case .processing?: "▶"
        case .pendingHeld?: "h"
        case .completed?: "✓"
        case .canceled?: "×"
        case .aborted?: "!"
        default: needsAttention ? "!" : "·"
        }
    }

    fileprivate var style: TerminalStyle {
        switch state {
        case .processing?: .accent
        case .aborted?: .failure
        default: needsAttention ? .attention : .faint
        }
    }
}

extension String {
    /// Returns the text in lines of at most the given width, wrapped at spaces.
    ///
    /// Lines after the first line have the given indentation. If the text needs more than `most` lines, the last line
    /// is truncated.
    func wrapped(to width: Int, lines most: Int, indentation: Int = 0) -> [String] {
        let indent = String(repeating: " ", count: min(indentation, width / 2))
        var lines: [String] = []
        var line = ""
        var isEmpty = true
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let longer = isEmpty ? line + word : "\(line) \(word)"
            if isEmpty || longer.columns <= width || lines.count == most - 1 {
                line = longer
            } else {
                lines.append(line)
                line = indent + word
            }
            isEmpty = false
        }
        return (lines + [line]).map { $0.truncated(to: width) }
    }
}
