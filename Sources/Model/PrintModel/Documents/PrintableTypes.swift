// Describes the document types that can be printed on this machine.

/// The document types that can be printed on this machine, and the reasons why the other types cannot be printed.
public struct PrintableTypes: Sendable {
    /// All known document types, including types whose converters are not installed.
    package let registry: DocumentTypes

    /// The media types that can be printed (IPP `document-format-supported`).
    ///
    /// Media types of documents that need no converter come first.
    package let formats: [DocumentFormat]

    /// The reasons why types cannot be printed.
    private let unavailabilities: [DocumentType: WorkError]

    /// Checks which document types this machine can print.
    ///
    /// - Parameter unavailability: A closure that returns the reason why documents of a type cannot be printed, with the
    ///   Debian package to install. The closure returns nil if the documents can be printed. The closure is called once
    ///   for each type that needs a converter, before this initializer returns.
    package init(registry: DocumentTypes = .builtIn, unavailability: (DocumentType) -> WorkError?) {
        self.registry = registry
        var unavailabilities: [DocumentType: WorkError] = [:]
        for type in registry.types where type.converter.engine != .none {
            unavailabilities[type] = unavailability(type)
        }
        self.unavailabilities = unavailabilities
        formats = registry.types.filter { unavailabilities[$0] == nil }
            .sorted { $0.converter.engine == .none && $1.converter.engine != .none }.flatMap(\.formats)
    }

    /// The types of documents that already consist of pages, and therefore need no converter.
    public static let pages = PrintableTypes { type in
        type.converter == .pages
            ? nil
            : WorkError(
                .unsupportedFormat, "unsupported file type (\(type.name)); save the document as PDF")
    }

    /// Returns the reason why documents of a type cannot be printed; nil if the documents can be printed.
    package func unavailability(for type: DocumentType) -> WorkError? { unavailabilities[type] }

    /// Returns the format of a document that a client sends.
    ///
    /// The result is `octetStream` if the first bytes are not sufficient to determine the format.
    ///
    /// - Parameters:
    ///   - head: The first bytes of the document; 1,024 bytes if possible.
    ///   - name: The file name; nil if the client has sent no file name.
    ///   - declared: The format that the client has declared.
    /// - Throws: `WorkError` with `unsupportedFormat` when the document cannot be printed on this machine.
    package func format(
        ofHead head: some Collection<UInt8>, name: String?, declared: DocumentFormat
    ) throws(WorkError) -> DocumentFormat {
        if let type = registry.unprintableType(ofHead: head, name: name, declared: declared) {
            throw type.error(for: name)
        }
        if let type = registry.type(ofHead: head, name: name, declared: declared) {
            if var unavailability = unavailability(for: type) {
                unavailability.message = "\(name.map { "'\($0)'" } ?? "the document"): \(unavailability.message)"
                throw unavailability
            }
            if type.formats.contains(declared) { return declared }
            return type.formats[0]
        }
        let content = DocumentContent(head: head)
        switch content {
        case .zip where canConvert(content), .compoundFile where canConvert(content): return .octetStream
        default:
            let found = DocumentFormat.sniff(head).map { " \($0)" } ?? ""
            throw WorkError(
                .unsupportedFormat,
                "\(name.map { "'\($0)'" } ?? "the document"): unsupported file type\(found)"
                    + "; save the document as PDF")
        }
    }

    /// Returns whether this machine can convert at least one document type that matches the content.
    private func canConvert(_ content: DocumentContent) -> Bool {
        registry.types.contains { content.canBe($0) && unavailability(for: $0) == nil }
    }
}

extension WorkError {
    /// Returns the error for a document whose type cannot be determined.
    package static func unknownType(_ document: InputDocument) -> WorkError {
        WorkError(
            .unsupportedFormat,
            "'\(document.nameInMessages)': unsupported file type; save the document as PDF")
    }
}
