// Defines the print options used by the command line, IPP, and the help texts.

/// A print option.
///
/// The table `PrintOption.all` lists all options with their IPP names, their names on `lp`'s command line, their
/// values, and the component that applies them. Values are text in IPP's notation (`two-sided-long-edge`, `1-3,7`), so
/// that the command line, IPP attributes and form fields use the same parser.
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
    /// One line of help text.
    public let help: String
    let read: @Sendable (JobTicket) -> String?
    let write: @Sendable (inout JobTicket, String, UnixTime) throws(OptionError) -> Void

    /// The IPP syntax of an option's value (RFC 8011 §5.1).
    public enum Syntax: String, Sendable {
        /// A registered keyword.
        case keyword
        /// A whole number.
        case integer
        /// A registered integer.
        case enumeration
        /// Ranges of whole numbers.
        case ranges
        /// True or false.
        case boolean
        /// Any text (IPP `name`).
        case name
        /// A number, possibly with a fraction, which IPP represents as an integer or a name.
        case number
        /// The name of a character encoding.
        case charset
    }

    /// The component that applies an option.
    ///
    /// Each option is applied exactly once.
    public enum Consumer: String, Sendable {
        /// The queue.
        case queue
        /// The imposition.
        case imposition
        /// The printer.
        case device
        /// The printer if it supports the option, otherwise the imposition.
        case deviceOrImposition
        /// The conversion of the document to pages.
        case conversion
    }

    /// Returns the ticket's value of this option, as text; nil when the ticket has no value.
    public func value(in ticket: JobTicket) -> String? { read(ticket) }

    /// Returns the option with an IPP name or alias, ignoring case; nil when no such option exists.
    public static func named(_ name: String) -> PrintOption? { byName[name.lowercased()] }

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
    /// The option, as written by the user.
    public let option: String
    /// The value, as written by the user.
    public let value: String
    /// Whether the option is unknown; otherwise its value is invalid.
    public let isUnknown: Bool
    /// One sentence for users, with a suggestion.
    public let description: String

    static func wrong(_ option: String, _ value: String, allowed: String) -> OptionError {
        OptionError(
            option: option, value: value, isUnknown: false,
            description: "invalid value '\(value)' for \(option); use \(allowed)")
    }

    static func unknown(_ option: String) -> OptionError {
        OptionError(
            option: option, value: "", isUnknown: true,
            description: "unknown option '\(option)'; see 'printq submit --help'")
    }
}

extension JobTicket {
    /// Sets an option by its name or alias.
    ///
    ///     try ticket.set("sides", to: "two-sided-long-edge", at: now)
    ///     try ticket.set("landscape", to: "", at: now)      // lp -o landscape
    ///
    /// - Parameter now: The current time, to which a time of day (`job-hold-until=18:30`) is relative.
    /// - Throws: `OptionError` when the option does not exist, or the value is invalid.
    public mutating func set(_ name: String, to value: String, at now: UnixTime) throws(OptionError) {
        if let shorthand = Self.shorthands[name.lowercased()], value.isEmpty || value == "true" {
            return try set(shorthand.name, to: shorthand.value, at: now)
        }
        guard let option = PrintOption.named(name) else { throw .unknown(name) }
        try option.write(&self, value, now)
    }

    /// The `lp -o` options that consist of one word.
    private static let shorthands: [String: (name: String, value: String)] = [
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
