// Formats the state of a spool as one screen for `printq status`.

import IPP
import PrintIPP
package import PrintModel
package import PrintqOutput
import SpoolerClient

extension SpoolStatus {
    /// Returns the status as text of at most 23 lines.
    ///
    /// The text fits on a terminal of 24 lines.
    ///
    /// - Parameters:
    ///   - width: The maximum width of a line in columns; nil for no limit.
    ///   - now: The current time.
    ///   - times: The style of the times in the list of jobs: relative or absolute.
    package func screen(width: Int?, now: UnixTime, times: TimeStyle = .absolute) -> String {
        var lines = heading(now: now, width: width)
        lines += printerLines
        if !jobs.isEmpty { lines += [""] + jobLines(now: now, times: times) }
        if !errors.isEmpty { lines += errorLines(now: now) }
        return lines.map { (width.map($0.truncated) ?? $0) + "\n" }.joined()
    }

    /// The maximum numbers of lines in the sections of the status.
    private enum Most {
        static let addresses = 3
        static let printers = 4
        static let jobs = 2
        static let errors = 1
    }

    /// The width of the first column, in characters.
    private static let indentation = 12

    private static func line(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(0, indentation - name.count)) + value
    }

    // MARK: - Heading

    private func heading(now: UnixTime, width: Int?) -> [String] {
        let reason = selection.map { " (\($0))" } ?? ""
        var lines = [Self.line("spool", (server.string("printq-spool") ?? "").printable + reason)]
        lines.append(Self.line("printd", daemonText(now: now)))
        lines += addressLines
        if let problem = server.strings("printq-listening-problem").first {
            lines.append(Self.line("problem", problem.printable))
        }
        if let hosts = HostList(attributes: server) {
            lines.append(Self.line("hosts", hosts.summary(own: server.string("printq-host-name")).printable))
        }
        lines.append(Self.line("jobs", jobText))
        if let oldest { lines += Self.wrapped("oldest", oldestText(JobView(oldest), now: now), width: width) }
        if let disk { lines.append(Self.line("disk", disk.text)) }
        return lines
    }

    /// Returns the version, the process and the uptime of printd as text.
    private func daemonText(now: UnixTime) -> String {
        var words: [String] = []
        if let version = server.string("printq-version") { words.append("version \(version.printable)") }
        if let process = server.integer("printq-process") { words.append("process \(process)") }
        if let startTime {
            words.append(
                "running for \(Self.duration(now - startTime)) (since \(LocalTime.short(startTime, now: now)))")
        }
        return words.joined(separator: ", ")
    }

    private var addressLines: [String] {
        let isSecure = server.keywords("printq-listening-security").contains("tls")
        // The line of the hosts takes the place of an address.
        let most = Most.addresses - (server[HostList.hostsName] == nil ? 0 : 1)
        var values = addresses.prefix(most).enumerated().map { index, address in
            index == 0 ? address : address + (isSecure ? " (ipp: and ipps:)" : " (ipp:)")
        }
        if addresses.count < 2 {
            let center = server.string("printq-center-address").map { ", except \($0.printable) for the Print Center" }
            values.append("no TCP port" + (center ?? ""))
        }
        return values.enumerated().map { Self.line($0.offset == 0 ? "listens on" : "", $0.element) }
    }

    /// The number of jobs in each state as text, such as `2 printing, 14 waiting, 1 held`.
    private var jobText: String {
        let names = [
            "processing": "printing", "processing-stopped": "stopped", "pending": "waiting", "pending-held": "held",
        ]
        let order = ["processing", "processing-stopped", "pending", "pending-held"]
        var parts: [(Int, String)]
        if let counts {
            parts = order.map { state in (counts.first { $0.state == state }?.jobs ?? 0, names[state] ?? state) }
        } else {
            let views = jobs.map(JobView.init)
            let printing = views.count { $0.state == .processing }
            parts = [(printing, "printing"), (views.count - printing, "stopped"), (waitingJobs, "waiting or held")]
        }
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return words.isEmpty ? "none" : words
    }

    /// Returns a sentence about the oldest waiting job and the reason why the job is waiting: `job 3 on office has been
    /// waiting for 2 h: office is paused`.
    private func oldestText(_ job: JobView, now: UnixTime) -> String {
        let age = job.createdAt.map { " for \(Self.duration(now - $0))" } ?? ""
        return "job \(job.id) on \(job.printer.printable) has been waiting\(age)"
            + (job.explanation.isEmpty ? "" : ": \(job.explanation)")
    }

    /// Returns a name and a value as one line, or as two lines if the value is too long for the width.
    private static func wrapped(_ name: String, _ value: String, width: Int?) -> [String] {
        guard let width, indentation + value.columns > width, width > indentation + 20 else {
            return [line(name, value)]
        }
        var first = ""
        var rest = value.split(separator: " ")[...]
        while let word = rest.first, first.columns + word.count + 1 <= width - indentation {
            first += (first.isEmpty ? "" : " ") + word
            rest.removeFirst()
        }
        return [line(name, first), line("", rest.joined(separator: " "))]
    }

    /// Returns a duration in one or two units: `45 s`, `12 min`, `3 h 5 min`, `4 days`.
    static func duration(_ seconds: Double) -> String {
        let seconds = Int(max(0, min(seconds, 1e10)))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400:
            let minutes = seconds % 3600 / 60
            return "\(seconds / 3600) h" + (minutes > 0 ? " \(minutes) min" : "")
        case ..<172_800: return "1 day"
        default: return "\(seconds / 86_400) days"
        }
    }

    // MARK: - Printers

    /// The lines about printers: the number of printers in each state, followed by the printers that need attention.
    private var printerLines: [String] {
        let views = printers.map(PrinterView.init)
        guard !views.isEmpty else { return [Self.line("printers", "none; add a printer with 'printq printers add'")] }
        var counts: [(phase: PrinterView.Phase, printers: Int)] = []
        for view in views {
            if let index = counts.firstIndex(where: { $0.phase == view.phase }) {
                counts[index].printers += 1
            } else {
                counts.append((view.phase, 1))
            }
        }
        let states = counts.map { "\($0.printers) \($0.phase)" }.joined(separator: ", ")
        var lines = [Self.line("printers", "\(views.count): \(states)")]
        let troubled = views.filter { ![.ready, .printing].contains($0.phase) || !$0.alerts.isEmpty }
        // With one printer more than fits, the printer takes the line of the note.
        let shown = troubled.count <= Most.printers + 1 ? troubled[...] : troubled.prefix(Most.printers)
        var table = TextTable([.left(""), .left(""), .left("")])
        for printer in shown { table.add([printer.name, printer.phase.rawValue, printer.note]) }
        lines += table.text().split(separator: "\n").map { "  \($0)" }
        if shown.count < troubled.count {
            let more = troubled.count - shown.count
            lines.append("  … and \(more) more printers that need attention; see 'printq printers'")
        }
        return lines
    }

    // MARK: - Jobs

    private func jobLines(now: UnixTime, times: TimeStyle) -> [String] {
        let views = jobs.map(JobView.init)
        let shown = views.count <= Most.jobs + 1 ? views[...] : views.prefix(Most.jobs)
        var lines = Array(shown).table(now: now, times: times).text().split(separator: "\n").map(String.init)
        if shown.count < views.count { lines.append("… and more jobs in progress; see 'printq queue'") }
        return lines
    }

    private func errorLines(now: UnixTime) -> [String] {
        let shown = errors.prefix(Most.errors).map { group in
            let job = JobView(group)
            let time = job.completedAt.map { " at \(LocalTime.short($0, now: now))" } ?? ""
            return "job \(job.id) was aborted\(time)" + (job.message.isEmpty ? "" : ": \(job.message)")
        }
        let more = errors.count > Most.errors ? ["… and \(errors.count - Most.errors) more; see 'printq log'"] : []
        return (shown + more).enumerated().map { Self.line($0.offset == 0 ? "errors" : "", $0.element) }
    }
}
