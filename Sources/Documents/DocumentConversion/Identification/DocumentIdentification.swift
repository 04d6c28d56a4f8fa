// Determines the type of a document from its content, its name and its declared format.

import DocumentFiles
import PrintModel

/// The rules that determine the type of a document.
///
/// The content has the highest priority, followed by the extension of the name and the declared format. The content of
/// a text file rarely proves its type. Therefore a specific extension (`csv`, `md`, `c`) has priority over a guess from
/// the content.
struct DocumentIdentification {
    private let registry = DocumentTypes.builtIn
    private let file: DocumentReader
    private let head: [UInt8]
    private let name: String
    private let declared: DocumentFormat?

    /// Reads the first bytes of a document.
    ///
    /// - Throws: `WorkError` when the file is missing, is not a regular file, or is empty.
    init(_ document: InputDocument) throws(WorkError) {
        file = try DocumentReader(document)
        head = try file.bytes(count: 65_536)
        let given = document.name ?? ""
        name = Self.ending(of: given) == nil ? document.path : given
        declared = document.format
    }

    /// Returns the media type of the document; nil if the type is unknown.
    func format() throws(WorkError) -> DocumentFormat? {
        switch DocumentContent(head: head) {
        case .format(let format): return registry.type(for: format) == nil ? nil : format
        case .zip: return office(try OfficeContainer.zip(file), .zip)
        case .compoundFile: return office(try OfficeContainer.compoundFile(file), .compoundFile)
        case .text: return text()
        case .unknown: return TextEncoding.isText(head) ? text() : binary()
        }
    }

    // MARK: Containers

    private func office(_ finding: OfficeContainer.Finding, _ content: DocumentContent) -> DocumentFormat? {
        switch finding {
        case .format(let format):
            return known(format)
        case .iWork:
            let hint = hints.first { $0.converter == .preview }
            return hint?.formats.first ?? DocumentFormat(rawValue: "application/vnd.apple.pages")
        case .unreadable:
            if let format = magic, let type = registry.type(for: format), content.canBe(type) { return format }
            return hints.first(where: content.canBe)?.formats.first
        case .other:
            return nil
        }
    }

    /// Returns the given format; nil if the type registry does not contain the format.
    private func known(_ format: DocumentFormat) -> DocumentFormat? {
        registry.type(for: format) == nil ? nil : format
    }

    // MARK: Binary files

    private func binary() -> DocumentFormat? {
        let isCompressed = head.starts(with: [0x1F, 0x8B])
        if isCompressed {
            return hints.contains { $0.converter == .drawing } ? DocumentFormat(rawValue: "image/svg+xml") : nil
        }
        if let magic {
            // A type that libmagic knows and the registry does not: a film is no image, whatever its name is.
            guard let type = registry.type(for: magic) else { return textWithControls }
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
            TextEncoding.controlShare(of: head) < 0.05
        else { return nil }
        return hint.formats.first
    }

    // MARK: Text

    private func text() -> DocumentFormat? {
        let content = TextContent(head: head)
        let named = registry.type(forName: name).flatMap { canBeText($0) ? $0 : nil }
        if let markup = content.markup, let type = registry.type(for: markup) {
            switch named?.converter {
            case nil, .text: return markup
            case .sourceCode where type.converter == .drawing && content.isXML: return markup
            default: break
            }
        }
        if let named { return format(of: named) }
        if ["makefile", "gnumakefile"].contains(Self.lastComponent(name).lowercased()) {
            return DocumentFormat(rawValue: "text/x-makefile")
        }
        if let declared, let type = registry.type(for: declared), canBeText(type) { return declared }
        return guess(content)
    }

    /// Guesses the media type of a text file from the content.
    ///
    /// Use this function only if the name and the declared format do not determine the type.
    private func guess(_ content: TextContent) -> DocumentFormat {
        if content.isEmail { return DocumentFormat(rawValue: "message/rfc822") }
        if content.isXML { return DocumentFormat(rawValue: "application/xml") }
        guard let magic, let type = registry.type(for: magic) else { return .text }
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
        guard type.converter == .sourceCode else { return type.formats.first }
        return Self.ending(of: name).flatMap { Self.languages[$0.lowercased()] }.map(DocumentFormat.init(rawValue:))
            ?? type.formats.first
    }

    private func canBeText(_ type: DocumentType) -> Bool {
        // A text named .doc is a text: Office formats that are text have their own first bytes.
        type.converter != .office && DocumentContent.text.canBe(type)
    }

    // MARK: Hints

    private var magic: DocumentFormat? { MagicDatabase.mediaType(of: file.descriptor) }

    /// The document types that the file name and the declared format indicate.
    private var hints: [DocumentType] {
        [registry.type(forName: name), declared.flatMap { registry.type(for: $0) }].compactMap(\.self)
    }

    private static func lastComponent(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

    /// Returns the extension of a file name; nil if no document type has this extension.
    private static func ending(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), DocumentTypes.builtIn.type(forName: name) != nil else {
            return nil
        }
        return String(name[name.index(after: dot)...])
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
