// Rewrites the error messages of ArgumentParser in the form of all other messages.

import PrintModel

/// An error message of ArgumentParser, rewritten as one sentence in the style of printq's messages.
///
///     ParserSentence("The value 'x' is invalid for '--limit <number>'", options: []).text
///     // invalid value 'x' for --limit; expected a number
package struct ParserSentence: Sendable {
    /// The sentence, without a full stop.
    package let text: String

    /// Rewrites an error message of the parser.
    ///
    /// - Parameters:
    ///   - message: A message of ArgumentParser. The message of a `ValidationError` is not changed.
    ///   - options: The options of the command, such as `--limit`. For an unknown option, the sentence suggests the
    ///     most similar option.
    package init(_ message: String, options: [String]) {
        let line = message.split(separator: "\n").first.map(String.init) ?? ""
        text =
            Self.unknownOption(line, options) ?? Self.invalidValue(message) ?? Self.missingValue(line)
            ?? Self.surplus(line) ?? Self.lowercased(line)
    }

    private static func unknownOption(_ line: String, _ options: [String]) -> String? {
        guard let match = line.firstMatch(of: /^Unknown option '(.*?)'(\. Did you mean '.*'\?)?$/) else { return nil }
        let typed = String(match.1)
        let names = typed.hasPrefix("--") ? options.filter { $0.hasPrefix("--") } : []
        return "unknown option '\(typed)'\(NearestName.suggestion(for: typed, in: names))"
    }

    private static func invalidValue(_ message: String) -> String? {
        guard
            let match = message.firstMatch(
                of: /^The value '((?:.|\n)*)' is invalid for '(.*?)'(?:: (.*)|\. Please provide one of ((?:.|\n)*))?$/)
        else { return nil }
        let value = String(match.1).prefix { $0 != "\n" }
        let name = String(match.2)
        let option = name.hasPrefix("-") ? String(name.prefix { $0 != " " }) : name
        let problem = "invalid value '\(value)' for \(option)"
        if let reason = match.3 { return "\(problem); \(reason)" }
        if let choices = match.4 {
            let words = choices.matches(of: /'([^']*)'|- (\S+)/).compactMap { ($0.1 ?? $0.2).map(String.init) }
            return "\(problem); expected \(words.alternatives)"
                + NearestName.suggestion(for: String(value), in: words)
        }
        if ["<id>", "<ids>"].contains(name) { return "'\(value)' is not a job number" }
        return "\(problem); expected a number"
    }

    private static func missingValue(_ line: String) -> String? {
        if let match = line.firstMatch(of: /^Missing value for '(.*)'$/) { return "missing value for \(match.1)" }
        if let match = line.firstMatch(of: /^Missing expected argument '(.*)'$/) {
            return "missing argument \(match.1)"
        }
        if let match = line.firstMatch(of: /^The option '(.*?)' does not take any value, but '(.*)' was specified\.$/) {
            return "\(match.1) does not take a value, but has the value '\(match.2)'"
        }
        return nil
    }

    private static func surplus(_ line: String) -> String? {
        guard let match = line.firstMatch(of: /^\d+ unexpected arguments: (.*)$/) else { return nil }
        return "unexpected arguments \(match.1)"
    }

    private static func lowercased(_ line: String) -> String {
        // A sentence of a `ValidationError` begins in lower case, or with an option.
        let text = line.hasSuffix(".") ? String(line.dropLast()) : line
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
