// Recognizes Office documents before LibreOffice opens them.

import DocumentFiles
import PrintModel

/// The kind of an Office document, determined from the content of the file.
///
/// LibreOffice reads any bytes as text if it recognizes no other format. Therefore the process checks the content
/// before LibreOffice opens the file. After loading, the kind of the document must match this kind.
enum OfficeContent: Equatable {
    case document(OfficeModule)
    /// An encrypted Office Open XML document, whose kind is unknown.
    case encrypted
    /// An encrypted presentation in a format that LibreOffice cannot decrypt.
    case encryptedPresentation
    /// Content that is not an Office document.
    case other

    /// - Throws: `WorkError` when the file cannot be read.
    init(_ document: InputDocument) throws(WorkError) {
        let file = try DocumentReader(document)
        switch try OfficeContainer(file) {
        case .document(let format): self.init(format)
        case .encrypted: self = .encrypted
        case .encryptedPresentation: self = .encryptedPresentation
        case .iWork, .other, .unreadable: self = .other
        case nil:
            let head = try file.bytes(count: 4096)
            self.init(DocumentFormat.sniff(head.prefix(1024)) ?? TextContent.markup(ofHead: head))
        }
    }

    private init(_ format: DocumentFormat?) {
        let type = format.flatMap { DocumentTypes.builtIn.type(for: $0) }
        self = type.flatMap { OfficeModule($0) }.map { .document($0) } ?? .other
    }

    /// Returns whether the kind of a loaded document matches the content of the file.
    func matches(_ kind: LoadedKind) -> Bool {
        switch self {
        case .document(.writer): kind == .text
        case .document(.calc): kind == .spreadsheet
        case .document(.impress): kind == .presentation
        case .encrypted: true
        case .encryptedPresentation, .other: false
        }
    }
}
