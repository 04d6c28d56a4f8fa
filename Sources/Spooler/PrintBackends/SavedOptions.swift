// What users of CUPS have saved with `lpoptions`.

import CCups
import FoundationEssentials
import IPP
import PrintIPP
import PrintModel

/// The options that `lpoptions` has saved for a queue, or for an instance of it.
///
///     Dest office sides=two-sided-long-edge
///     Default office/draft print-quality=3 StapleLocation=UpperLeft
///
/// An instance has its queue's options too, and a user's file goes before the system's (cupsGetDests).
struct SavedOptions: Hashable, Sendable {
    /// The options, the later of a name before the earlier, in the order of their names.
    private(set) var values: [String: String] = [:]

    /// No options.
    init() {}

    /// The options of a queue, or of its instance, in the files with these texts; the last file goes before the others.
    init(of queue: String, instance: String?, in texts: [String]) {
        let lines = texts.flatMap(Self.lines)
        for line in lines where line.matches(queue, nil) { take(line.options) }
        guard let instance else { return }
        for line in lines where line.matches(queue, instance) { take(line.options) }
    }

    /// The options of a queue of the local cupsd, as its `lpoptions` has saved them for everyone and for our user.
    init(of queue: String, instance: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(of: queue, instance: instance, in: Self.files(environment).map(Self.text))
    }

    /// The instances that there are options of, by their queues.
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

    // MARK: - What they ask for

    /// What they ask for that a ticket has words for.
    var ticket: JobTicket { reading.ticket }

    /// What they ask for besides, of this one queue: options of its PPD, which cupsd hands on as they are.
    var attributes: [Attribute] {
        let unknown = Set(reading.unsupported.filter { $0.first?.outOfBandValue == .unsupported }.map(\.name))
        return asked.filter { unknown.contains($0.name) }
            .map { name, value in
                // As cupsEncodeOptions does with names it does not know.
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

    /// Options that a ticket would take for its own but means otherwise, and those that it does not heed.
    private static let unread: Set<String> = ["InputSlot", "MediaType", "output-bin", "job-sheets"]
    private var ownWords: [String: String] { values.filter { Self.unread.contains($0.key) && !$0.value.isEmpty } }

    /// The options that a ticket may have words for, PPDs' ways to say them put into IPP's.
    private var asked: [(name: String, value: String)] {
        values.filter { !Self.unread.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
            guard name == "Duplex" else { return (name, value) }
            let sides = ["DuplexNoTumble": "two-sided-long-edge", "DuplexTumble": "two-sided-short-edge"]
            return ("sides", sides[value] ?? "one-sided")
        }
    }

    // MARK: - Files

    private struct Line {
        var queue: String
        var instance: String?
        var options: String

        func matches(_ queue: String, _ instance: String?) -> Bool {
            // CUPS does not tell upper case from lower case in the names of queues.
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

    /// The options as libcups reads them, quotes and backslashes included.
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
