// `--hold [until]`: an option whose value may be left out.

import PrintModel

/// Makes the value of `--hold` explicit, since a parser cannot know whether what follows is a time or a file.
package enum HoldArgument {
    /// The arguments, where `--hold` without a time has become `--hold=indefinite`, and `--hold 18:30` `--hold=18:30`.
    ///
    /// What follows `--hold` is its value only when it reads as one; a file of such a name is written `./18:30`.
    package static func explicit(_ arguments: [String]) -> [String] {
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

    private static func isTime(_ text: String) -> Bool {
        if ["indefinite", "no-hold"].contains(text.lowercased()) { return true }
        let digits = text.filter { $0.isASCII && $0.isNumber }.count
        guard digits > 0, text.allSatisfy({ $0.isASCII && ($0.isNumber || "@:-T ".contains($0)) }) else { return false }
        return text.hasPrefix("@") || text.contains(":")
    }
}
