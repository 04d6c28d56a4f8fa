// Describes the document types that the spool prints, for `printq types`.

import IPP
import PrintModel

extension SpoolService {
    /// The name of the attribute that contains all document types.
    static let documentTypesName = "printq-document-types"

    /// Returns the document types as an attribute with one collection for each type.
    ///
    /// `type-state-message` gives the reason why documents of a type cannot be printed on this machine.
    static func documentTypes(_ types: PrintableTypes) -> Attribute {
        Attribute(
            documentTypesName,
            types.registry.types.map { type in
                var members = [
                    Attribute("type-name", .text(type.name)),
                    Attribute("type-identifier", .name(type.identifier)),
                    Attribute("type-formats", type.formats.map { .mimeMediaType($0.rawValue) }),
                    Attribute("type-extensions", type.extensions.map { .name($0) }),
                    Attribute("type-converter", .keyword(keyword(of: type.converter))),
                    Attribute("type-rank", .keyword(type.rank.rawValue)),
                ]
                if let unavailability = types.unavailability(for: type) {
                    members.append(Attribute("type-state-message", .text(unavailability.message)))
                }
                return .collection(Collection(members.filter { !$0.values.isEmpty }))
            })
    }

    private static func keyword(of converter: DocumentConverter) -> String {
        switch converter {
        case .pages: "none"
        case .office: "libreoffice"
        case .postScript: "ghostscript"
        case .program(let program): program.name
        case .html, .markdown, .email, .book, .sourceCode: "weasyprint"
        case .text, .table, .image, .drawing, .preview: "print-worker"
        }
    }
}
