// Defines pixel types and resolutions of raster documents.

/// The type of the pixels of a raster document.
///
/// The raw values are the keywords of PWG (PWG 5102.4 §4.1.2, `pwg-raster-document-type-supported`).
public enum RasterType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Red, green and blue in sRGB, 8 bits each.
    case color8 = "srgb_8"
    /// Red, green and blue in the printer's color space, 8 bits each.
    case deviceColor8 = "rgb_8"
    /// Cyan, magenta, yellow and black, 8 bits each.
    case cmyk8 = "cmyk_8"
    /// Gray with 8 bits; 0 is black.
    case gray8 = "sgray_8"
    /// Black with 8 bits; 0 is white.
    case black8 = "black_8"
    /// One bit for each pixel; 0 is black.
    case gray1 = "sgray_1"
    /// One bit for each pixel; 0 is white.
    case black1 = "black_1"

    /// Whether the type supports color.
    public var isColor: Bool { colorCount > 1 }

    /// The number of color components of a pixel.
    public var colorCount: Int {
        switch self {
        case .color8, .deviceColor8: 3
        case .cmyk8: 4
        case .gray8, .black8, .gray1, .black1: 1
        }
    }

    /// The number of bits of a color component: 8 or 1.
    public var bitsPerColor: Int { self == .gray1 || self == .black1 ? 1 : 8 }

    /// Creates the type for a keyword of `urf-supported`: `W8`, `SRGB24`, `DEVRGB24`, `DEVCMYK32`; nil for other
    /// keywords.
    public init?(urf word: String) {
        switch word {
        case "SRGB24": self = .color8
        case "DEVRGB24": self = .deviceColor8
        case "DEVCMYK32": self = .cmyk8
        case "W8": self = .gray8
        default: return nil
        }
    }

    /// The color types, in order of preference.
    static let inColor: [RasterType] = [.color8, .deviceColor8, .cmyk8]
    static let inShades: [RasterType] = [.gray8, .black8, .gray1, .black1]
}

/// The resolution of a page, in dots per inch.
public struct RasterResolution: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The resolution across the feed direction, 10 to 9,600.
    public var crossFeed: Int
    /// The resolution along the feed direction, 10 to 9,600.
    public var feed: Int

    /// Creates a resolution; nil for values below 10 or above 9,600 dots per inch.
    public init?(crossFeed: Int, feed: Int) {
        guard (10...9_600).contains(crossFeed), (10...9_600).contains(feed) else { return nil }
        self.crossFeed = crossFeed
        self.feed = feed
    }

    /// Creates a resolution with the same value in both directions; nil for values out of range.
    public init?(_ dots: Int) { self.init(crossFeed: dots, feed: dots) }

    /// The resolution for a printer that reports no resolution: 300 dots per inch.
    public static let usual = RasterResolution(300)!

    /// The resolution as text for users: `300 dpi`, `600 × 300 dpi`.
    public var description: String { isSquare ? "\(feed) dpi" : "\(crossFeed) × \(feed) dpi" }

    /// Whether the resolution is the same in both directions.
    public var isSquare: Bool { crossFeed == feed }

    /// Returns the size of a medium in whole pixels at this resolution.
    public func pixels(of media: Media) -> (width: Int, height: Int) {
        (Self.dots(media.width, crossFeed), Self.dots(media.height, feed))
    }

    /// Returns the number of whole dots that fit on a length, at least 1, with a tolerance of 0.005 mm.
    private static func dots(_ length: Length, _ perInch: Int) -> Int {
        max(1, (2 * length.hundredths + 1) * perInch / 5080)
    }
}
