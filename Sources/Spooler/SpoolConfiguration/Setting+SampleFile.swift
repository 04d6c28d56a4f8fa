// Makes the sample configuration file from the table of settings.

extension Setting {
    /// The text of the sample configuration file.
    ///
    /// Every setting is commented out. Comments explain each setting: the meaning, the valid values and the default.
    ///
    /// A line that begins with `//` without a space is a setting. If the slashes are removed, the line sets the setting
    /// to its default value.
    package static var sampleFile: String {
        var text = """
            // The configuration of printd, in JSON5 (https://json5.org).
            //
            // Lines that begin with "//" and no space are settings with their defaults. To change a setting, remove the
            // slashes and change the value, or use 'printq config set KEY VALUE'. null means the default.
            //
            //   printq config check     checks this file
            //   printq config show      shows the values that printd uses
            //   printq config reload    makes printd read this file; printd also reads it on SIGHUP
            {

            """
        var group: String?
        for setting in all {
            let path = setting.path
            let parent = path.count > 1 ? path[0] : nil
            if parent != group {
                if group != nil { text += "  },\n" }
                if let parent { text += "\n  \(parent): {\n" }
                group = parent
                if parent == nil { text += "\n" }
            } else {
                text += "\n"
            }
            let indentation = parent == nil ? "  " : "    "
            for line in wrapped(setting.meaning, to: 116 - indentation.count) { text += "\(indentation)// \(line)\n" }
            for line in wrapped(setting.facts, to: 116 - indentation.count) { text += "\(indentation)// \(line)\n" }
            text += "\(indentation)//\(path[path.count - 1]): \(setting.standard.literal),\n"
        }
        return text + (group == nil ? "" : "  },\n") + "}\n"
    }

    /// A line with the valid values, the unit, the default, and whether the setting takes effect only when `printd`
    /// starts.
    private var facts: String {
        var facts = ["Values: \(range)\(unit.isEmpty ? "" : " \(unit)")", "default: \(defaultText)"]
        if needsRestart { facts.append("takes effect when printd starts") }
        return facts.joined(separator: "; ") + "."
    }

    /// Wraps a text into lines of at most `width` characters.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
