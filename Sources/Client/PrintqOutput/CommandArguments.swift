// Rewrites arguments that the parser cannot handle.

/// Conversions of a command line into the form that the parser accepts.
package enum CommandArguments {
    /// Returns the arguments in the parser's form: each `--hold` has a value, and `--spool` follows the subcommand.
    package static func prepared(_ arguments: [String]) -> [String] {
        explicitHold(spoolBehindCommand(arguments))
    }

    /// Replaces `--hold` without a time by `--hold=indefinite`, and `--hold 18:30` by `--hold=18:30`.
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

    /// Rewrites `--spool x queue` to `queue --spool x`, because only subcommands accept `--spool`.
    static func spoolBehindCommand(_ arguments: [String]) -> [String] {
        guard let first = arguments.first else { return arguments }
        let count = first == "--spool" ? 2 : first.hasPrefix("--spool=") ? 1 : 0
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
