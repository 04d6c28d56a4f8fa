// Names types of files that printq cannot print.

/// A known type of file that is no printable document, such as an Outlook message or a ZIP archive.
package struct UnprintableType: Hashable, Sendable {
    /// The name of the type: `Outlook message`.
    package let name: String
    /// What a person can do, as the second part of a sentence.
    package let advice: String
    /// The media types that clients declare for files of this type.
    package let formats: [DocumentFormat]

    private init(_ name: String, _ advice: String, _ formats: String...) {
        self.name = name
        self.advice = advice
        self.formats = formats.map(DocumentFormat.init(rawValue:))
    }

    /// Returns the error for a file of this type.
    ///
    /// - Parameter document: The name of the file; nil if the client has sent no name.
    package func error(for document: String?) -> WorkError {
        let file = document.map { "'\($0)'" } ?? "the document"
        return WorkError(.unsupportedFormat, "\(file): unsupported file type (\(name)); \(advice)")
    }

    /// Returns the type that has the given media type; nil if no type has it.
    package static func type(for format: DocumentFormat) -> UnprintableType? {
        if let type = all.first(where: { $0.formats.contains(format) }) { return type }
        if format.rawValue.hasPrefix("video/") { return .video }
        if format.rawValue.hasPrefix("audio/") { return .audio }
        return format.rawValue.hasPrefix("font/") ? .font : nil
    }

    /// Returns the type that the first bytes of a file identify; nil if they identify none.
    ///
    /// 1,024 bytes are sufficient.
    package static func type(ofHead head: some Collection<UInt8>) -> UnprintableType? {
        let bytes = Array(head.prefix(1024))
        return signatures.first { signature in
            bytes.dropFirst(signature.offset).starts(with: signature.bytes)
        }?.type ?? media(bytes)
    }

    /// Returns the type of a ZIP archive that is no printable document.
    ///
    /// - Parameters:
    ///   - names: The paths of the files in the archive, in lower case.
    ///   - label: The content of the file `mimetype`.
    package static func archive(_ names: some Sequence<String>, label: String? = nil) -> UnprintableType {
        if let label, let type = type(for: DocumentFormat(rawValue: label)) { return type }
        let names = Set(names)
        func has(_ name: String) -> Bool { names.contains(name) }
        if has("ofd.xml") { return .ofd }
        if has("fixeddocseq.fdseq") || has("fixeddocumentsequence.fdseq") { return .xps }
        if has("visio/document.xml") { return .visio }
        if has("androidmanifest.xml") { return .program }
        if has("meta-inf/manifest.mf") { return .program }
        if has("doc.kml") { return .map }
        return has("3d/3dmodel.model") ? .model : .zip
    }

    /// Returns the type of a compound file that is no printable document.
    ///
    /// - Parameter names: The entries of the root storage in lower case.
    package static func compoundFile(_ names: Set<String>) -> UnprintableType {
        if names.contains("__properties_version1.0") { return .outlook }
        if names.contains("visiodocument") { return .visio }
        if names.contains("quill") { return .publisher }
        return names.contains("catalog") ? .thumbnails : .compound
    }

    // MARK: - Types

    private static let pdf = "save the document as PDF in the program that made it"
    private static let documents = "printq prints documents and images"

    static let outlook = UnprintableType(
        "Outlook message", "open the message in Outlook, and save it as PDF", "application/vnd.ms-outlook")
    static let attachments = UnprintableType(
        "Outlook attachments", "print the attachments separately", "application/vnd.ms-tnef", "application/ms-tnef")
    static let mailbox = UnprintableType("Outlook mailbox", "print single messages as PDF")
    static let visio = UnprintableType(
        "Visio drawing", pdf, "application/vnd.visio", "application/vnd.ms-visio.drawing")
    static let publisher = UnprintableType("Publisher document", pdf, "application/x-mspublisher")
    static let compound = UnprintableType("document of an unknown program", pdf)
    static let thumbnails = UnprintableType("cache of thumbnails", documents)
    static let kindle = UnprintableType(
        "Kindle book", "convert the book to PDF, for example in an e-book reader", "application/x-mobipocket-ebook")
    static let ofd = UnprintableType("OFD document", pdf, "application/ofd")
    static let xps = UnprintableType("XPS document", pdf, "application/vnd.ms-xpsdocument", "application/oxps")
    static let djvu = UnprintableType("DjVu document", "convert the document to PDF with ddjvu", "image/vnd.djvu")
    static let help = UnprintableType("Windows help file", pdf, "application/vnd.ms-htmlhelp")
    static let cad = UnprintableType("AutoCAD drawing", pdf, "image/vnd.dwg", "application/acad")
    static let photoshop = UnprintableType(
        "Photoshop image", "save the image as PDF or PNG", "image/vnd.adobe.photoshop")
    static let gimp = UnprintableType("GIMP image", "export the image as PDF or PNG", "image/x-xcf")
    static let jpegXL = UnprintableType("JPEG XL image", "save the image as PNG or JPEG", "image/jxl")
    static let metafile = UnprintableType(
        "Windows metafile", "save the drawing as PDF or SVG", "image/wmf", "image/emf")
    static let medical = UnprintableType("DICOM image", "export the image as PNG or PDF", "application/dicom")
    static let map = UnprintableType("KMZ map", "print the map to PDF", "application/vnd.google-earth.kmz")
    static let model = UnprintableType("3D model", documents, "model/3mf")
    static let zip = UnprintableType(
        "ZIP archive", "extract the archive, and print the documents in it", "application/zip",
        "application/x-zip-compressed")
    static let packed = UnprintableType(
        "archive", "extract the archive, and print the documents in it", "application/gzip", "application/x-tar",
        "application/x-7z-compressed", "application/vnd.rar", "application/x-rar-compressed", "application/x-xz",
        "application/x-bzip2", "application/zstd", "application/vnd.ms-cab-compressed")
    static let program = UnprintableType(
        "program", documents, "application/x-executable", "application/x-msdownload", "application/java-archive",
        "application/vnd.android.package-archive", "application/vnd.microsoft.portable-executable",
        "application/wasm")
    static let package = UnprintableType(
        "package", documents, "application/vnd.debian.binary-package", "application/x-rpm")
    static let video = UnprintableType("video", "printq prints documents and images; save single pictures as PNG")
    static let audio = UnprintableType("audio", documents)
    static let recording = UnprintableType("audio or video", documents, "application/ogg", "application/vnd.ms-asf")
    static let font = UnprintableType("font", "print a document that uses the font")
    static let database = UnprintableType(
        "database", "export the data as CSV or PDF", "application/vnd.sqlite3", "application/x-msaccess")
    static let link = UnprintableType("Windows shortcut", "print the file to which the shortcut refers")

    /// The types with media types.
    private static let all = [
        outlook, attachments, visio, publisher, kindle, ofd, xps, djvu, help, cad, photoshop, gimp,
        jpegXL, metafile, medical, map, model, zip, packed, program, package, recording, database,
    ]

    // MARK: - First bytes

    private typealias Signature = (type: UnprintableType, offset: Int, bytes: [UInt8])

    private static func text(_ type: UnprintableType, _ text: String, at offset: Int = 0) -> Signature {
        (type, offset, Array(text.utf8))
    }

    private static let signatures: [Signature] = [
        (program, 0, [0x7F, 0x45, 0x4C, 0x46]), (program, 0, [0xCA, 0xFE, 0xBA, 0xBE]),
        (program, 0, [0xCF, 0xFA, 0xED, 0xFE]), (program, 0, [0xCE, 0xFA, 0xED, 0xFE]),
        (program, 0, [0, 0x61, 0x73, 0x6D]),
        text(program, "MZ"), text(package, "!<arch>\ndebian"), (package, 0, [0xED, 0xAB, 0xEE, 0xDB]),
        (packed, 0, [0x1F, 0x8B]), (packed, 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), text(packed, "BZh"),
        (packed, 0, [0x28, 0xB5, 0x2F, 0xFD]), (packed, 0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        text(packed, "Rar!\u{1A}\u{7}"), text(packed, "MSCF\0\0\0\0"), text(packed, "ustar", at: 257),
        (zip, 0, [0x50, 0x4B, 5, 6]), (video, 0, [0x1A, 0x45, 0xDF, 0xA3]), text(video, "AVI LIST", at: 8),
        (video, 0, [0, 0, 1, 0xBA]), (video, 0, [0, 0, 1, 0xB3]), text(video, "FLV\u{1}"),
        (recording, 0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), text(recording, "OggS\0"),
        text(audio, "WAVEfmt ", at: 8), text(audio, "fLaC\0"), text(audio, "ID3\u{2}"), text(audio, "ID3\u{3}"),
        text(audio, "ID3\u{4}"), (audio, 0, [0xFF, 0xFB]), (audio, 0, [0xFF, 0xF3]), (audio, 0, [0xFF, 0xF2]),
        text(audio, "MThd\0\0"), text(audio, "#!AMR"), text(audio, "AIFF", at: 8), text(font, "wOFF\0"),
        text(font, "wOF2\0"),
        text(font, "OTTO\0"), (font, 0, [0, 1, 0, 0, 0]), text(font, "ttcf\0"), text(database, "SQLite format 3\0"),
        text(database, "Standard Jet DB\0", at: 4), text(database, "Standard ACE DB\0", at: 4),
        text(djvu, "AT&TFORM"), text(photoshop, "8BPS\0"), text(gimp, "gimp xcf"),
        (jpegXL, 0, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]), (jpegXL, 0, [0xFF, 0x0A]),
        (metafile, 0, [0xD7, 0xCD, 0xC6, 0x9A]), text(metafile, " EMF", at: 40), text(medical, "DICM", at: 128),
        text(cad, "AC10"), text(kindle, "BOOKMOBI", at: 60), (attachments, 0, [0x78, 0x9F, 0x3E, 0x22]),
        text(mailbox, "!BDN"), text(help, "ITSF"), (link, 0, [0x4C, 0, 0, 0, 1, 0x14, 2, 0]),
    ]

    /// Returns the type of a film or sound in the ISO base media format; nil for other brands, which may be images.
    private static func media(_ bytes: [UInt8]) -> UnprintableType? {
        guard bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
        if ["M4A ", "M4B ", "M4P "].contains(brand) { return .audio }
        let films = ["iso", "mp4", "avc", "M4V", "qt ", "3g", "dash", "MSNV", "f4v", "XAVC"]
        return films.contains { brand.hasPrefix($0) } ? .video : nil
    }
}
