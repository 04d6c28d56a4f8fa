// Defines document formats by media type.

/// The format of a document as a media type (IPP `document-format`, RFC 8011 §5.1.10).
public struct DocumentFormat: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The media type in lower case, without parameters: `application/pdf`.
    public let rawValue: String

    /// Creates the format of a media type, ignoring case and parameters.
    public init(rawValue: String) {
        // Fast path for the usual notation, because lists of jobs parse many formats.
        guard !rawValue.utf8.allSatisfy(Self.isPlain) else {
            self.rawValue = rawValue
            return
        }
        let bare = rawValue.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        self.rawValue = bare.filter { !$0.isWhitespace }.lowercased()
    }

    /// Returns whether a byte needs no conversion: lowercase letters, digits, and the punctuation of RFC 6838 §4.2.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// An unknown format that the receiver detects (auto-sensing, RFC 8011).
    public static let octetStream = DocumentFormat(rawValue: "application/octet-stream")
    /// Portable Document Format (ISO 32000).
    public static let pdf = DocumentFormat(rawValue: "application/pdf")
    /// JPEG image.
    public static let jpeg = DocumentFormat(rawValue: "image/jpeg")
    /// PNG image.
    public static let png = DocumentFormat(rawValue: "image/png")
    /// PWG raster (PWG 5102.4).
    public static let pwgRaster = DocumentFormat(rawValue: "image/pwg-raster")
    /// Apple raster, the format of AirPrint.
    public static let urf = DocumentFormat(rawValue: "image/urf")
    /// Plain text.
    public static let text = DocumentFormat(rawValue: "text/plain")
    /// PostScript.
    public static let postScript = DocumentFormat(rawValue: "application/postscript")

    /// The media type.
    public var description: String { rawValue }

    /// The file extension of this format, without the dot; `bin` when unknown.
    public var fileExtension: String {
        switch self {
        case .pdf: "pdf"
        case .jpeg: "jpg"
        case .png: "png"
        case .pwgRaster: "pwg"
        case .urf: "urf"
        case .text: "txt"
        case .postScript: "ps"
        default: "bin"
        }
    }

    /// Returns the format detected from the first bytes of a document; nil when it is unknown.
    ///
    /// The first 1,024 bytes are sufficient, because a PDF header can follow other bytes within this range.
    public static func sniff(_ head: some Swift.Collection<UInt8>) -> DocumentFormat? {
        let bytes = Array(head.prefix(1024))
        func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if starts("UNIRAST\0") { return .urf }
        if starts("RaS2") || starts("2SaR") { return .pwgRaster }
        // Old drivers write the end-of-job character of a serial line before the header.
        if starts("%!") || starts("\u{4}%!") { return .postScript }
        let pdf = Array("%PDF-".utf8)
        if bytes.count >= pdf.count,
            (0...(bytes.count - pdf.count)).contains(where: { bytes[$0..<($0 + pdf.count)].elementsEqual(pdf) })
        {
            return .pdf
        }
        return nil
    }
}
