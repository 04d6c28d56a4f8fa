// Draws the printers, the questions and the list of keys of the terminal Print Center.

import SpoolerClient

extension QueueScreen {
    // MARK: Printers

    /// The lines of the printers.
    var printerLines: [StyledLine] {
        var lines = [StyledLine("Printers", .strong)]
        guard let printers else { return lines + [StyledLine("  loading …", .faint)] }
        guard !printers.isEmpty else { return lines + [StyledLine("  no printers", .faint)] }
        let width = min(20, printers.map(\.name.columns).max() ?? 0)
        var heading = StyledLine("  ")
        for (title, columns) in [("PRINTER", max(7, width)), ("STATE", 9), ("ACCEPTS", 8), ("JOBS", 6)] {
            heading.append(title, .faint, width: columns + 2)
        }
        lines.append(heading)
        for printer in printers {
            let needsAttention = [.stopped, .offline, .paused].contains(printer.phase)
            var line = StyledLine(printer.isDefault ? "* " : "  ", .accent)
            line.append(printer.name, width: max(7, width) + 2)
            line.append(printer.phase.rawValue, needsAttention ? .attention : .plain, width: 11)
            line.append(printer.isAccepting ? "yes" : "no", printer.isAccepting ? .plain : .attention, width: 10)
            line.append("\(printer.queuedJobs)", width: 8)
            line.append(printer.note, .faint)
            line.isSelected = printer.name == selectedPrinter
            lines.append(line)
        }
        // The selected printer stays visible.
        let rows = max(1, size.rows - 4)
        let index = printers.firstIndex { $0.name == selectedPrinter } ?? 0
        return Array(lines.prefix(2) + lines.dropFirst(2 + max(0, index - rows + 1)).prefix(rows))
    }

    // MARK: Keys

    var footer: StyledLine {
        if !note.isEmpty { return StyledLine(note, .attention) }
        switch mode {
        case .list:
            let hold = selectedJob?.state == .pendingHeld ? "release" : "hold"
            return keyLine([
                ("↑↓", "select"), ("⏎", "open"), ("w", "why"), ("h", hold), ("x", "cancel"), ("n", "new job"),
                ("P", "printers"), ("/", "search"), ("f", "follow"), ("?", "keys"), ("q", "quit"),
            ])
        case .details:
            return keyLine([
                ("↑↓", "scroll"), ("f", "follow"), ("h", "hold"), ("x", "cancel"), ("o", "options"), ("p", "pages"),
                ("?", "keys"),
                ("Esc", "back"),
            ])
        case .search:
            var line = StyledLine("/", .strong)
            line.append(query)
            line.append("▏", .accent)
            line.append("   Enter returns to the list, Esc clears the search", .faint)
            return line
        case .confirm(let requests): return StyledLine("\(question(requests)) y: yes, any other key: no", .attention)
        case .move(let ids, let printer):
            let what = ids.count == 1 ? "job \(ids[0])" : "\(ids.count) jobs"
            return prompt("Move \(what) to printer: ", printer, "   Enter moves, Esc cancels")
        case .form(let form): return form.footer
        case .printers:
            let printer = printers?.first { $0.name == selectedPrinter }
            return keyLine([
                ("↑↓", "select"), ("p", printer?.phase == .paused ? "resume" : "pause"),
                ("a", printer?.isAccepting == false ? "accept jobs" : "reject jobs"), ("d", "default"),
                ("m", "move jobs"), ("n", "new job"), ("?", "keys"), ("Esc", "back"),
            ])
        case .moveJobs(let source, let target):
            return prompt("Move the jobs of \(source) to printer: ", target, "   Enter moves, Esc cancels")
        case .why, .keys: return StyledLine("Press any key to go back.", .faint)
        }
    }

    private func prompt(_ question: String, _ text: String, _ keys: String) -> StyledLine {
        var line = StyledLine(question, .strong)
        line.append(text)
        line.append("▏", .accent)
        line.append(keys, .faint)
        return line
    }

    private func question(_ requests: [Request]) -> String {
        if requests.count > 1 {
            let isCancel = requests.contains { if case .cancel = $0 { true } else { false } }
            return isCancel ? "Cancel \(requests.count) jobs?" : "Print or resume \(requests.count) jobs?"
        }
        switch requests.first {
        case .reprint(let id)?: return "Print job \(id) again?"
        case .cancel(let id)?:
            let state = listing.jobs.first { $0.id == id }?.state
            let isPrinting = state == .processing || state == .processingStopped
            return isPrinting ? "Job \(id) is at the printer. Cancel the job?" : "Cancel job \(id)?"
        default: return ""
        }
    }

    /// Returns one line with the names of keys and their actions.
    ///
    /// On a narrow terminal, only the first actions and the last two actions are shown.
    private func keyLine(_ keys: [(String, String)]) -> StyledLine {
        var shown = keys
        while shown.count > 2, shown.reduce(-2, { $0 + $1.0.columns + $1.1.columns + 3 }) > size.columns {
            shown.remove(at: shown.count - 3)
        }
        var line = StyledLine()
        for (key, action) in shown {
            if line.columns > 0 { line.append("  ") }
            line.append(key, .strong)
            line.append(" \(action)", .faint)
        }
        return line
    }

    var keyLines: [StyledLine] {
        let keys = [
            ("↑ ↓, k j", "select the previous or next job"), ("Page Up, Page Down", "move up or down by one screen"),
            ("g G, Home End", "select the first or last job"), ("Enter", "show all details of the job"),
            ("f", "show the details, and follow the events"), ("w", "explain why the job is waiting"),
            ("h", "hold or release the job"), ("x", "cancel the job"),
            ("r", "resume a suspended job, or print an ended job again"), ("m", "move the job to another printer"),
            ("o", "change the options of a waiting job"), ("p", "show the pages"),
            ("Space, *", "mark the job, mark all: h, x, r and m apply to marked jobs"), ("n", "print a file"),
            ("P", "printers: pause, accept jobs, set the default, move jobs"),
            ("Tab", "switch between the queue and ended jobs"), ("/", "search names, owners and printers"),
            ("Esc", "go back, or clear the search"), ("Ctrl+L", "draw the screen again"), ("q, Ctrl+C", "quit"),
        ]
        return [StyledLine("Keys", .strong), StyledLine()]
            + keys.map { key, action in
                var line = StyledLine("  ")
                line.append(key, .strong, width: 20)
                line.append(action)
                return line
            }
    }
}
