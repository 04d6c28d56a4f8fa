// What a printer says of the pixels it takes.

/// What a printer takes of documents of pixels, and in what forms.
public struct RasterCapabilities: Hashable, Sendable, Codable {
    /// What it says of PWG raster (`pwg-raster-document-…`).
    public var pwg: PixelSupport
    /// What it says of Apple raster (`urf-supported`).
    public var urf: PixelSupport
    /// The most pixels of a JPEG image, across and along (`jpeg-x-dimension-supported`); nil when it does not say.
    public var largestJPEGWidth, largestJPEGHeight: Int?
    /// The format it likes best (`document-format-preferred`, PWG 5100.13 §5.4).
    public var preferredFormat: DocumentFormat?
    /// Whether a job can have several documents (`multiple-document-jobs-supported`).
    public var takesSeveralDocuments: Bool

    /// What a printer says that says nothing.
    public init(
        pwg: PixelSupport = PixelSupport(), urf: PixelSupport = PixelSupport(), largestJPEGWidth: Int? = nil,
        largestJPEGHeight: Int? = nil, preferredFormat: DocumentFormat? = nil, takesSeveralDocuments: Bool = false
    ) {
        self.pwg = pwg
        self.urf = urf
        self.largestJPEGWidth = largestJPEGWidth
        self.largestJPEGHeight = largestJPEGHeight
        self.preferredFormat = preferredFormat
        self.takesSeveralDocuments = takesSeveralDocuments
    }
}

/// What a printer says of one format of pixels.
public struct PixelSupport: Hashable, Sendable, Codable {
    /// The resolutions it takes; empty when it does not say.
    public var resolutions: [RasterResolution]
    /// The types of pixels it takes; nil when it does not say, empty when it says only such as are not made here.
    public var types: [RasterType]?
    /// How backs must be sent.
    public var sheetBack: SheetBack
    /// The most copies it makes of such a document by itself; nil when it does not say.
    public var maxCopies: Int?

    /// What a printer says of one format.
    public init(
        resolutions: [RasterResolution] = [], types: [RasterType]? = nil, sheetBack: SheetBack = .normal,
        maxCopies: Int? = nil
    ) {
        self.resolutions = resolutions
        self.types = types
        self.sheetBack = sheetBack
        self.maxCopies = maxCopies
    }

    /// Reads the words of `urf-supported`: `CP255`, `RS300-600`, `SRGB24`, `W8`, `DM3`.
    ///
    /// Words that are not understood say nothing; a printer that names colours, but none that are made here, takes none.
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
