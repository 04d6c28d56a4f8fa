// An application of the desktop that opens documents.

public import FoundationEssentials
public import PrintModel
import ProcessLaunch

/// An application that opens documents, from its desktop entry (Desktop Entry Specification 1.5).
public struct DocumentApplication: Hashable, Sendable {
    /// The identifier: the name of the desktop entry, such as `org.gnome.Evince.desktop`.
    public let id: String
    /// The name for users.
    public let name: String
    /// The name of the icon; nil if the entry names no icon.
    public let icon: String?
    /// The media types that the application opens.
    public let formats: [DocumentFormat]
    /// The suitability of the application for the documents for which it was found.
    public internal(set) var rank = DocumentType.HandlerRank.default
    /// The words of the command line, with field codes such as `%f`.
    private let command: [String]
    private let path: String

    /// Reads a desktop entry.
    ///
    /// - Parameters:
    ///   - id: The name of the desktop entry.
    ///   - text: The contents of the file.
    ///   - path: The path of the file.
    /// - Returns: Nil if the entry is hidden, is no application, requires a terminal, or has no valid command line.
    init?(id: String, entry text: String, path: String = "") {
        let values = DesktopFile(text).values(of: "Desktop Entry")
        guard values["Type"] == "Application", values["Hidden"] != "true", values["Terminal"] != "true",
            let name = values["Name"], let line = values["Exec"], let words = Self.words(DesktopFile.unescaped(line)),
            !words.isEmpty
        else { return nil }
        (self.id, self.name, icon, command, self.path) = (id, name, values["Icon"], words, path)
        formats = (values["MimeType"] ?? "").split(separator: ";").map { DocumentFormat(rawValue: String($0)) }
    }

    /// Returns the words of a command line; nil if its quotation marks are not balanced.
    ///
    /// Inside quotation marks, a backslash escapes `"`, `` ` ``, `$` and `\`. No shell reads the line.
    static func words(_ line: String) -> [String]? {
        var (words, word, isQuoted, isOpen) = ([String](), "", false, false)
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                isQuoted.toggle()
                isOpen = true
            case "\\" where isQuoted:
                guard let next = rest.popFirst() else { return nil }
                word.append(next)
            case " ", "\t":
                if isQuoted {
                    word.append(character)
                } else if isOpen || !word.isEmpty {
                    words.append(word)
                    (word, isOpen) = ("", false)
                }
            default: word.append(character)
            }
        }
        guard !isQuoted else { return nil }
        return isOpen || !word.isEmpty ? words + [word] : words
    }

    /// Returns the program and its arguments that open a document.
    ///
    /// A word that consists of a field code becomes separate arguments, so a file name is never split or interpreted.
    /// The document is the last argument of a command line without a field code for documents.
    func arguments(for url: URL) -> [String] {
        var (arguments, hasDocument) = ([String](), false)
        for word in command {
            switch word {
            case "%f", "%F":
                arguments.append(url.isFileURL ? url.path : url.absoluteString)
                hasDocument = true
            case "%u", "%U":
                arguments.append(url.absoluteString)
                hasDocument = true
            case "%i": if let icon { arguments += ["--icon", icon] }
            case "%c": arguments.append(name)
            case "%k": arguments.append(path)
            default: arguments.append(Self.withoutCodes(word))
            }
        }
        if !hasDocument { arguments.append(url.isFileURL ? url.path : url.absoluteString) }
        return arguments
    }

    /// Returns a word without field codes; `%%` becomes `%`.
    private static func withoutCodes(_ word: String) -> String {
        var (result, rest) = ("", word[...])
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            if rest.popFirst() == "%" { result.append("%") }
        }
        return result
    }

    /// Starts the application with a document.
    ///
    /// The application continues after this program has ended.
    ///
    /// - Throws: `PrintError` with `jobFailed` when the application cannot be started.
    public func open(_ url: URL) throws(PrintError) {
        let words = arguments(for: url)
        do { try Programs.start(words[0], Array(words.dropFirst())) } catch {
            throw PrintError(.jobFailed, "cannot open '\(url.lastPathComponent)' with \(name)", cause: error)
        }
    }
}

/// A file in groups of keys and values, as desktop entries and `mimeapps.list`.
struct DesktopFile {
    private var groups: [String: [String: String]] = [:]

    /// Reads a file; lines that are not valid are ignored, and the first of several equal keys counts.
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

    /// Returns the keys and values of a group.
    func values(of group: String) -> [String: String] { groups[group] ?? [:] }

    /// Returns the items of a list.
    func list(_ key: String, in group: String) -> [String] {
        (groups[group]?[key] ?? "").split(separator: ";").map(String.init)
    }

    /// Replaces the escape sequences of a value: `\s`, `\n`, `\t`, `\r` and `\\`.
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
