// What the pixels are that printers take.

/// What one pixel of a document of pixels is; the raw values are PWG's (PWG 5102.4 §4.1.2,
/// `pwg-raster-document-type-supported`).
public enum RasterType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Red, green, blue of sRGB, 8 bits each.
    case color8 = "srgb_8"
    /// Red, green, blue of the printer's own, 8 bits each.
    case deviceColor8 = "rgb_8"
    /// Cyan, magenta, yellow, black, 8 bits each.
    case cmyk8 = "cmyk_8"
    /// Grey of 8 bits, 0 black.
    case gray8 = "sgray_8"
    /// Black of 8 bits, 0 white.
    case black8 = "black_8"
    /// One bit, 0 black.
    case gray1 = "sgray_1"
    /// One bit, 0 white.
    case black1 = "black_1"

    /// Whether it can show colours.
    public var isColor: Bool { colorCount > 1 }

    /// How many colours make a pixel.
    public var colorCount: Int {
        switch self {
        case .color8, .deviceColor8: 3
        case .cmyk8: 4
        case .gray8, .black8, .gray1, .black1: 1
        }
    }

    /// The bits of one colour: 8 or 1.
    public var bitsPerColor: Int { self == .gray1 || self == .black1 ? 1 : 8 }

    /// The type that a word of `urf-supported` names: `W8`, `SRGB24`, `DEVRGB24`, `DEVCMYK32`; nil for other words.
    public init?(urf word: String) {
        switch word {
        case "SRGB24": self = .color8
        case "DEVRGB24": self = .deviceColor8
        case "DEVCMYK32": self = .cmyk8
        case "W8": self = .gray8
        default: return nil
        }
    }

    /// What is best in colour, and what is best in shades, best first.
    static let inColor: [RasterType] = [.color8, .deviceColor8, .cmyk8]
    static let inShades: [RasterType] = [.gray8, .black8, .gray1, .black1]
}

/// How fine the pixels of a page are, in dots per inch.
public struct RasterResolution: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Across the feed; at least 1.
    public var crossFeed: Int
    /// Along the feed; at least 1.
    public var feed: Int

    /// A resolution; nil for one that no printer has: below 10 or above 9,600 dots per inch.
    public init?(crossFeed: Int, feed: Int) {
        guard (10...9_600).contains(crossFeed), (10...9_600).contains(feed) else { return nil }
        self.crossFeed = crossFeed
        self.feed = feed
    }

    /// The same both ways; nil for one that no printer has.
    public init?(_ dots: Int) { self.init(crossFeed: dots, feed: dots) }

    /// 300 dots per inch, what a printer is taken to print that does not say.
    public static let usual = RasterResolution(300)!

    /// `300 dpi`, `600 × 300 dpi`.
    public var description: String { isSquare ? "\(feed) dpi" : "\(crossFeed) × \(feed) dpi" }

    /// Whether it is the same both ways.
    public var isSquare: Bool { crossFeed == feed }

    /// How many pixels a medium has at this resolution; what is less than a pixel at its edges is left out.
    public func pixels(of media: Media) -> (width: Int, height: Int) {
        (Self.dots(media.width, crossFeed), Self.dots(media.height, feed))
    }

    /// Whole dots of a length, at least 1; a length may be rounded by half of its unit.
    private static func dots(_ length: Length, _ perInch: Int) -> Int {
        max(1, (2 * length.hundredths + 1) * perInch / 5080)
    }
}
