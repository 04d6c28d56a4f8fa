// Finds document types by media type, file extension and identifier.

/// A table of document types, with functions that find the type of a document.
///
/// The functions open no files: the callers pass the first bytes of a document.
public struct DocumentTypes: Hashable, Sendable {
    /// A type takes precedence over the types that follow in the list.
    ///
    /// `adding` puts types at the start of the list.
    package private(set) var types: [DocumentType]

    private var byFormat: [DocumentFormat: Int] = [:]
    private var byExtension: [String: Int] = [:]
    private var byIdentifier: [String: Int] = [:]

    /// If several types have the same media type or extension, the first type takes precedence.
    package init(_ types: [DocumentType]) {
        self.types = types
        for (index, type) in types.enumerated().reversed() {
            for format in type.formats { byFormat[format] = index }
            for ending in type.extensions { byExtension[ending.lowercased()] = index }
            byIdentifier[type.identifier] = index
        }
    }

    /// The additional types take precedence over the types of this registry.
    package func adding(_ added: [DocumentType]) -> DocumentTypes {
        added.isEmpty ? self : DocumentTypes(added + types)
    }

    /// Returns the document type that has the given media type; nil when no type has this media type.
    package func type(for format: DocumentFormat) -> DocumentType? { byFormat[format].map { types[$0] } }

    /// Returns the document type that has the given file extension; nil when no type has this extension.
    ///
    /// The extension has no dot, and its case is ignored.
    package func type(forExtension ending: String) -> DocumentType? {
        byExtension[ending.lowercased()].map { types[$0] }
    }

    /// Returns the document type for the extension of a file name; nil when no type has this extension.
    package func type(forName name: String) -> DocumentType? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return type(forExtension: String(name[name.index(after: dot)...]))
    }

    /// Returns the document type that has the given uniform type identifier; nil when no type has this identifier.
    package func type(withIdentifier identifier: String) -> DocumentType? { byIdentifier[identifier].map { types[$0] } }

    /// Returns the document type that the first bytes, the file name and the declared format indicate.
    ///
    /// If the bytes identify a type, the function returns that type. Otherwise the function returns the type of the
    /// extension, or else the type of the declared format. The bytes must be compatible with the returned type. If the
    /// bytes are text, and neither the extension nor the declared format indicates a compatible type, the function
    /// returns plain text. The content of the whole document can indicate another type.
    ///
    /// - Parameters:
    ///   - head: The first bytes of the document; 1,024 bytes if possible.
    ///   - name: The file name; nil if the client has sent no file name.
    ///   - declared: The format that the client has declared.
    /// - Returns: The type; nil when the type is unknown.
    package func type(
        ofHead head: some Collection<UInt8>, name: String? = nil, declared: DocumentFormat? = nil
    ) -> DocumentType? {
        let content = DocumentContent(head: head)
        if case .format(let format) = content, let type = type(for: format) { return type }
        let hints = [name.flatMap(type(forName:)), declared.flatMap { self.type(for: $0) }].compactMap(\.self)
        if let type = hints.first(where: { content.canBe($0) }) { return type }
        return content == .text ? type(for: .text) : nil
    }

    /// Returns the type of a file that is no printable document; nil if the file may be a document of this table.
    ///
    /// The name and the first bytes are those of `type(ofHead:name:declared:)`. Archives need more than the first bytes.
    package func unprintableType(
        ofHead head: some Collection<UInt8>, name: String?, declared: DocumentFormat?
    ) -> UnprintableType? {
        guard case .unknown = DocumentContent(head: head), let found = UnprintableType.type(ofHead: head),
            !found.formats.contains(where: { type(for: $0) != nil })
        else { return nil }
        switch type(ofHead: head, name: name, declared: declared)?.converter {
        case .program: return nil
        default: break
        }
        // A compressed drawing is a gzip archive.
        let hints = [name.flatMap(type(forName:)), declared.flatMap { type(for: $0) }]
        return hints.contains { $0?.converter == .drawing } ? nil : found
    }

    /// Returns the type of a document if no other part of its content can indicate another type; otherwise nil.
    ///
    /// This is the case if the first bytes identify a format, for registered types, and for plain text, tables, Markdown
    /// and e-mail with a known extension. The name and the first bytes are those of `type(ofHead:name:declared:)`.
    package func evidentType(ofHead head: [UInt8], name: String, declared: DocumentFormat?) -> DocumentType? {
        if let format = DocumentFormat.sniff(head), let type = type(for: format) { return type }
        let likely = type(ofHead: head, name: name, declared: declared)
        switch likely?.converter {
        // Workers do not know registered types.
        case .program: return likely
        case .text, .table, .markdown, .email:
            return likely == type(forName: name) && !Self.canBeMarkup(head) ? likely : nil
        case .pages, .image, .drawing, .preview, .html, .book, .sourceCode, .office, .postScript, nil: return nil
        }
    }

    /// Returns whether a text begins with an angle bracket, after white space, or whether the text is UTF-16.
    private static func canBeMarkup(_ head: [UInt8]) -> Bool {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        let first = text.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return first == nil || first == UInt8(ascii: "<")
    }

    /// Returns the name that indicates the type of a document: its name if that has a known extension, otherwise its
    /// path.
    package func name(of document: InputDocument) -> String {
        document.name.flatMap { type(forName: $0) == nil ? nil : $0 } ?? document.path
    }
}

/// The type of content that the first bytes of a document indicate.
public enum DocumentContent: Hashable, Sendable {
    /// A format that the first bytes identify.
    case format(DocumentFormat)
    /// A ZIP archive, the container of Office, OpenDocument and iWork documents.
    case zip
    /// A compound file, the container of Office documents before 2007.
    case compoundFile
    /// Text, in UTF-8, UTF-16 or another encoding.
    case text
    case unknown

    /// Classifies the first bytes of a document.
    package init(head: some Collection<UInt8>) {
        let bytes = Array(head.prefix(1024))
        if let format = DocumentFormat.sniff(bytes) {
            self = .format(format)
        } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            self = .zip
        } else if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self = .compoundFile
        } else {
            self = Self.isText(bytes) ? .text : .unknown
        }
    }

    /// Returns whether a document of the given type can begin with bytes of this classification.
    package func canBe(_ type: DocumentType) -> Bool {
        switch self {
        case .format(let format): type.formats.contains(format)
        case .zip:
            switch type.converter {
            case .office, .preview, .book, .program: true
            default: false
            }
        case .compoundFile:
            switch type.converter {
            case .office, .program: true
            default: false
            }
        case .text:
            switch type.converter {
            case .text, .table, .drawing, .html, .markdown, .email, .sourceCode, .office, .program: true
            case .image: type.formats.contains(.xbm)
            case .pages, .preview, .book, .postScript: false
            }
        case .unknown:
            switch type.converter {
            case .image, .program: true
            default: false
            }
        }
    }

    /// Returns whether bytes are text.
    ///
    /// Text contains only the control characters that text files use, such as tab, line feed and ESC. Bytes that begin
    /// with a UTF-16 byte order mark are also text. UTF-16 without a byte order mark is not recognized.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        let controls: Set<UInt8> = [0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B]
        return !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || controls.contains($0) }
    }
}
