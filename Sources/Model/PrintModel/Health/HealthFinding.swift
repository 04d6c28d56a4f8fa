// Describes the result of one check of `printq doctor`.

/// The result of one check of `printq doctor`.
///
///     HealthFinding(.spool, "disk-space", .warning, "only 50 MiB are free", advice: "free some disk space")
public struct HealthFinding: Hashable, Sendable {
    /// The severity of a check result.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// A result without a problem: the checked requirement is met.
        case ok
        /// A restriction: printing works, but a feature is unavailable, or a person should correct a setting.
        case warning
        /// An error: some or all jobs cannot be printed.
        case error
    }

    /// A group of checks of the same subject, such as the printers.
    ///
    /// Unknown groups are allowed, because a newer `printd` can have more groups.
    public struct Group: RawRepresentable, Hashable, Sendable, Codable {
        /// The keyword of the group.
        public var rawValue: String

        /// Creates the group that has the given keyword.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The checks of the spool's folder, disk and database.
        package static let spool = Group(rawValue: "spool")
        /// The checks of `printd`: its settings, its listeners, TLS and its response to requests.
        package static let daemon = Group(rawValue: "printd")
        /// The checks of the machine: the programs of printq, the clock and the group of the administrators.
        package static let system = Group(rawValue: "system")
        /// The checks of the workers, the converters and the fonts.
        package static let documents = Group(rawValue: "documents")
        package static let printers = Group(rawValue: "printers")

        /// The groups, in the order of the output of `printq doctor`.
        package static let all = [spool, daemon, system, documents, printers]

        package var heading: String {
            self == .daemon ? rawValue : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    package var group: Group
    /// The stable keyword of the check, such as `disk-space`.
    package var check: String
    package var state: State
    /// The result for people, in one sentence.
    package var message: String
    /// The command or action that fixes the problem; nil if there is no problem, or if the message contains the fix.
    package var advice: String?
    /// The name of the checked printer; nil for a check that concerns no printer.
    package var printer: String?

    package init(
        _ group: Group, _ check: String, _ state: State, _ message: String, advice: String? = nil,
        printer: String? = nil
    ) {
        (self.group, self.check, self.state, self.message) = (group, check, state, message)
        (self.advice, self.printer) = (advice, printer)
    }

    /// The check keyword of a result that contains only a line of text.
    ///
    /// Earlier versions of `printd` return such results.
    private static let plainCheck = "printd"

    /// Creates a result from a line such as `warning: there are no printers`.
    ///
    /// A line without a known severity is a warning.
    package init(line: String) {
        let known = State.allCases.first { line.hasPrefix("\($0.rawValue): ") }
        self.init(
            .daemon, Self.plainCheck, known ?? .warning,
            known.map { String(line.dropFirst($0.rawValue.count + 2)) } ?? line)
    }

    /// The result in one line, such as `warning: only 50 MiB are free; free some disk space`.
    package var line: String { "\(state.rawValue): \(message)\(advice.map { "; \($0)" } ?? "")" }
}

extension HealthFinding: Codable {
    private enum CodingKeys: String, CodingKey {
        case group, check, state, message, advice
        case printer = "printer-name"
    }
}
