// What the parser cannot know of a command line is made plain before it reads it.

/// A command line as people write it, and as the parser takes it.
package enum CommandArguments {
    /// The arguments with every `--hold` explicit, and a `--spool` before the command moved behind it.
    package static func prepared(_ arguments: [String]) -> [String] {
        explicitHold(spoolBehindCommand(arguments))
    }

    /// The arguments, where `--hold` without a time has become `--hold=indefinite`, and `--hold 18:30` `--hold=18:30`.
    ///
    /// What follows `--hold` is its value only when it reads as one; a file of such a name is written `./18:30`.
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

    /// `--spool x queue` becomes `queue --spool x`: every command has the option, the program itself has not.
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
