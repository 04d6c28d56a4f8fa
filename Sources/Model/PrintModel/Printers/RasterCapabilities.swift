// Parses the raster formats that a printer supports.

/// The raster formats that a printer supports.
public struct RasterCapabilities: Hashable, Sendable, Codable {
    /// The support for PWG raster (`pwg-raster-document-…`).
    public var pwg: PixelSupport
    /// The support for Apple raster (`urf-supported`).
    public var urf: PixelSupport
    /// The maximum width and height of a JPEG image in pixels (`jpeg-x-dimension-supported`,
    /// `jpeg-y-dimension-supported`); nil when the printer does not report the size.
    public var largestJPEGWidth, largestJPEGHeight: Int?
    /// The document format that the printer prefers (`document-format-preferred`, PWG 5100.13 §5.4); nil when the
    /// printer does not report the format.
    public var preferredFormat: DocumentFormat?
    /// Whether a job can contain several documents (`multiple-document-jobs-supported`).
    public var takesSeveralDocuments: Bool

    /// Creates the raster capabilities.
    ///
    /// The defaults describe a printer that reports no raster attributes.
    public init(
        pwg: PixelSupport = PixelSupport(), urf: PixelSupport = PixelSupport(), largestJPEGWidth: Int? = nil,
        largestJPEGHeight: Int? = nil, preferredFormat: DocumentFormat? = nil, takesSeveralDocuments: Bool = false
    ) {
        (self.pwg, self.urf) = (pwg, urf)
        (self.largestJPEGWidth, self.largestJPEGHeight) = (largestJPEGWidth, largestJPEGHeight)
        (self.preferredFormat, self.takesSeveralDocuments) = (preferredFormat, takesSeveralDocuments)
    }
}

/// The support for one raster format.
public struct PixelSupport: Hashable, Sendable, Codable {
    /// The supported resolutions; empty when the printer reports no resolutions.
    public var resolutions: [RasterResolution]
    /// The supported pixel types that printq can make.
    ///
    /// The value is nil when the printer reports no types, and empty when printq can make none of the reported types.
    public var types: [RasterType]?
    /// The orientation that the printer requires for the backs of two-sided sheets.
    public var sheetBack: SheetBack
    /// The maximum number of copies that the printer makes of a document in this format; nil when the printer does not
    /// report the number.
    public var maxCopies: Int?

    /// Creates the support for one raster format.
    public init(
        resolutions: [RasterResolution] = [], types: [RasterType]? = nil, sheetBack: SheetBack = .normal,
        maxCopies: Int? = nil
    ) {
        (self.resolutions, self.types, self.sheetBack, self.maxCopies) = (resolutions, types, sheetBack, maxCopies)
    }

    /// Parses the keywords of `urf-supported`: `CP255`, `RS300-600`, `SRGB24`, `W8`, `DM3`.
    ///
    /// Unknown keywords are ignored. If printq can make none of the listed color types, `types` is empty.
    public init(urf words: [String]) {
        self.init()
        var namesColors = false
        for word in words {
            let parts = word.split(separator: "-")
            guard let first = parts.first.map(String.init) else { continue }
            let colors = ["W", "SRGB", "ADOBERGB", "DEVW", "DEVRGB", "DEVCMYK", "CMYK"]
            if let digit = first.firstIndex(where: \.isNumber), colors.contains(String(first[..<digit])) {
                namesColors = true
                if let type = RasterType(urf: first), types?.contains(type) != true { types = (types ?? []) + [type] }
            } else if first.hasPrefix("RS") {
                resolutions += ([first.dropFirst(2)] + parts.dropFirst()).compactMap { Int($0) }
                    .compactMap { RasterResolution($0) }
            } else if first.hasPrefix("CP"), let copies = Int(first.dropFirst(2)), copies >= 1 {
                maxCopies = copies
            } else if let back = Self.sheetBacks[first] {
                sheetBack = back
            }
        }
        if namesColors, types == nil { types = [] }
    }

    private static let sheetBacks: [String: SheetBack] = [
        "DM1": .normal, "DM2": .flipped, "DM3": .rotated, "DM4": .manualTumble,
    ]
}
