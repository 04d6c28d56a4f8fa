// Reads the text of a document.

import DocumentFiles
import PrintModel

/// The text of a document, decoded to UTF-8.
struct DocumentText {
    /// The largest size of a text in bytes.
    static let limit = 100_000_000

    /// The text in UTF-8.
    var utf8: [UInt8]
    /// The notice about characters that could not be decoded, if there are any.
    var notices: [String]

    /// Reads and decodes a document.
    ///
    /// - Parameter encoding: The name of the encoding; nil to detect it.
    /// - Throws: `WorkError` when the document cannot be read or is too large, or when the encoding is unknown.
    init(_ document: InputDocument, encoding name: String?) throws(WorkError) {
        let chosen: TextEncoding? = if let name, !name.isEmpty { try TextDecoder.encoding(named: name) } else { nil }
        let file = try DocumentReader(document)
        guard file.size <= Self.limit else {
            throw WorkError(
                .memoryExceeded,
                "\(WorkError.name(of: document)) has \(file.size / 1_000_000) MB; at most"
                    + " \(Self.limit / 1_000_000) MB of text can be printed. Print a part of the document")
        }
        let bytes = try file.bytes(count: file.size)
        let encoding = chosen ?? .detect(bytes)
        let decoded = TextDecoder.decode(bytes, from: encoding)
        (utf8, notices) = (decoded.utf8, decoded.notice(encoding).map { [$0] } ?? [])
    }
}

extension ConvertRequest {
    /// The title for headers: the layout's title, or the document's name.
    var title: String { layout.title.isEmpty ? WorkError.name(of: document) : layout.title }
}
