// The form for the options of a job, and for a new job.

import PrintModel
import SpoolerClient

/// The form in which the user changes the options of a waiting job, or creates a job.
package struct JobForm: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        /// The name of the option; `file` and `printer` for a new job.
        var name: String
        var label: String
        var value = ""
        /// The value before the user changed the field.
        var initial = ""
        /// The values that the left and right arrow keys offer.
        var choices: [String] = []
    }

    enum Outcome {
        case nothing
        case canceled
        case request(QueueScreen.Request)
    }

    /// The job that the form changes; nil for a new job.
    let job: Int?
    let title: String
    /// The printer whose options the form offers; empty for the default printer.
    private(set) var printer: String
    private(set) var fields: [Field]
    private(set) var selected = 0
    /// The reason why the values were refused; empty if they were not.
    var problem = ""
    /// Whether the form waits for the result of its request.
    var isSending = false

    private static let options = [
        Field(name: "copies", label: "Copies"),
        Field(
            name: "sides", label: "Sides",
            choices: ["one-sided", "two-sided-long-edge", "two-sided-short-edge"]),
        Field(name: "media", label: "Paper"),
        Field(name: "print-color-mode", label: "Color", choices: ["auto", "color", "monochrome"]),
        Field(name: "job-priority", label: "Priority (1 to 100)"),
    ]

    /// Creates the form for a new job.
    init(printer: String) {
        (job, title, self.printer) = (nil, "New job", printer)
        fields =
            [Field(name: "file", label: "File"), Field(name: "printer", label: "Printer", value: printer)]
            + Self.options
    }

    /// Creates the form for the options of a waiting job.
    init(job: JobView, ticket: JobTicket) {
        (self.job, title, printer) = (job.id, "Options of job \(job.id): \(job.name)", job.printer)
        fields = Self.options.map { field in
            var field = field
            let option = PrintOption.all.first { $0.name == field.name }
            field.value = option?.value(in: ticket) ?? ""
            field.initial = field.value
            return field
        }
    }

    /// Adds the values that the printer supports to the fields.
    mutating func show(choices: [String: [String]]) {
        for index in fields.indices {
            if let values = choices[fields[index].name], !values.isEmpty { fields[index].choices = values }
        }
    }

    /// Handles a key.
    mutating func handle(_ key: CenterKey) -> Outcome {
        guard !isSending else { return key == .escape ? .canceled : .nothing }
        problem = ""
        switch key {
        case .escape: return .canceled
        case .up: selected = max(0, selected - 1)
        case .down, .tab: selected = min(fields.count - 1, selected + 1)
        case .home: selected = 0
        case .end: selected = fields.count - 1
        case .left: step(by: -1)
        case .right: step(by: 1)
        case .character(let character): fields[selected].value.append(character)
        case .backspace: fields[selected].value = String(fields[selected].value.dropLast())
        case .enter:
            guard let request = request() else { return .nothing }
            isSending = true
            return .request(request)
        default: break
        }
        return .nothing
    }

    private mutating func step(by step: Int) {
        let choices = fields[selected].choices
        guard !choices.isEmpty else { return }
        let index = choices.firstIndex(of: fields[selected].value)
        let new = index.map { ($0 + step + choices.count) % choices.count } ?? (step > 0 ? 0 : choices.count - 1)
        fields[selected].value = choices[new]
    }

    /// Returns the request for the values of the fields; nil if a value is missing or invalid.
    private mutating func request() -> QueueScreen.Request? {
        let changed = fields.filter { $0.value != $0.initial && !["file", "printer"].contains($0.name) }
        if let emptied = changed.first(where: \.value.isEmpty) {
            problem = "\(emptied.label): enter a value, such as \(emptied.initial)"
            return nil
        }
        do throws(SpoolerClientError) {
            _ = try JobTicket(
                changed.map { OptionText(name: $0.name, value: $0.value, typed: "'\($0.label)'") }, now: 0)
        } catch {
            problem = error.message
            return nil
        }
        let options = changed.map { QueueScreen.OptionValue($0.name, $0.value) }
        guard let job else {
            let path = value(of: "file")
            guard !path.isEmpty else {
                problem = "enter the path of a file"
                return nil
            }
            return .submit(path: path, printer: value(of: "printer"), options)
        }
        guard !options.isEmpty else {
            problem = "nothing is changed"
            return nil
        }
        return .change(job, options)
    }

    private func value(of name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

    // MARK: Drawing

    /// The lines of the form.
    func lines(width: Int) -> [StyledLine] {
        let labels = (fields.map(\.label.columns).max() ?? 0) + 2
        var lines = [StyledLine(title, .strong), StyledLine()]
        for (index, field) in fields.enumerated() {
            var line = StyledLine(index == selected ? "▸ " : "  ", .accent)
            line.append(field.label, index == selected ? .strong : .plain, width: labels)
            line.append(field.value)
            if index == selected { line.append("▏", .accent) }
            if field.value.isEmpty, field.name != "file" { line.append(" default", .faint) }
            if index == selected, !field.choices.isEmpty { line.append("   ← →", .faint) }
            lines.append(line)
        }
        if !problem.isEmpty {
            lines += [StyledLine()] + problem.wrapped(to: width, lines: 4).map { StyledLine($0, .attention) }
        }
        return lines
    }

    var footer: StyledLine {
        if isSending { return StyledLine("sending …", .faint) }
        return StyledLine(
            "↑↓ field   ←→ choose   Enter \(job == nil ? "prints the file" : "changes the job")   Esc cancels", .faint)
    }
}
