// Defines document formats by media type.

/// The format of a document as a media type (IPP `document-format`, RFC 8011 §5.1.10).
public struct DocumentFormat: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The media type in lower case, without parameters, such as `application/pdf`.
    public let rawValue: String

    /// Creates the format with the given media type, ignoring case and parameters.
    public init(rawValue: String) {
        // Fast path for the usual notation, because lists of jobs parse many formats.
        guard !rawValue.utf8.allSatisfy(Self.isPlain) else {
            self.rawValue = rawValue
            return
        }
        let bare = rawValue.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        self.rawValue = bare.filter { !$0.isWhitespace }.lowercased()
    }

    /// Returns whether a byte is a lowercase letter, a digit, or a punctuation character of a media type (RFC 6838
    /// §4.2).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// An unspecified format, which the receiver detects from the content (auto-sensing, RFC 8011).
    public static let octetStream = DocumentFormat(rawValue: "application/octet-stream")
    /// Portable Document Format (ISO 32000).
    public static let pdf = DocumentFormat(rawValue: "application/pdf")
    /// The JPEG image format.
    public static let jpeg = DocumentFormat(rawValue: "image/jpeg")
    /// The PNG image format.
    public static let png = DocumentFormat(rawValue: "image/png")
    /// PWG raster (PWG 5102.4).
    public static let pwgRaster = DocumentFormat(rawValue: "image/pwg-raster")
    /// Apple raster, the format of AirPrint.
    public static let urf = DocumentFormat(rawValue: "image/urf")
    /// Plain text without formatting.
    public static let text = DocumentFormat(rawValue: "text/plain")
    /// PostScript, the page description language.
    public static let postScript = DocumentFormat(rawValue: "application/postscript")
    /// X bitmap, an image format that is C source code.
    public static let xbm = DocumentFormat(rawValue: "image/x-xbitmap")

    /// The media type, such as `application/pdf`.
    public var description: String { rawValue }

    /// The file extension of this format, without the dot; `bin` when unknown.
    public var fileExtension: String { DocumentTypes.builtIn.type(for: self)?.extensions.first ?? "bin" }

    /// Returns the format that the first bytes of a document indicate; nil when the format is unknown.
    ///
    /// The first 1,024 bytes are sufficient. Other bytes can precede the header of a PDF, but the header must be within
    /// the first 1,024 bytes.
    public static func sniff(_ head: some Swift.Collection<UInt8>) -> DocumentFormat? {
        let bytes = Array(head.prefix(1024))
        func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if let office = oldOfficeFormat(bytes) { return office }
        if let image = imageFormat(bytes) { return image }
        if starts("UNIRAST\0") { return .urf }
        if starts("RaS2") || starts("2SaR") { return .pwgRaster }
        // Old drivers write the end-of-job character of a serial line before the header.
        if starts("%!") || starts("\u{4}%!") || bytes.starts(with: [0xC5, 0xD0, 0xD3, 0xC6]) { return .postScript }
        if starts("{\\rtf") { return DocumentFormat(rawValue: "application/rtf") }
        let pdf = Array("%PDF-".utf8)
        if bytes.count >= pdf.count,
            (0...(bytes.count - pdf.count)).contains(where: { bytes[$0..<($0 + pdf.count)].elementsEqual(pdf) })
        {
            return .pdf
        }
        return nil
    }

    /// Recognizes Office documents that are older than compound files, or that have lost their container.
    private static func oldOfficeFormat(_ bytes: [UInt8]) -> DocumentFormat? {
        func starts(_ prefixes: [UInt8]...) -> Bool { prefixes.contains { bytes.starts(with: $0) } }
        // The file information block of Word for Windows 1 and 2, with its version.
        if starts([0x9B, 0xA5, 0x21, 0], [0xDB, 0xA5, 0x2D, 0]) {
            return DocumentFormat(rawValue: "application/msword")
        }
        // The first record of a worksheet of Excel 2 to 5 ([MS-XLS] §2.4.21): number, version, length, type.
        if starts([9, 0, 4, 0], [9, 2, 6, 0], [9, 4, 6, 0], [9, 8, 8, 0]), bytes.count >= 8,
            [0x0005, 0x0010, 0x0020, 0x0040, 0x0100].contains(Int(bytes[6]) | Int(bytes[7]) << 8)
        {
            return DocumentFormat(rawValue: "application/vnd.ms-excel")
        }
        // The first record of Lotus 1-2-3 and of the spreadsheets of Works: the version.
        if starts([0, 0, 2, 0, 4, 4], [0, 0, 2, 0, 5, 4], [0, 0, 2, 0, 6, 4], [0xFF, 0, 2, 0, 4, 4]) {
            return DocumentFormat(rawValue: "application/vnd.lotus-1-2-3")
        }
        return nil
    }

    private static func imageFormat(_ bytes: [UInt8]) -> DocumentFormat? {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
            return DocumentFormat(rawValue: "image/tiff")
        }
        if bytes.starts(with: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
            return DocumentFormat(rawValue: "image/jp2")
        }
        if has("GIF87a") || has("GIF89a") { return DocumentFormat(rawValue: "image/gif") }
        if has("RIFF"), has("WEBP", at: 8) { return DocumentFormat(rawValue: "image/webp") }
        // A bitmap file begins with its size in four bytes and four reserved zero bytes.
        if has("BM"), bytes.dropFirst(6).starts(with: [0, 0, 0, 0]) { return DocumentFormat(rawValue: "image/bmp") }
        if bytes.starts(with: [0, 0, 1, 0]) { return DocumentFormat(rawValue: "image/vnd.microsoft.icon") }
        if bytes.starts(with: [0, 0, 2, 0]) { return DocumentFormat(rawValue: "image/x-win-bitmap") }
        guard has("ftyp", at: 4) else { return nil }
        let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
        switch brand {
        case "avif", "avis": return DocumentFormat(rawValue: "image/avif")
        case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1": return DocumentFormat(rawValue: "image/heif")
        default: return nil
        }
    }
}
