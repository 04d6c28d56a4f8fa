// Reads the text of a document.

import DocumentFiles
import PrintGraphics
import PrintModel

/// The text of a document, decoded to UTF-8.
struct DocumentText {
    /// The maximum size of a text in bytes.
    static let limit = 100_000_000

    /// The decoded text in UTF-8.
    var utf8: [UInt8]
    /// The notices about a guessed encoding, characters that could not be decoded, and characters without a font.
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
        let known = chosen ?? .known(bytes)
        let encoding = known ?? .guess(bytes)
        let decoded = TextDecoder.decode(bytes, from: encoding)
        (utf8, notices) = (decoded.utf8, decoded.notice(encoding).map { [$0] } ?? [])
        if known == nil {
            notices.append(
                "the encoding of the text was guessed: \(encoding.name); if characters are wrong, set document-charset")
        }
        if let notice = MissingCharacters.notice(FontCoverage.missing(in: utf8)) { notices.append(notice) }
    }
}

extension ConvertRequest {
    /// The title for page headers: the layout's title, otherwise the document's name.
    var title: String { layout.title.isEmpty ? document.nameInMessages : layout.title }
}
