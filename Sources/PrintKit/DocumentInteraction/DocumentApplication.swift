// An application of the desktop that opens documents.

import AsyncPrimitives
public import FoundationEssentials
import Glibc
public import PrintKit
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
    /// Whether the application opens documents over the session bus (`DBusActivatable`).
    public let isDBusActivatable: Bool
    /// The program and the arguments of the command line, with field codes such as `%f`.
    private let command: [String]
    private let path: String

    /// - Returns: The application; `nil` if the entry is hidden, is not an application, requires a terminal, or has
    ///   neither a valid command line nor a name on the session bus.
    init?(id: String, entry text: String, path: String = "") {
        let values = DesktopFile(text).values(of: "Desktop Entry")
        guard values["Type"] == "Application", values["Hidden"] != "true", values["Terminal"] != "true",
            let name = values["Name"]
        else { return nil }
        isDBusActivatable =
            values["DBusActivatable"] == "true" && id.hasSuffix(".desktop")
            && SessionBus.isName(String(id.dropLast(".desktop".count)))
        let words = values["Exec"].flatMap { Self.words(DesktopFile.unescaped($0)) } ?? []
        guard !words.isEmpty || isDBusActivatable else { return nil }
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

    /// Opens a document in the application.
    ///
    /// The application continues to run after this program has ended. An application with `isDBusActivatable` receives
    /// the document over the session bus, with the source and the annotation in its platform data. If the bus cannot be
    /// reached, and for other applications, the command of the desktop entry is started, with the source and the
    /// annotation in `OpenedDocument.environmentVariable`. Applications that do not read this data ignore it.
    ///
    /// - Parameters:
    ///   - source: The identifier of this program; `nil` for the name of its desktop entry or of the program.
    ///   - annotation: Custom data for the application, up to 64 KiB as JSON.
    /// - Throws: `PrintError` with `jobFailed` when the application cannot be started.
    public func open(
        _ url: URL, from source: String? = nil, annotation: (any Encodable & Sendable)? = nil
    ) async throws(PrintError) {
        let message = try OpenMessage(url, source: source ?? OpenMessage.ownIdentifier(), annotation: annotation)
        try await open(message, url, bus: nil)
    }

    /// - Parameter address: The address of the session bus; `nil` for the session bus of the user.
    func open(_ message: OpenMessage, _ url: URL, bus address: String?) async throws(PrintError) {
        if isDBusActivatable {
            let name = String(id.dropLast(".desktop".count))
            let token = getenv("XDG_ACTIVATION_TOKEN") ?? getenv("DESKTOP_STARTUP_ID")
            let text = token.map { String(cString: $0) }
            do throws(PrintError) {
                return try await BlockingThreads.shared.run { () throws(PrintError) in
                    try SessionBus(address: address).open(message, in: name, token: text)
                }
            } catch {
                guard !command.isEmpty else { throw failure(url, cause: error) }
            }
        }
        let words = arguments(for: url)
        do {
            try Programs.start(
                words[0], Array(words.dropFirst()), environment: [OpenedDocument.environmentVariable: message.json])
        } catch { throw failure(url, cause: error) }
    }

    private func failure(_ url: URL, cause: any Error) -> PrintError {
        PrintError(.jobFailed, "cannot open '\(url.lastPathComponent)' with \(name)", cause: cause)
    }
}
