// An application of the desktop that opens documents.

public import FoundationEssentials
public import PrintModel
import ProcessLaunch

/// An application that opens documents, as described by its desktop entry (Desktop Entry Specification 1.5).
public struct DocumentApplication: Hashable, Sendable {
    /// The identifier: the name of the desktop entry, such as `org.gnome.Evince.desktop`.
    public let id: String
    /// The name of the application, for users.
    public let name: String
    /// The name of the icon; `nil` if the entry contains no icon.
    public let icon: String?
    /// The media types that the application opens.
    public let formats: [DocumentFormat]
    /// The rank of the application for the type of document: `owner`, `default` or `alternate`.
    public internal(set) var rank = DocumentType.HandlerRank.default
    /// The program and the arguments of the command line, with field codes such as `%f`.
    private let command: [String]
    private let path: String

    /// - Returns: The application; `nil` if the entry is hidden, is not an application, requires a terminal, or has no
    ///   valid command line.
    init?(id: String, entry text: String, path: String = "") {
        let values = DesktopFile(text).values(of: "Desktop Entry")
        guard values["Type"] == "Application", values["Hidden"] != "true", values["Terminal"] != "true",
            let name = values["Name"], let line = values["Exec"], let words = Self.words(DesktopFile.unescaped(line)),
            !words.isEmpty
        else { return nil }
        (self.id, self.name, icon, command, self.path) = (id, name, values["Icon"], words, path)
        formats = (values["MimeType"] ?? "").split(separator: ";").map { DocumentFormat(rawValue: String($0)) }
    }

    /// Returns the arguments of a command line; `nil` if the quotation marks are not balanced.
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

    /// Returns the command that opens a document: the program and its arguments.
    ///
    /// A field code becomes a separate argument, so that a file name is never split or interpreted. If the command line
    /// has no field code for documents, the document becomes the last argument.
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

    /// The field code `%%` becomes `%`.
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
    /// The application continues to run after this program has ended.
    ///
    /// - Throws: `PrintError` with `jobFailed` when the application cannot be started.
    public func open(_ url: URL) throws(PrintError) {
        let words = arguments(for: url)
        do { try Programs.start(words[0], Array(words.dropFirst())) } catch {
            throw PrintError(.jobFailed, "cannot open '\(url.lastPathComponent)' with \(name)", cause: error)
        }
    }
}

/// A file with groups of keys and values, such as a desktop entry or `mimeapps.list`.
struct DesktopFile {
    private var groups: [String: [String: String]] = [:]

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
