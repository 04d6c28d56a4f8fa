// Rewrites arguments that the parser cannot handle.

import Glibc
import SpoolerClient

/// A namespace for functions that convert a command line into the form that the parser accepts.
package enum CommandArguments {
    /// The interpretation of a command line.
    package enum Meaning: Sendable, Hashable {
        /// The arguments for the parser.
        ///
        /// The first argument is a command or an option.
        case command([String])
        /// A first argument that is neither a command nor a file.
        case unknownCommand(String)
    }

    /// Returns the arguments in the parser's form: each `--hold` has a value, and `--spool` or `--server` follows
    /// the subcommand.
    ///
    /// If the command line contains files but no command, the function inserts the command `submit`.
    ///
    /// - Parameter commands: The names of all commands.
    package static func prepared(_ arguments: [String], commands: [String]) -> Meaning {
        let arguments = placeBehindCommand(arguments)
        guard let first = arguments.first, !commands.contains(first) else { return .command(explicitHold(arguments)) }
        let submission = Meaning.command(explicitHold(["submit"] + arguments))
        let isOwn = ownOptions.contains { first == $0 || first.hasPrefix("\($0)=") } || first.hasPrefix("---")
        if isOwn { return .command(arguments) }
        if first.hasPrefix("-"), first != "-" {
            // Options before a file: `printq --wait report.pdf`, `printq -- queue`.
            return first == "--" || arguments.dropFirst().contains(where: { isDocument($0) })
                ? submission : .command(explicitHold(arguments))
        }
        // A word with a dot or a slash is the name of a file, also if the file is missing.
        return isDocument(first) || first.contains { "./".contains($0) } ? submission : .unknownCommand(first)
    }

    /// The options that require no command.
    ///
    /// The list contains the options of printq, and the options of ArgumentParser for shells and tools.
    private static let ownOptions = [
        "-h", "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// Returns whether an argument specifies a document: a file, standard input, or a web address.
    private static func isDocument(_ word: String) -> Bool {
        word == "-" || WebDocumentFile.isAddress(word) || access(word, F_OK) == 0
    }

    /// Changes `--hold` without a time to `--hold=indefinite`, and `--hold 18:30` to `--hold=18:30`.
    ///
    /// The next argument is the value of `--hold` only if that argument looks like a time. A file named `18:30` can be
    /// written as `./18:30`.
    static func explicitHold(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return result + [argument] + rest }
            guard argument == "--hold" else {
                result.append(argument)
                continue
            }
            if let next = rest.first, isTime(next) {
                rest.removeFirst()
                result.append("--hold=\(next)")
            } else {
                result.append("--hold=indefinite")
            }
        }
        return result
    }

    /// Rewrites `--spool x queue` to `queue --spool x`, and the same for `--server`, because only subcommands accept
    /// these options.
    static func placeBehindCommand(_ arguments: [String]) -> [String] {
        guard let first = arguments.first else { return arguments }
        // `--spool=x queue` and `--spool x queue`.
        let options = ["--spool", "--server"]
        let count = options.contains(first) ? 2 : options.contains { first.hasPrefix("\($0)=") } ? 1 : 0
        guard count > 0, arguments.count > count else { return arguments }
        let rest = arguments[count...]
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return Array(rest[..<end]) + arguments[..<count] + rest[end...]
    }

    private static func isTime(_ text: String) -> Bool {
        if ["indefinite", "no-hold"].contains(text.lowercased()) { return true }
        let digits = text.filter { $0.isASCII && $0.isNumber }.count
        guard digits > 0, text.allSatisfy({ $0.isASCII && ($0.isNumber || "@:-T ".contains($0)) }) else { return false }
        return text.hasPrefix("@") || text.contains(":")
    }
}
