// Recognizes Office documents from their content.

import COfficeKit
import PrintModel

/// The type of an Office document, determined from the content of the file.
///
/// LibreOffice reads any bytes as text if it recognizes no other format. Therefore the process checks the content
/// before LibreOffice opens the file. After loading, the kind of the document must match this type.
enum OfficeContent: Equatable {
    /// A document of a recognized kind.
    case document(office_kind)
    /// An encrypted Office Open XML document, whose kind is unknown.
    case encrypted
    /// Content that is not an Office document.
    case other

    /// Determines the type of a document from the bytes of the file.
    init(_ bytes: UnsafeRawBufferPointer) {
        switch DocumentContent(head: bytes.prefix(1024)) {
        case .zip: self = Self.archive(bytes)
        case .compoundFile: self = Self.compoundFile(bytes)
        case .format(let format) where format == DocumentFormat(rawValue: "application/rtf"):
            self = .document(OFFICE_TEXT)
        case .format, .text, .unknown: self = .other
        }
    }

    /// Returns whether the kind of a loaded document matches the content of the file.
    func matches(kind: Int32) -> Bool {
        switch self {
        case .document(let expected): kind == Int32(expected.rawValue)
        case .encrypted: kind >= 0 && kind <= Int32(OFFICE_DRAWING.rawValue)
        case .other: false
        }
    }

    /// Recognizes the type of a ZIP archive by the file names in the archive.
    ///
    /// ZIP archives do not compress file names.
    private static func archive(_ bytes: UnsafeRawBufferPointer) -> OfficeContent {
        let names: [(String, office_kind)] = [
            ("mimetypeapplication/vnd.oasis.opendocument.text", OFFICE_TEXT),
            ("mimetypeapplication/vnd.oasis.opendocument.spreadsheet", OFFICE_SPREADSHEET),
            ("mimetypeapplication/vnd.oasis.opendocument.presentation", OFFICE_PRESENTATION),
            ("word/document", OFFICE_TEXT), ("xl/workbook", OFFICE_SPREADSHEET),
            ("ppt/presentation", OFFICE_PRESENTATION),
        ]
        return names.first { bytes.contains(Array($0.0.utf8)) }.map { .document($0.1) } ?? .other
    }

    /// Recognizes the type of a compound file by the names of its streams.
    ///
    /// The stream names are encoded in UTF-16.
    private static func compoundFile(_ bytes: UnsafeRawBufferPointer) -> OfficeContent {
        func has(_ name: String) -> Bool { bytes.contains(name.utf8.flatMap { [$0, 0] } + [0, 0]) }
        if has("WordDocument") { return .document(OFFICE_TEXT) }
        if has("PowerPoint Document") { return .document(OFFICE_PRESENTATION) }
        if has("Workbook") || has("Book") { return .document(OFFICE_SPREADSHEET) }
        return has("EncryptedPackage") ? .encrypted : .other
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the first offset of a byte pattern at or after a given offset; nil if the bytes do not contain the
    /// pattern.
    func offset(of pattern: [UInt8], from start: Int = 0) -> Int? {
        guard let base = baseAddress else { return nil }
        let found = pattern.withUnsafeBytes { pattern in
            office_find(
                base.assumingMemoryBound(to: UInt8.self), Int64(count), Int64(start),
                pattern.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(pattern.count))
        }
        return found < 0 ? nil : Int(found)
    }

    /// Returns whether the bytes contain a byte pattern.
    func contains(_ pattern: [UInt8]) -> Bool { offset(of: pattern) != nil }
}
