// Parses `-o name=value` with the syntax of `lp`.

package import PrintModel
package import SpoolerClient

/// An option from the command line.
package struct OptionText: Hashable, Sendable {
    /// The name or alias of the option.
    package var name: String
    /// The value; empty for an option without `=` (`-o landscape`).
    package var value: String

    /// Creates an option.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Parses one argument of `-o`.
    ///
    /// Spaces separate options, and quotes protect spaces.
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
                throw SpoolerClientError(.usage, error.description.printable, cause: error)
            }
        }
    }
}
