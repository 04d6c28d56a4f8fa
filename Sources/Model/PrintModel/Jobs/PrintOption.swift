// Every print option, declared once: command line, IPP and help text read this table.

/// One option that a person may choose when printing.
///
/// The table `PrintOption.all` is the only place that says which options there are, what they are called in IPP and on
/// `lp`'s command line, what they take, and who carries them out. Values are read from and written as text: keywords
/// and numbers as IPP spells them (`two-sided-long-edge`, `1-3,7`), so that a command line, an IPP attribute and a form
/// field all pass through the same reader.
public struct PrintOption: Sendable {
    /// The IPP attribute's name: `sides`.
    public let name: String
    /// Other names it goes by on `lp`'s command line.
    public let aliases: [String]
    /// How IPP writes its value.
    public let syntax: Syntax
    /// Who carries it out.
    public let consumer: Consumer
    /// What it takes, for help and error texts.
    public let values: String
    /// One line of help.
    public let help: String
    let read: @Sendable (JobTicket) -> String?
    let write: @Sendable (inout JobTicket, String, UnixTime) throws(OptionError) -> Void

    /// How IPP writes an option's value (RFC 8011 §5.1).
    public enum Syntax: String, Sendable {
        /// A registered word.
        case keyword
        /// A whole number.
        case integer
        /// A registered number.
        case enumeration
        /// Ranges of whole numbers.
        case ranges
        /// Yes or no.
        case boolean
    }

    /// Who carries an option out; never two (DESIGN: each option is applied once).
    public enum Consumer: String, Sendable {
        /// The queue.
        case queue
        /// Our imposition.
        case imposition
        /// The printer.
        case device
        /// The printer when it can, else imposition.
        case deviceOrImposition
    }

    /// What the ticket says of this option, as text; nil when it says nothing.
    public func value(in ticket: JobTicket) -> String? { read(ticket) }

    /// The option of that IPP name or alias.
    public static func named(_ name: String) -> PrintOption? { byName[name.lowercased()] }

    private static let byName: [String: PrintOption] = {
        var table: [String: PrintOption] = [:]
        for option in all {
            for name in [option.name] + option.aliases { table[name.lowercased()] = option }
        }
        return table
    }()
}

/// Why an option cannot be taken.
public struct OptionError: Error, Hashable, CustomStringConvertible {
    /// The option, as it was written.
    public let option: String
    /// The value, as it was written.
    public let value: String
    /// Whether the option itself is unknown, rather than its value wrong.
    public let isUnknown: Bool
    /// One sentence for people, with what to write instead.
    public let description: String

    static func wrong(_ option: String, _ value: String, allowed: String) -> OptionError {
        OptionError(
            option: option, value: value, isUnknown: false,
            description: "'\(value)' is no value of \(option); it takes \(allowed)")
    }

    static func unknown(_ option: String) -> OptionError {
        OptionError(
            option: option, value: "", isUnknown: true,
            description: "there is no option '\(option)'; see 'printq submit --help'")
    }
}

extension JobTicket {
    /// Sets an option by its name or alias, from text.
    ///
    ///     try ticket.set("sides", to: "two-sided-long-edge", at: now)
    ///     try ticket.set("landscape", to: "", at: now)      // lp -o landscape
    ///
    /// - Parameter now: the moment that a time of day (`job-hold-until=18:30`) counts from.
    /// - Throws: `OptionError` when there is no such option, or it does not take the value.
    public mutating func set(_ name: String, to value: String, at now: UnixTime) throws(OptionError) {
        if let shorthand = Self.shorthands[name.lowercased()], value.isEmpty || value == "true" {
            return try set(shorthand.name, to: shorthand.value, at: now)
        }
        guard let option = PrintOption.named(name) else { throw .unknown(name) }
        try option.write(&self, value, now)
    }

    /// What `lp -o` says in one word.
    private static let shorthands: [String: (name: String, value: String)] = [
        "landscape": ("orientation-requested", "landscape"),
        "fit-to-page": ("print-scaling", "fit"),
        "fitplot": ("print-scaling", "fit"),
        "fill": ("print-scaling", "fill"),
        "borderless": ("output-type", "photo"),
    ]
}
