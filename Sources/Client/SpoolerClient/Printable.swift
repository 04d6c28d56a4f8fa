// Makes text from other users safe to show on a terminal.

import Glibc

extension String {
    /// The text with the character `·` in place of every control character.
    ///
    /// Therefore a job name cannot send commands to the terminal.
    package var printable: String {
        if isPlain { return self }
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "·" : $0 }))
    }

    /// Returns the text as a program writes it to a descriptor: on a terminal, without terminal commands.
    ///
    /// Each program calls this function in the one place where it writes text, so that the names of jobs, printers and
    /// files need no further check. A pipe or a file receives the text without changes.
    package func shown(on descriptor: Int32) -> String { isatty(descriptor) == 1 ? withoutTerminalCommands : self }

    /// The lines of the text with the character `·` in place of every control character, except tabs and the colors
    /// of `Tone` (`ESC [ … m`).
    package var withoutTerminalCommands: String {
        guard unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" }) else { return self }
        var shown = String.UnicodeScalarView()
        var rest = Substring(self).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar.isControl, scalar != "\n", scalar != "\t" else {
                shown.append(scalar)
                continue
            }
            let parameters = rest.dropFirst().prefix { ("0"..."9").contains($0) || $0 == ";" }
            if scalar == "\u{1B}", rest.first == "[", rest[parameters.endIndex...].first == "m" {
                let end = rest.index(after: parameters.endIndex)
                shown.append(scalar)
                shown += rest[..<end]
                rest = rest[end...]
            } else {
                shown.append("·")
            }
        }
        return String(shown)
    }

    /// The width of the text in terminal columns.
    package var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + $1.columns } }

    /// Whether the text contains only printable ASCII characters.
    ///
    /// This check is a fast path for long lists of jobs.
    private var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// Returns the text truncated to `width` columns.
    ///
    /// Truncated text ends with `…`.
    package func truncated(to width: Int) -> String {
        guard columns > width else { return self }
        var used = 1
        let kept = prefix {
            used += $0.columns
            return used <= width
        }
        return width > 0 ? kept + "…" : ""
    }
}

extension Unicode.Scalar {
    /// Whether the character is a C0 or C1 control, a line or paragraph separator, or a mark that changes the text
    /// direction.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Character {
    /// The width of the character in terminal columns: 2 for emoji and wide East Asian characters, otherwise 1.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first?.value, scalar >= 0x1100 else { return 1 }
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
