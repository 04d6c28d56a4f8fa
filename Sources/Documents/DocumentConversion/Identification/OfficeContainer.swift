// Recognizes Office, OpenDocument and iWork documents by the names inside their containers.

import DocumentFiles
import PrintModel

/// A ZIP archive or a compound file that can be an Office document.
enum OfficeContainer {
    /// The result of examining a container.
    enum Finding: Hashable {
        /// An Office document with the given format.
        case format(DocumentFormat)
        /// An iWork document of an unknown application.
        case iWork
        /// A readable container of a type that printq does not support.
        case other
        /// A damaged, incomplete or encrypted container.
        case unreadable
    }

    /// Determines the kind of document in a ZIP archive, from the file names in the archive.
    static func zip(_ file: DocumentReader) throws(WorkError) -> Finding {
        let head = try file.bytes(count: 256)
        if let format = openDocument(head) { return .format(format) }
        guard let names = try directory(of: file) else { return .unreadable }
        func has(_ prefix: String) -> Bool { names.contains { $0.starts(with: prefix.utf8) } }
        let office = "application/vnd.openxmlformats-officedocument."
        if has("word/document") { return found(office + "wordprocessingml.document") }
        if has("xl/workbook") { return found(office + "spreadsheetml.sheet") }
        if has("ppt/presentation") { return found(office + "presentationml.presentation") }
        if has("Index/Slide") || has("Index/MasterSlide") || has("Index/TemplateSlide") || has("index.apxl") {
            return found("application/vnd.apple.keynote")
        }
        return has("Index/Document.iwa") || has("Index.zip") || has("QuickLook/") ? .iWork : .other
    }

    /// Determines the kind of document in a compound file, from the names in its directory ([MS-CFB] §2.6).
    static func compoundFile(_ file: DocumentReader) throws(WorkError) -> Finding {
        let header = try file.bytes(count: 512)
        guard header.count == 512 else { return .unreadable }
        let shift = Int(header[30])
        let sector = number(header, at: 48, size: 4)
        guard (7...16).contains(shift), sector < 1 << 31 else { return .unreadable }
        // The first sectors of the directory, which usually follow each other.
        let entries = try file.bytes(at: (sector + 1) << shift, count: 16_384)
        guard entries.count >= 128 else { return .unreadable }
        var names: Set<String> = []
        for start in stride(from: 0, through: entries.count - 128, by: 128) {
            let length = min(number(entries, at: start + 64, size: 2), 64)
            guard length > 2 else { continue }
            let units = stride(from: start, to: start + length - 2, by: 2).map {
                UInt16(truncatingIfNeeded: number(entries, at: $0, size: 2))
            }
            names.insert(String(decoding: units, as: UTF16.self))
        }
        if names.contains("WordDocument") { return found("application/msword") }
        if names.contains("Workbook") || names.contains("Book") { return found("application/vnd.ms-excel") }
        if names.contains("PowerPoint Document") { return found("application/vnd.ms-powerpoint") }
        return names.contains("EncryptedPackage") || names.isEmpty ? .unreadable : .other
    }

    private static func found(_ type: String) -> Finding { .format(DocumentFormat(rawValue: type)) }

    /// Returns the format of an OpenDocument file; nil if the file is not an OpenDocument file.
    ///
    /// The first entry in the ZIP archive contains the media type (ODF 1.2 part 3 §3.3).
    private static func openDocument(_ head: [UInt8]) -> DocumentFormat? {
        let label = Array("mimetypeapplication/vnd.oasis.opendocument.".utf8)
        guard head.count > 30 + label.count, head[30..<(30 + label.count)].elementsEqual(label) else { return nil }
        let kind = head[(30 + label.count)...].prefix { $0 >= 0x61 && $0 <= 0x7A }
        return DocumentFormat(
            rawValue: "application/vnd.oasis.opendocument." + String(decoding: kind, as: UTF8.self))
    }

    /// Returns the file names in the central directory of a ZIP archive; nil if the archive has no central directory.
    private static func directory(of file: DocumentReader) throws(WorkError) -> [ArraySlice<UInt8>]? {
        let tailStart = max(0, file.size - 65_557)
        let tail = try file.bytes(at: tailStart, count: 65_557)
        let mark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
        guard tail.count >= 22,
            let end = (0...(tail.count - 22)).last(where: { tail[$0..<($0 + 4)].elementsEqual(mark) })
        else { return nil }
        let length = min(number(tail, at: end + 12, size: 4), 4 << 20)
        let bytes = try file.bytes(at: number(tail, at: end + 16, size: 4), count: length)
        var names: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset + 46 <= bytes.count, bytes[offset..<(offset + 4)].elementsEqual([0x50, 0x4B, 0x01, 0x02]) {
            let name = number(bytes, at: offset + 28, size: 2)
            let rest = number(bytes, at: offset + 30, size: 2) + number(bytes, at: offset + 32, size: 2)
            names.append(bytes[(offset + 46)..<min(offset + 46 + name, bytes.count)])
            offset += 46 + name + rest
        }
        return names.isEmpty ? nil : names
    }

    /// Returns the little-endian number at an offset.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
        (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }
}
