// Reads the entries of printd's log, from its log file or from the journal.

import FoundationEssentials
package import PrintModel
package import SpoolerClient

/// An entry of printd's log.
package struct DaemonLogEntry: Sendable, Hashable {
    /// The time of the entry; nil for a line without a time.
    package var time: UnixTime?
    /// The severity: `debug`, `info`, `notice`, `warning`, `error` or `critical`; empty if unknown.
    package var level = ""
    package var message: String
    /// The named values that belong to the message, such as `job=1` and `printer=office`, in their original order.
    package var fields: [Field] = []

    /// A named value of an entry.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Returns the value of a field; nil if the entry does not have this field.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    // MARK: - Log files

    /// Parses a line of a log file.
    ///
    ///     2030-01-31T18:30:05+0000 info printd: job=1 printer=office [PrintScheduler] job claimed
    package init(line: String) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let time = Self.time(parts[0]), parts[2].hasSuffix(":") else {
            message = line
            return
        }
        (self.time, level) = (time, String(parts[1]))
        let rest = String(parts[3])
        guard let start = rest.ranges(of: "[").map(\.lowerBound).first(where: { Self.isModule(rest[$0...]) }),
            let end = rest[start...].firstIndex(of: "]")
        else {
            message = rest
            return
        }
        fields = Self.fields(rest[..<start])
        message = String(rest[rest.index(after: end)...].drop { $0 == " " })
    }

    /// Returns whether the text begins with the name of a module in brackets, such as `[PrintScheduler]`.
    private static func isModule(_ text: Substring) -> Bool {
        let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber }
        return !name.isEmpty && text.dropFirst(name.count + 1).hasPrefix("] ")
    }

    /// Parses fields such as `job=1 printer=office`.
    ///
    /// The value of a field can contain spaces.
    private static func fields(_ text: Substring) -> [Field] {
        var fields: [Field] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let name = word.prefix { $0.isLowercase && $0.isASCII || $0 == "-" }
            if !name.isEmpty, word.dropFirst(name.count).first == "=" {
                fields.append(Field(String(name), String(word.dropFirst(name.count + 1))))
            } else if let last = fields.indices.last {
                fields[last].value += " \(word)"
            }
        }
        for index in fields.indices {
            while fields[index].value.hasSuffix(" ") { fields[index].value.removeLast() }
        }
        return fields
    }

    /// Parses a time such as `2030-01-31T18:30:05+0000`.
    private static func time(_ text: Substring) -> UnixTime? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard text.utf8.count == 24, numbers.count == 7, text.dropFirst(10).first == "T" else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        let seconds = days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        let offset = (numbers[6] / 100 * 3600 + numbers[6] % 100 * 60) * (text.dropFirst(19).first == "-" ? -1 : 1)
        return UnixTime(seconds - offset)
    }

    // MARK: - The journal

    /// The names of printd's fields in the journal, each with the corresponding field name in `DaemonLogEntry`.
    private static let journalFields = [("PRINTQ_JOB", "job"), ("PRINTQ_PRINTER", "printer"), ("PRINTQ_USER", "user")]

    /// Parses a line of `journalctl --output=json`; nil if the line is not a JSON object.
    package init?(journal line: [UInt8]) {
        guard let values = try? JSONDecoder().decode([String: JournalValue].self, from: Data(line)) else { return nil }
        message = values["MESSAGE"]?.text ?? ""
        time = values["__REALTIME_TIMESTAMP"].flatMap { Int($0.text) }.map { UnixTime($0) / 1_000_000 }
        let levels = ["critical", "critical", "critical", "error", "warning", "notice", "info", "debug"]
        if let priority = values["PRIORITY"].flatMap({ Int($0.text) }), levels.indices.contains(priority) {
            level = levels[priority]
        }
        for (journal, name) in Self.journalFields {
            if let value = values[journal] { fields.append(Field(name, value.text)) }
        }
    }

    /// A field value in the journal: text, an array of bytes if the text is not valid UTF-8, or an array of texts if
    /// the field occurs several times.
    private struct JournalValue: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self.text = text
            } else if let bytes = try? value.decode([UInt8].self) {
                text = String(decoding: bytes, as: UTF8.self)
            } else if let texts = try? value.decode([String].self) {
                text = texts.joined(separator: " ")
            } else {
                text = ""
            }
        }
    }

    // MARK: - Output

    /// Returns the entry on one line, such as `18:30:05 info: job claimed (job 1, printer office)`.
    package func text(now: UnixTime) -> String {
        let start = [time.map { LocalTime.precise($0, now: now) }, level.isEmpty ? nil : "\(level):"].compactMap(\.self)
        let values = fields.filter { !$0.value.isEmpty }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return (start + [message + (values.isEmpty ? "" : " (\(values))")]).joined(separator: " ").printable
    }

    package var json: JSONText {
        let names = ["job": "job-id", "printer": "printer-name", "user": "job-originating-user-name"]
        var members: [(name: String, value: JSONText)] = [
            ("time", time.map { .string(LocalTime.universal($0)) } ?? .null), ("level", .string(level)),
            ("message", .string(message)),
        ]
        for field in fields {
            let name = names[field.name] ?? field.name
            guard !members.contains(where: { $0.name == name }) else { continue }
            members.append(
                (name, field.name == "job" ? Int(field.value).map { .number($0) } ?? .null : .string(field.value)))
        }
        return .object(members)
    }
}

/// A filter for the entries of printd's log.
package struct DaemonLogFilter: Sendable {
    /// The number of the job whose entries are shown; nil for the entries of all jobs.
    package var job: Int?
    /// The printer whose entries are shown; nil for the entries of all printers.
    package var printer: String?
    /// The user whose entries are shown; nil for the entries of all users.
    package var user: String?
    /// The start of the time range of the entries, inclusive, in seconds since 1970; nil for no limit.
    package var since: UnixTime?
    /// The end of the time range of the entries, exclusive, in seconds since 1970; nil for no limit.
    package var until: UnixTime?
    /// The maximum number of entries, counted from the end of the log; nil for no limit.
    package var limit: Int?

    package init(
        job: Int? = nil, printer: String? = nil, user: String? = nil, since: UnixTime? = nil, until: UnixTime? = nil,
        limit: Int? = nil
    ) {
        (self.job, self.printer, self.user) = (job, printer, user)
        (self.since, self.until, self.limit) = (since, until, limit)
    }

    /// Returns whether the entry matches the filter, ignoring the limit.
    package func matches(_ entry: DaemonLogEntry) -> Bool {
        if let job, entry["job"] != "\(job)" { return false }
        if let printer, entry["printer"] != printer { return false }
        if let user, entry["user"] != user { return false }
        if since != nil || until != nil {
            guard let time = entry.time else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        return true
    }

    /// Returns the `journalctl` arguments that select the matching entries of a unit.
    package func journalArguments(unit: String, follows: Bool) -> [String] {
        var arguments = ["--unit=\(unit)", "--output=json", "--no-pager", "--quiet"]
        arguments.append("--lines=\(limit.map(String.init) ?? "all")")
        if follows { arguments.append("--follow") }
        if let since { arguments.append("--since=@\(Int(since))") }
        if let until { arguments.append("--until=@\(Int(until))") }
        if let job { arguments.append("PRINTQ_JOB=\(job)") }
        if let printer { arguments.append("PRINTQ_PRINTER=\(printer)") }
        if let user { arguments.append("PRINTQ_USER=\(user)") }
        return arguments
    }
}
