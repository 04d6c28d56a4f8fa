// Finds the type of a document among declared, printable and other types.

import DocumentFiles
import FoundationEssentials
import PrintKit
import PrintModel
import SafeFiles
import Synchronization

/// The types of documents that a program knows: its declarations, the printable types, and the types of the desktop.
public final class DocumentTypeRegistry: Sendable {
    /// The registry of all controllers that have no other registry.
    public static let shared = DocumentTypeRegistry()

    private let declared = Mutex<[DocumentTypeDeclaration]>([])

    /// Creates a registry without declarations.
    public init() {}

    /// The declarations, the newest declaration first.
    public var declarations: [DocumentTypeDeclaration] { declared.withLock { $0 } }

    /// Adds a declaration, which takes precedence over all other types.
    ///
    /// A declaration with the same preferred media type is replaced.
    public func declare(_ type: DocumentTypeDeclaration) {
        declared.withLock { types in
            types.removeAll { $0.formats.first == type.formats.first }
            types.insert(type, at: 0)
        }
    }

    /// Returns the type of a document.
    ///
    /// - Parameters:
    ///   - identifier: The uniform type identifier that the program has set; `nil` to detect the type.
    ///   - printable: The types that can be printed.
    func type(of path: String, identifier: String? = nil, printable: DocumentTypes) -> DetectedType {
        if let identifier { return type(withIdentifier: identifier, printable: printable) }
        guard DocumentKind.isRegularFile(path) else { return DetectedType() }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let head = (try? FileBytes.read(path, count: SharedMIMEDatabase.headLength)) ?? []
        let found = (try? printable.identify(InputDocument(path: path))).flatMap { printable.type(for: $0) }
        let format = SharedMIMEDatabase.format(name: name, head: head)
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        let declarations = declarations
        let declaration = declarations.first { ending.map($0.extensions.contains) == true }
        if let declaration, !head.isEmpty, !Self.isOther(found, head) {
            return DetectedType(declaration, format: declaration.formats[0], printable: found)
        }
        return detected(format, found)
    }

    /// Returns whether the bytes identify a printable format, such as PDF, whatever the name of the file.
    private static func isOther(_ printable: DocumentType?, _ head: [UInt8]) -> Bool {
        guard let printable, let format = DocumentFormat.sniff(head) else { return false }
        return printable.formats.contains(format)
    }

    private func type(withIdentifier identifier: String, printable: DocumentTypes) -> DetectedType {
        let found = printable.type(withIdentifier: identifier)
        if let declaration = declarations.first(where: { $0.identifiers.contains(identifier) }) {
            return DetectedType(declaration, format: declaration.formats[0], printable: found)
        }
        if let found { return DetectedType(found, formats: found.formats, group: Self.group(of: found.formats)) }
        let format = DocumentTypeDeclaration.identifiersOfFormats.first { $0.value == identifier }?.key
        return format.map { DetectedType(DocumentFormat(rawValue: $0)) } ?? DetectedType()
    }

    /// Combines the type of the desktop's database and the printable type.
    ///
    /// The desktop's type is more specific than plain text and source code, such as `text/calendar`. The printable type
    /// takes precedence if the types contradict each other, because the contents indicate the printable type.
    private func detected(_ format: DocumentFormat?, _ printable: DocumentType?) -> DetectedType {
        if let format, let declaration = declarations.first(where: { $0.formats.contains(format) }) {
            return DetectedType(declaration, format: format, printable: printable)
        }
        guard let printable else { return format.map { DetectedType($0) } ?? DetectedType() }
        guard let format else { return DetectedType(printable, formats: printable.formats) }
        if printable.formats.contains(format) || printable.formats.contains(SharedMIMEDatabase.canonical(format)) {
            let others = printable.converter == .sourceCode ? [] : printable.formats.filter { $0 != format }
            return DetectedType(printable, formats: [format] + others, group: Self.group(of: [format]))
        }
        switch printable.converter {
        case .text, .sourceCode, .table, .markdown:
            return DetectedType(format, printable: printable)
        default:
            let isSpecial = printable.formats.contains { SharedMIMEDatabase.isA(format, $0) }
            return DetectedType(printable, formats: (isSpecial ? [format] : []) + printable.formats)
        }
    }

    private static func group(of formats: [DocumentFormat]) -> DocumentTypeDeclaration? {
        DocumentTypeDeclaration.builtIn.first { !Set($0.formats).isDisjoint(with: formats) }
    }
}

/// The type of one document.
struct DetectedType: Hashable, Sendable {
    /// The name of the type for users; `nil` for an unknown type.
    var name: String?
    /// The uniform type identifier; `nil` if the type has no identifier.
    var identifier: String?
    /// The media types that applications open, the best media type first.
    var formats = [DocumentFormat.octetStream]
    /// The icons: paths or names, the best icon first.
    var icons: [String] = []
    /// The printable type; `nil` if the document cannot be printed.
    var printable: DocumentType?
    /// The declaration that contains the type; `nil` for other types.
    var declaration: DocumentTypeDeclaration?

    /// The type of documents about which nothing is known.
    init() {}

    /// Returns whether a destination prints documents of this type.
    ///
    /// A destination that converts no documents prints PDFs and images. A damaged document can still fail.
    func isPrinted(by destination: any PrintDestination) -> Bool {
        guard let printable else { return false }
        return destination.convertsDocuments || printable.converter == .image
            || !Set(printable.formats).isDisjoint(with: [.pdf, .jpeg])
    }

    init(_ format: DocumentFormat, printable: DocumentType? = nil) {
        name = SharedMIMEDatabase.name(of: format) ?? printable?.name ?? format.rawValue
        identifier =
            DocumentTypeDeclaration.identifiersOfFormats[SharedMIMEDatabase.canonical(format).rawValue]
            ?? printable?.identifier
        (formats, icons) = ([format], SharedMIMEDatabase.iconNames(of: format))
        self.printable = printable
    }

    /// - Parameter group: The built-in declaration that groups the type with others.
    init(_ printable: DocumentType, formats: [DocumentFormat], group: DocumentTypeDeclaration? = nil) {
        (name, identifier, self.formats) = (printable.name, printable.identifier, formats)
        icons = formats.first.map(SharedMIMEDatabase.iconNames) ?? []
        self.printable = printable
        declaration = group
    }

    init(_ declaration: DocumentTypeDeclaration, format: DocumentFormat, printable: DocumentType?) {
        name = declaration.name
        // Several media types and identifiers correspond by their order.
        let index = declaration.formats.firstIndex(of: format) ?? 0
        identifier =
            declaration.identifiers.indices.contains(index)
            ? declaration.identifiers[index] : declaration.identifiers.first
        formats = [format] + declaration.formats.filter { $0 != format }
        icons = declaration.icons.isEmpty ? SharedMIMEDatabase.iconNames(of: format) : declaration.icons
        self.printable = printable
        self.declaration = declaration
    }
}
