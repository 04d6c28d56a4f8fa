// Defines the print options used by the command line, IPP, and the help texts.

/// A print option.
///
/// The table `PrintOption.all` lists all options. Each entry has the IPP name, the names on `lp`'s command line, the
/// values, and the component that applies the option. Values are text in IPP's notation (`two-sided-long-edge`,
/// `1-3,7`), so that the command line, IPP attributes and form fields use the same parser.
public struct PrintOption: Sendable {
    /// The name of the IPP attribute: `sides`.
    public let name: String
    /// The alternative names on `lp`'s command line.
    public let aliases: [String]
    /// The IPP syntax of the value.
    public let syntax: Syntax
    /// The component that applies the option.
    public let consumer: Consumer
    /// The allowed values, for help and error messages.
    public let values: String
    /// The values in the attribute `NAME-supported` of a printer; nil for an option whose values depend on the device.
    package var choices: Choices?
    /// The value in the attribute `NAME-default` of a printer; nil if the printer has no such attribute.
    package var byDefault: Default?
    /// The description of the option in the help text, in one line.
    public let help: String
    let read: @Sendable (JobTicket) -> String?
    let write: @Sendable (inout JobTicket, String, UnixTime) throws(OptionError) -> Void

    /// The IPP syntax of an option's value (RFC 8011 §5.1).
    public enum Syntax: String, Sendable {
        case keyword
        case integer
        /// An integer that is registered for the option (IPP `enum`).
        case enumeration
        case ranges
        case boolean
        /// Any text (IPP `name`).
        case name
        /// A whole or decimal number. IPP represents the number as an integer or a name.
        case number
        case charset
    }

    /// The component that applies an option.
    ///
    /// Each option is applied exactly once.
    public enum Consumer: String, Sendable {
        /// The queue of the spooler.
        case queue
        /// The imposition, which lays out the pages on sheets.
        case imposition
        /// The printer, which receives the option with the job.
        case device
        /// The printer, if the printer supports the option. Otherwise the imposition applies the option.
        case deviceOrImposition
        case conversion
    }

    /// The values of an option that the imposition or the queue applies.
    package enum Choices: Sendable {
        case keywords([String])
        /// Integers, or values of an IPP `enum`.
        case numbers([Int])
        /// A number, or the length of a text, from 0 to this maximum.
        case upTo(Int)
        /// Any value of the option's syntax.
        case any
    }

    /// The value of an option for jobs that do not set the option.
    package enum Default: Sendable {
        case text(String)
        /// No value (`no-value`).
        case none
    }

    /// Returns the value of this option in a ticket, as text; nil when the ticket has no value for the option.
    public func value(in ticket: JobTicket) -> String? { read(ticket) }

    /// Returns the option that has the given IPP name or alias, ignoring case; nil when no option has this name.
    public static func named(_ name: String) -> PrintOption? { byName[name.lowercased()] }

    /// The names and aliases of all options, including the options of `lp` that consist of one word.
    static let allNames: [String] =
        all.flatMap { [$0.name] + $0.aliases } + JobTicket.shorthands.keys.sorted().filter { byName[$0] == nil }

    private static let byName: [String: PrintOption] = {
        var table: [String: PrintOption] = [:]
        for option in all {
            for name in [option.name] + option.aliases { table[name.lowercased()] = option }
        }
        return table
    }()
}

/// An error in an option or its value.
public struct OptionError: Error, Hashable, CustomStringConvertible {
    /// The option, as written by the user: `sides`, `--duplex` or `-o duplex`.
    public let option: String
    /// The value, as written by the user.
    public let value: String
    /// Whether the option is unknown.
    ///
    /// If false, the value of the option is invalid.
    public let isUnknown: Bool
    /// The expected values as text for users: `none, long or short`; nil if `reason` describes the error.
    public let expected: String?
    /// The reason why the value is invalid; nil if the expected values describe the error.
    public let reason: String?
    /// The names from which the suggestion is chosen: the valid values, or all option names for an unknown option.
    public let names: [String]

    /// The error message for users, in one sentence with a suggestion.
    public var description: String {
        if isUnknown {
            return "unknown option '\(option)'\(NearestName.suggestion(for: option, in: names))"
                + "; see 'printq submit --help'"
        }
        let problem = "invalid value '\(value)' for \(option)"
        if let reason { return "\(problem): \(reason)" }
        return problem + (expected.map { "; expected \($0)" } ?? "") + NearestName.suggestion(for: value, in: names)
    }

    /// Returns a copy of this error that contains the option as typed by the user.
    ///
    /// - Parameters:
    ///   - option: The option as the user typed it, such as `--duplex`.
    ///   - expected: The values that the typed option accepts, as text for users; nil to keep the values of this error.
    ///   - names: The names from which the suggestion is chosen; nil to keep the names of this error.
    public func worded(for option: String, expected: String? = nil, names: [String]? = nil) -> OptionError {
        OptionError(
            option: option, value: value, isUnknown: isUnknown, expected: expected ?? self.expected, reason: reason,
            names: names ?? self.names)
    }

    static func wrong(_ option: String, _ value: String, allowed: String, names: [String] = []) -> OptionError {
        OptionError(option: option, value: value, isUnknown: false, expected: allowed, reason: nil, names: names)
    }

    static func wrong(_ option: String, _ value: String, because reason: String) -> OptionError {
        OptionError(option: option, value: value, isUnknown: false, expected: nil, reason: reason, names: [])
    }

    static func unknown(_ option: String) -> OptionError {
        OptionError(
            option: option, value: "", isUnknown: true, expected: nil, reason: nil, names: PrintOption.allNames)
    }
}

extension JobTicket {
    /// Sets an option by its name or alias.
    ///
    ///     try ticket.set("sides", to: "two-sided-long-edge", at: now)
    ///     try ticket.set("landscape", to: "", at: now)      // lp -o landscape
    ///
    /// - Parameter now: The current time. A time of day (`job-hold-until=18:30`) is its next occurrence after this
    ///   time.
    /// - Throws: `OptionError` when the option does not exist or the value is invalid.
    public mutating func set(_ name: String, to value: String, at now: UnixTime) throws(OptionError) {
        if let shorthand = Self.shorthands[name.lowercased()], value.isEmpty || value == "true" {
            return try set(shorthand.name, to: shorthand.value, at: now)
        }
        guard let option = PrintOption.named(name) else { throw .unknown(name) }
        do throws(OptionError) {
            try option.write(&self, value, now)
        } catch {
            throw error.worded(for: name)
        }
    }

    /// The `lp -o` options that consist of one word, each with the option and the value that the word sets.
    static let shorthands: [String: (name: String, value: String)] = [
        "landscape": ("orientation-requested", "landscape"),
        "fit-to-page": ("print-scaling", "fit"),
        "fitplot": ("print-scaling", "fit"),
        "fill": ("print-scaling", "fill"),
        "borderless": ("output-type", "photo"),
        "booklet": ("imposition-template", "signature"),
        "page-numbers": ("printq-page-numbers", "bottom-center"),
        "nowrap": ("wrap", "false"),
    ]
}
