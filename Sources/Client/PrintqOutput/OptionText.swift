// `-o name=value`, as `lp` takes it.

package import PrintModel
package import SpoolerClient

/// One option as it was written on a command line.
package struct OptionText: Hashable, Sendable {
    /// Its name or alias.
    package var name: String
    /// Its value; empty for a word by itself (`-o landscape`).
    package var value: String

    /// An option.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The options in one argument of `-o`: several are separated by spaces, and quotes keep spaces together.
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
    /// The ticket that asks for the given options; later ones win.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for an option that does not exist or does not take its value.
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
