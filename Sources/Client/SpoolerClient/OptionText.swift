// Parses `-o name=value` with the syntax of `lp`.

package import IPP
package import PrintModel

/// An option from the command line.
package struct OptionText: Hashable, Sendable {
    /// The name or alias of the option.
    package var name: String
    /// The value of the option; empty for an option without `=` (`-o landscape`).
    package var value: String
    /// The option as the user typed it, for error messages: `--duplex`, `-o sides`.
    package var typed: String
    /// The values that the option accepts.
    ///
    /// If the array is empty, the option accepts the values in `PrintOption.all`.
    package var words: [String]

    /// Creates an option.
    ///
    /// - Parameters:
    ///   - typed: The option as the user typed it; nil for `-o NAME`.
    ///   - words: The values that the option accepts, if these values differ from the values in `PrintOption.all`.
    package init(name: String, value: String, typed: String? = nil, words: [String] = []) {
        self.name = name
        self.value = value
        self.typed = typed ?? "-o \(name)"
        self.words = words
    }

    /// Parses one argument of `-o`.
    ///
    /// Spaces separate options. Spaces between quotes belong to a value.
    ///
    ///     OptionText.read("media=A4 sides=one-sided")   // two options
    package static func read(_ argument: String) -> [OptionText] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in argument {
            switch (character, quote) {
            case (let end, let open?) where end == open: quote = nil
            case ("'", nil), ("\"", nil): quote = character
            case (" ", nil):
                words.append(word)
                word = ""
            default: word.append(character)
            }
        }
        return (words + [word]).filter { !$0.isEmpty }.map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return OptionText(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
        }
    }
}

extension OptionText {
    /// Returns a copy of the error with the option as the user typed it.
    fileprivate func worded(_ error: OptionError) -> OptionError {
        // An unknown name is suggested as it is written behind `-o`.
        guard !error.isUnknown else { return error }
        return words.isEmpty
            ? error.worded(for: typed) : error.worded(for: typed, expected: words.alternatives, names: words)
    }
}

extension JobTicket {
    /// Creates a ticket with the given options.
    ///
    /// Later options override earlier options.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for an unknown option or an invalid value.
    package init(_ options: [OptionText], now: UnixTime) throws(SpoolerClientError) {
        self.init()
        for option in options {
            do throws(OptionError) {
                try set(option.name, to: option.value, at: now)
            } catch {
                throw SpoolerClientError(.usage, option.worded(error).description.printable, cause: error)
            }
        }
    }
}

extension [OptionText] {
    /// Returns the printer attributes that set the given options as the printer's defaults.
    ///
    /// An option with an empty value removes the printer's default.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for an unknown option or an invalid value.
    package func printerDefaults(now: UnixTime) throws(SpoolerClientError) -> [Attribute] {
        var attributes: [Attribute] = []
        for option in self {
            // The ticket throws for an unknown option. An empty value, which removes a default, is not checked.
            if !option.value.isEmpty || PrintOption.named(option.name) == nil {
                _ = try JobTicket([option], now: now)
            }
            guard let known = PrintOption.named(option.name) else {
                throw SpoolerClientError(
                    .usage, "'\(option.name.printable)' has no default; write the option as NAME=VALUE")
            }
            attributes.append(Attribute("\(known.name)-default", .name(option.value)))
        }
        return attributes
    }
}
