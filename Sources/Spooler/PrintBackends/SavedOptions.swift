// Reads the options that CUPS users have saved with `lpoptions`.

import CCups
import FoundationEssentials
import IPP
import PrintIPP
import PrintModel

/// The options that `lpoptions` has saved for a queue or for an instance of the queue.
///
///     Dest office sides=two-sided-long-edge
///     Default office/draft print-quality=3 StapleLocation=UpperLeft
///
/// An instance inherits the options of its queue. The user's file overrides the system's file (cupsGetDests).
struct SavedOptions: Hashable, Sendable {
    /// The values by option name.
    ///
    /// If an option occurs several times, the last value applies.
    private(set) var values: [String: String] = [:]

    /// Creates an empty set of options.
    init() {}

    /// Creates the options of a queue or of its instance from the contents of `lpoptions` files.
    ///
    /// If several files contain an option, the value in the last of these files applies.
    init(of queue: String, instance: String?, in texts: [String]) {
        let lines = texts.flatMap(Self.lines)
        for line in lines where line.matches(queue, nil) { take(line.options) }
        guard let instance else { return }
        for line in lines where line.matches(queue, instance) { take(line.options) }
    }

    /// Reads the options of a queue on the local server.
    ///
    /// The options are in a file of the system, and in a file of the user who runs this process.
    init(of queue: String, instance: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(of: queue, instance: instance, in: Self.files(environment).map(Self.text))
    }

    /// Returns the instances that have saved options, with their queues.
    static func instances(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [(queue: String, instance: String)] {
        var seen: Set<String> = []
        return files(environment).map(text).flatMap(lines).compactMap { line in
            guard let instance = line.instance, seen.insert("\(line.queue)/\(instance)").inserted else { return nil }
            return (line.queue, instance)
        }
    }

    private mutating func take(_ options: String) { values.merge(Self.parsed(options)) { _, new in new } }

    // MARK: - Attributes

    /// The options that a job ticket supports.
    var ticket: JobTicket { reading.ticket }

    /// The options without an equivalent in a job ticket, as attributes.
    ///
    /// Examples are options of the queue's PPD. The CUPS server receives these attributes unchanged.
    var attributes: [Attribute] {
        let unknown = Set(reading.unsupported.filter { $0.first?.outOfBandValue == .unsupported }.map(\.name))
        return asked.filter { unknown.contains($0.name) }
            .map { name, value in
                // `cupsEncodeOptions` encodes unknown names in the same way.
                let isFlag = value == "true" || value == "false"
                return Attribute(name, isFlag ? .boolean(value == "true") : .name(value))
            }
            + ownWords.map { name, value in
                Attribute(name, value.split(separator: ",").map { .name(String($0)) })
            }.sorted { $0.name < $1.name }
    }

    private var reading: TicketReading {
        JobTicket.read(asked.map { Attribute($0.name, .keyword($0.value)) }, at: 0)
    }

    /// The options that a ticket does not support, or that have a different meaning in a ticket.
    private static let unread: Set<String> = ["InputSlot", "MediaType", "output-bin", "job-sheets"]
    private var ownWords: [String: String] { values.filter { Self.unread.contains($0.key) && !$0.value.isEmpty } }

    private var asked: [(name: String, value: String)] {
        values.filter { !Self.unread.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0, $1) }
    }

    // MARK: - Files

    private struct Line {
        var queue: String
        var instance: String?
        var options: String

        func matches(_ queue: String, _ instance: String?) -> Bool {
            // Queue names in CUPS are not case-sensitive.
            self.queue.lowercased() == queue.lowercased() && self.instance?.lowercased() == instance?.lowercased()
        }
    }

    private static func lines(of text: String) -> [Line] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace)
            guard words.count >= 2, ["dest", "default"].contains(words[0].lowercased()) else { return nil }
            let names = words[1].split(separator: "/", maxSplits: 1).map(String.init)
            guard let queue = names.first else { return nil }
            return Line(
                queue: queue, instance: names.count == 2 ? names[1] : nil,
                options: words.count == 3 ? String(words[2]) : "")
        }
    }

    private static func files(_ environment: [String: String]) -> [String] {
        ["\(environment["CUPS_SERVERROOT"] ?? "/etc/cups")/lpoptions"]
            + (environment["HOME"].map { ["\($0)/.cups/lpoptions"] } ?? [])
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0.prefix(1 << 20), as: UTF8.self) } ?? ""
    }

    /// Parses options with libcups, including quotes and backslashes.
    private static func parsed(_ text: String) -> [String: String] {
        var options: UnsafeMutablePointer<cups_option_t>?
        let count = cupsParseOptions(text, 0, &options)
        defer { cupsFreeOptions(count, options) }
        var values: [String: String] = [:]
        for index in 0..<Int(count) {
            guard let name = options?[index].name, let value = options?[index].value else { continue }
            values[String(cString: name)] = String(cString: value)
        }
        return values
    }
}
