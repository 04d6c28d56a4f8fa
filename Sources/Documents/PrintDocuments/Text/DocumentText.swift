// Reads the text of a document.

import DocumentFiles
import PrintModel

/// The text of a document, decoded to UTF-8.
struct DocumentText {
    /// The maximum size of a text in bytes.
    static let limit = 100_000_000

    /// The decoded text in UTF-8.
    var utf8: [UInt8]
    /// The notices about characters that could not be decoded; empty if all characters were decoded.
    var notices: [String]

    /// Reads and decodes a text document.
    ///
    /// - Parameter encoding: The name of the encoding; nil to detect the encoding.
    /// - Throws: `WorkError` if the document cannot be read or is too large, or if the encoding is unknown.
    init(_ document: InputDocument, encoding name: String?) throws(WorkError) {
        let chosen: TextEncoding? = if let name, !name.isEmpty { try TextDecoder.encoding(named: name) } else { nil }
        let file = try DocumentReader(document)
        guard file.size <= Self.limit else {
            throw WorkError(
                .documentTooLarge,
                "\(document.nameInMessages) is \(file.size / 1_000_000) MB, and the limit for text is"
                    + " \(Self.limit / 1_000_000) MB; print the document in parts")
        }
        let bytes = try file.bytes(count: file.size)
        let encoding = chosen ?? .detect(bytes)
        let decoded = TextDecoder.decode(bytes, from: encoding)
        (utf8, notices) = (decoded.utf8, decoded.notice(encoding).map { [$0] } ?? [])
    }
}

extension ConvertRequest {
    /// The title for page headers: the layout's title, otherwise the document's name.
    var title: String { layout.title.isEmpty ? document.nameInMessages : layout.title }
}
