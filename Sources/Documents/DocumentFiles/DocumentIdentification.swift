// Determines the type of a document from its content, its name and its declared format.

package import PrintModel

/// The libraries that recognize content, which only `print-worker` links.
package struct ContentRecognizer: Sendable {
    /// Returns the media type of an open file from a database of file types; nil if the database does not contain it.
    package var mediaType: @Sendable (_ descriptor: Int32) -> DocumentFormat?
    /// Returns whether bytes are text in any encoding, including UTF-16.
    package var isText: @Sendable (_ head: [UInt8]) -> Bool
    /// Returns the beginning of a text in any encoding as UTF-8, without the byte order mark.
    package var decode: @Sendable (_ head: [UInt8]) -> [UInt8]

    /// Creates a recognizer from functions of libraries.
    package init(
        mediaType: @escaping @Sendable (_ descriptor: Int32) -> DocumentFormat?,
        isText: @escaping @Sendable (_ head: [UInt8]) -> Bool, decode: @escaping @Sendable (_ head: [UInt8]) -> [UInt8]
    ) {
        (self.mediaType, self.isText, self.decode) = (mediaType, isText, decode)
    }

    /// A recognizer without libraries, for UTF-8 text.
    package static let none = ContentRecognizer(mediaType: { _ in nil }, isText: { _ in false }, decode: { $0 })
}

extension DocumentTypes {
    /// Returns the media type of a document; nil if the type is unknown.
    ///
    /// Only `print-worker`, which passes a recognizer, can identify source code and text in other encodings than UTF-8
    /// by their content.
    ///
    /// - Throws: `WorkError` when the file is missing, is not a regular file, is empty, or cannot be read; with
    ///   `unsupportedFormat` when the file has a known type that cannot be printed.
    package func identify(
        _ document: InputDocument, with recognizer: ContentRecognizer = .none
    ) throws(WorkError) -> DocumentFormat? {
        let file = try DocumentReader(document)
        return try DocumentIdentification(
            types: self, recognizer: recognizer, file: file, head: file.bytes(count: 65_536), name: name(of: document),
            declared: document.format, document: document.nameInMessages
        ).format()
    }
}

/// The rules that determine the type of a document.
///
/// The content has the highest priority, followed by the extension of the name and the declared format. The content of
/// a text file rarely proves its type. Therefore a specific extension (`csv`, `md`, `c`) has priority over a guess from
/// the content.
private struct DocumentIdentification {
    let types: DocumentTypes
    let recognizer: ContentRecognizer
    let file: DocumentReader
    let head: [UInt8]
    let name: String
    let declared: DocumentFormat?
    /// The name of the document in messages.
    let document: String

    func format() throws(WorkError) -> DocumentFormat? {
        if let type = types.unprintableType(ofHead: head, name: name, declared: declared) {
            throw type.error(for: document)
        }
        let content = DocumentContent(head: head)
        switch content {
        case .format(let format): return known(format)
        case .zip, .compoundFile: return try office(content)
        case .text: return text()
        case .unknown: return recognizer.isText(head) ? text() : binary()
        }
    }

    // MARK: Containers

    private func office(_ content: DocumentContent) throws(WorkError) -> DocumentFormat? {
        switch try OfficeContainer(file) {
        case .document(let format): return known(format)
        case .encryptedPresentation: return known(DocumentFormat(rawValue: "application/vnd.ms-powerpoint"))
        case .iWork:
            let hint = hints.first { $0.converter == .preview }
            return hint?.formats.first ?? DocumentFormat(rawValue: "application/vnd.apple.pages")
        case .encrypted:
            // LibreOffice finds the type after the decryption.
            let hint = hints.first(where: content.canBe)?.formats.first
            return hint
                ?? known(
                    DocumentFormat(
                        rawValue: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"))
        case .unreadable:
            if let format = magic, let type = types.type(for: format), content.canBe(type) { return format }
            return hints.first(where: content.canBe)?.formats.first
        case .other(let type):
            if let format = type.formats.first(where: { types.type(for: $0) != nil }) { return format }
            throw type.error(for: document)
        case nil: return nil
        }
    }

    /// Returns the given format; nil if no document type has the format.
    private func known(_ format: DocumentFormat) -> DocumentFormat? { types.type(for: format) == nil ? nil : format }

    // MARK: Binary files

    private func binary() -> DocumentFormat? {
        let isCompressed = head.starts(with: [0x1F, 0x8B])
        if isCompressed {
            return hints.contains { $0.converter == .drawing } ? DocumentFormat(rawValue: "image/svg+xml") : nil
        }
        if let magic {
            // A type that libmagic knows and the table does not: a film is no image, whatever its name is.
            guard let type = types.type(for: magic) else { return textWithControls }
            if type.converter == .image || type.converter == .office { return magic }
            return textWithControls
        }
        return textWithControls ?? hints.first(where: DocumentContent.unknown.canBe)?.formats.first
    }

    /// The text or table format that the file name or the declared format indicates, for a document with a few control
    /// characters, such as a log file.
    ///
    /// The value is nil for other documents.
    private var textWithControls: DocumentFormat? {
        guard let hint = hints.first, hint.converter == .text || hint.converter == .table,
            TextContent.controlShare(of: head) < 0.05
        else { return nil }
        return hint.formats.first
    }

    // MARK: Text

    private func text() -> DocumentFormat? {
        let content = TextContent(utf8: recognizer.decode(head))
        let named = types.type(forName: name).flatMap { canBeText($0) ? $0 : nil }
        if let markup = content.markup, let type = types.type(for: markup) {
            switch named?.converter {
            case nil, .text: return markup
            case .sourceCode where [.drawing, .office].contains(type.converter) && content.isXML: return markup
            default: break
            }
        }
        if let named { return format(of: named) }
        let last = name.split(separator: "/").last ?? ""
        if ["makefile", "gnumakefile"].contains(last.lowercased()) {
            return DocumentFormat(rawValue: "text/x-makefile")
        }
        if let declared, let type = types.type(for: declared), canBeText(type) { return declared }
        return guess(content)
    }

    /// Guesses the media type of a text file from the content.
    ///
    /// Use this function only if the name and the declared format do not determine the type.
    private func guess(_ content: TextContent) -> DocumentFormat {
        if content.isEmail { return DocumentFormat(rawValue: "message/rfc822") }
        if content.isXML { return DocumentFormat(rawValue: "application/xml") }
        guard let magic, let type = types.type(for: magic) else { return .text }
        switch type.converter {
        case .html where content.startsWithTag: return magic
        case .image where magic == .xbm: return magic
        // Prose resembles many languages. Only an interpreter or a complete JSON document is proof.
        case .sourceCode where content.isScript || magic.rawValue == "application/json" && content.startsWithBracket:
            return magic
        default: return .text
        }
    }

    /// Returns the media type for a document type.
    ///
    /// For source code, the file name extension determines the media type.
    private func format(of type: DocumentType) -> DocumentFormat? {
        guard type.converter == .sourceCode, let dot = name.lastIndex(of: ".") else { return type.formats.first }
        return Self.languages[name[name.index(after: dot)...].lowercased()].map(DocumentFormat.init(rawValue:))
            ?? type.formats.first
    }

    private func canBeText(_ type: DocumentType) -> Bool {
        // A text named .doc is a text: Office formats that are text have their own first bytes.
        type.converter != .office && DocumentContent.text.canBe(type)
    }

    // MARK: Hints

    private var magic: DocumentFormat? { recognizer.mediaType(file.descriptor) }

    /// The document types that the file name and the declared format indicate.
    private var hints: [DocumentType] {
        [types.type(forName: name), declared.flatMap { types.type(for: $0) }].compactMap(\.self)
    }

    /// The media types of source code, by file name extension in lower case.
    private static let languages: [String: String] = [
        "c": "text/x-csrc", "h": "text/x-chdr", "cc": "text/x-c++src", "cpp": "text/x-c++src", "cxx": "text/x-c++src",
        "swift": "text/x-swift", "py": "text/x-python", "java": "text/x-java", "rb": "text/x-ruby",
        "pl": "text/x-perl", "pm": "text/x-perl", "sh": "text/x-shellscript", "bash": "text/x-shellscript",
        "rs": "text/x-rust", "go": "text/x-go", "diff": "text/x-diff", "patch": "text/x-patch", "php": "text/x-php",
        "lua": "text/x-lua", "sql": "text/x-sql", "css": "text/css", "js": "text/javascript",
        "mjs": "text/javascript", "json": "application/json", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "toml": "application/toml", "mk": "text/x-makefile",
    ]
}
