// Recognizes Office, OpenDocument and iWork documents by the directories of their containers.

package import PrintModel

/// The kind of document in a ZIP archive or a compound file.
///
/// Only the container's own directory determines the kind: the bytes of the file also contain names of embedded
/// documents.
package enum OfficeContainer: Hashable {
    case document(DocumentFormat)
    /// An iWork document of an unknown application.
    case iWork
    /// An encrypted Office Open XML document of an unknown application.
    case encrypted
    /// An encrypted presentation for PowerPoint 97 to 2003.
    case encryptedPresentation
    /// A readable container of a type that printq does not support.
    case other(UnprintableType)
    /// A damaged or incomplete container.
    case unreadable

    /// Reads the directory of a container; nil if the first bytes belong to no container.
    package init?(_ file: DocumentReader) throws(WorkError) {
        switch DocumentContent(head: try file.bytes(count: 1024)) {
        case .zip: self = try Self.archive(file)
        case .compoundFile: self = try Self.compoundFile(file)
        case .format, .text, .unknown: return nil
        }
    }

    private static func archive(_ file: DocumentReader) throws(WorkError) -> OfficeContainer {
        guard let directory = try ZipDirectory(file) else { return .unreadable }
        let entry = directory.entries.first { $0.name == "mimetype" }
        let label = try entry.flatMap { (entry) throws(WorkError) in try directory.content(of: entry, limit: 256) }
        if let format = label.flatMap(openDocument) { return .document(format) }
        if let label, label.starts(with: "application/epub+zip".utf8) { return document("application/epub+zip") }
        func has(_ prefixes: String...) -> Bool {
            directory.entries.contains { entry in prefixes.contains { entry.name.hasPrefix($0) } }
        }
        let office = "application/vnd.openxmlformats-officedocument."
        if has("word/document") { return document(office + "wordprocessingml.document") }
        if has("xl/workbook") { return document(office + "spreadsheetml.sheet") }
        if has("ppt/presentation") { return document(office + "presentationml.presentation") }
        if has("index/slide", "index/masterslide", "index/templateslide", "index.apxl") {
            return document("application/vnd.apple.keynote")
        }
        if has("index/document.iwa", "index.zip", "quicklook/") { return .iWork }
        return .other(
            .archive(directory.entries.map(\.name), label: label.map { String(decoding: $0, as: UTF8.self) }))
    }

    /// Returns the format in the file `mimetype` of an OpenDocument file (ODF 1.2 part 3 §3.3); nil for other formats.
    ///
    /// A template has the format of its documents.
    private static func openDocument(_ label: [UInt8]) -> DocumentFormat? {
        let prefix = "application/vnd.oasis.opendocument."
        guard label.starts(with: prefix.utf8) else { return nil }
        let kind = label[prefix.utf8.count...].prefix { (0x61...0x7A).contains($0) }
        return DocumentFormat(rawValue: prefix + String(decoding: kind, as: UTF8.self))
    }

    private static func compoundFile(_ file: DocumentReader) throws(WorkError) -> OfficeContainer {
        guard let names = try CompoundDirectory(file)?.names else { return .unreadable }
        if names.contains("worddocument") { return document("application/msword") }
        if !names.isDisjoint(with: ["workbook", "book"]) { return document("application/vnd.ms-excel") }
        // A presentation for PowerPoint 95 can contain a second version for PowerPoint 97.
        if !names.isDisjoint(with: ["powerpoint document", "pp97_dualstorage"]) {
            // [MS-PPT] §2.1.6: this stream exists only if the presentation is encrypted.
            if names.contains("encryptedsummary") { return .encryptedPresentation }
            return document("application/vnd.ms-powerpoint")
        }
        if names.contains("matost") { return document("application/vnd.ms-works") }
        return names.contains("encryptedpackage") ? .encrypted : .other(.compoundFile(names))
    }

    private static func document(_ format: String) -> OfficeContainer { .document(DocumentFormat(rawValue: format)) }
}
