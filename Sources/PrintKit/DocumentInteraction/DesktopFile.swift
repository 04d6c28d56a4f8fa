// Reads desktop entries and other files with groups of keys.

import SafeFiles

/// A file with groups of keys and values, such as a desktop entry or `mimeapps.list`.
struct DesktopFile {
    private var groups: [String: [String: String]] = [:]

    /// Returns `nil` if the file cannot be read.
    init?(path: String) {
        guard let text = Self.text(of: path) else { return nil }
        self.init(text)
    }

    /// Returns the first MiB of a text file, or `nil` if the file cannot be read.
    static func text(of path: String) -> String? {
        guard let bytes = try? FileBytes.read(path, count: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ignores invalid lines; if a key occurs several times, the first value applies.
    init(_ text: String) {
        var group = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            let line = line.trimmingSpaces
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
            } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                let key = String(line[..<equals].trimmingSpaces)
                if groups[group]?[key] == nil {
                    groups[group, default: [:]][key] = String(line[line.index(after: equals)...].trimmingSpaces)
                }
            }
        }
    }

    func values(of group: String) -> [String: String] { groups[group] ?? [:] }

    /// Returns the items of a semicolon-separated list; empty if the group does not contain the key.
    func list(_ key: String, in group: String) -> [String] {
        (groups[group]?[key] ?? "").split(separator: ";").map(String.init)
    }

    /// Returns a value after replacing its escape sequences: `\s`, `\n`, `\t`, `\r` and `\\`.
    static func unescaped(_ value: String) -> String {
        var (result, rest) = ("", value[...])
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch next {
            case "s": result.append(" ")
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "\\": result.append("\\")
            default: result += "\\\(next)"
            }
        }
        return result
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
        return text
    }
}
