// Finds the command that a command line names.

package import ArgumentParser
import PrintModel

/// The command that the user typed, such as `printq printers add`.
package struct CommandPath {
    /// The Swift types of the commands, from the root command to the command that the user typed.
    package let commands: [any ParsableCommand.Type]
    /// The name of the program, followed by the names of the commands as the user typed them.
    package let names: [String]
    /// The first unknown word after the command: a word that is neither an option nor a subcommand.
    ///
    /// The value is nil if there is no unknown word, or if the command has no subcommands.
    package let unknownWord: String?
    private let arguments: [String]

    /// Finds the command in the arguments of a command line.
    ///
    /// - Parameters:
    ///   - root: The root command.
    ///   - arguments: The arguments without the program.
    package init(_ root: any ParsableCommand.Type, _ arguments: [String]) {
        var commands = [root]
        var names = [Self.names(of: root)[0]]
        var unknown: String?
        for word in arguments {
            let subcommands = commands[commands.count - 1].configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { break }
            guard let next = subcommands.first(where: { Self.names(of: $0).contains(word) }) else {
                unknown = word
                break
            }
            commands.append(next)
            names.append(word)
        }
        (self.commands, self.names, unknownWord, self.arguments) = (commands, names, unknown, arguments)
    }

    /// The names and aliases of the command's visible subcommands.
    package var subcommands: [String] {
        commands[commands.count - 1].configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .flatMap(Self.names)
    }

    /// The error message for `unknownWord`: `unknown command 'printers puase'; did you mean 'printers pause'?`.
    ///
    /// The value is nil if there is no unknown word.
    package var unknownCommand: String? {
        guard let word = unknownWord else { return nil }
        let parent = names.dropFirst().map { "\($0) " }.joined()
        let nearest = NearestName.of(word, in: subcommands)
        return "unknown command '\(parent)\(word)'" + (nearest.map { "; did you mean '\(parent)\($0)'?" } ?? "")
    }

    /// Returns the sentence for an error message of the parser, with a reference to the command's help.
    package func sentence(for message: String) -> String {
        // The parser reports a missing argument and `ValidationError`s before an unknown option, which may be the reason.
        let isOfValue = message.hasPrefix("The value '") || message.hasPrefix("Missing value for")
        let message = (isOfValue ? nil : unknownOption).map { "Unknown option '\($0)'" } ?? message
        let text = ParserSentence(message, options: options).text
        return text.hasSuffix("?") || text.contains("; see '") ? text : "\(text); see '\(help)'"
    }

    /// The first long option on the command line that the command does not support; nil if the command supports all
    /// long options on the command line.
    private var unknownOption: String? {
        let known = Set(options)
        return arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { argument in String(argument.prefix { $0 != "=" }) }.first { !known.contains($0) }
    }

    /// The command line that shows the help of the command, such as `printq submit --help`.
    package var help: String {
        let implied = commands[commands.count - 1].configuration.defaultSubcommand.map { [$0._commandName] } ?? []
        return (names + (unknownWord == nil ? implied : []) + ["--help"]).joined(separator: " ")
    }

    /// The long options of the command.
    var options: [String] {
        let last = commands[commands.count - 1]
        let text = commands[0].helpMessage(
            for: last.configuration.defaultSubcommand ?? last, includeHidden: true, columns: 1000)
        return text.split(separator: "\n").filter { $0.hasPrefix("  -") }
            .flatMap { line in
                // The names precede the help text, which begins after at least two spaces.
                let names = line.drop { $0 == " " }.firstMatch(of: /^.*?(?:  |$)/)?.output ?? ""
                return names.matches(of: /--[A-Za-z0-9-]+/).map { String($0.output) }
            }
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }
}
