// Builds raster documents.

public import Testing

/// A PWG raster or Apple raster document whose pages are drawn in letters; a letter is a square of 16 × 16 pixels.
///
///     var raster = RasterBuilder(.pwg, .srgb8)
///     raster.addPage("RR__\n__BB", dpi: 72)
///     try Data(raster.bytes).write(to: file)
public struct RasterBuilder: Sendable {
    /// The two formats, and little-endian PWG raster, which Windows programs write.
    public enum Format: Sendable, CaseIterable { case pwg, littleEndianPWG, urf }

    /// A pixel type.
    public struct Kind: Sendable, CustomTestStringConvertible {
        /// The PWG keyword of the type.
        public var testDescription: String
        var space: Int
        /// The number of the color space in Apple raster; nil if Apple raster does not have it.
        public var urfSpace: UInt8?
        var bits: Int
        /// The bytes of each available color: of one pixel, or of eight pixels for 1-bit types.
        public var inks: [Character: [UInt8]]

        fileprivate var colors: Int { (inks["K"]?.count ?? 1) * 8 / max(bits, 8) }

        /// Creates a type with white and black, and optionally gray, red and blue.
        private init(
            _ name: String, _ space: Int, _ bits: Int, urf: UInt8?, _ white: [UInt8], _ black: [UInt8],
            gray: [UInt8]? = nil, red: [UInt8]? = nil, blue: [UInt8]? = nil
        ) {
            (testDescription, self.space, self.bits, urfSpace) = (name, space, bits, urf)
            inks = ["_": white, "K": black]
            inks["A"] = gray
            inks["R"] = red
            inks["B"] = blue
        }

        /// All supported types.
        public static let all = [
            black1, black8, gray1, gray8, gray16, srgb8, srgb16, deviceRGB8, adobeRGB8, adobeRGB16, cmyk8, cmyk16,
        ]
        /// One bit; 0 is white.
        public static let black1 = Kind("black_1", 3, 1, urf: nil, [0], [255])
        /// Eight bits; 0 is white.
        public static let black8 = Kind("black_8", 3, 8, urf: nil, [0], [255], gray: [127])
        /// One bit; 0 is black.
        public static let gray1 = Kind("sgray_1", 18, 1, urf: 0, [255], [0])
        /// Eight bits; 0 is black.
        public static let gray8 = Kind("sgray_8", 18, 8, urf: 0, [255], [0], gray: [128])
        /// Sixteen bits; 0 is black.
        public static let gray16 = Kind("sgray_16", 18, 16, urf: 0, [255, 255], [0, 0], gray: [128, 7])
        /// sRGB of eight bits.
        public static let srgb8 = rgb("srgb_8", 19, 8, urf: 1)
        /// sRGB of sixteen bits.
        public static let srgb16 = rgb("srgb_16", 19, 16, urf: 1)
        /// Device RGB of eight bits.
        public static let deviceRGB8 = rgb("rgb_8", 1, 8, urf: 5)
        /// Adobe RGB of eight bits.
        public static let adobeRGB8 = rgb("adobe-rgb_8", 20, 8, urf: 3)
        /// Adobe RGB of sixteen bits.
        public static let adobeRGB16 = rgb("adobe-rgb_16", 20, 16, urf: 3)
        /// CMYK of eight bits.
        public static let cmyk8 = Kind(
            "cmyk_8", 6, 8, urf: 6, [0, 0, 0, 0], [0, 0, 0, 255], gray: [0, 0, 0, 127], red: [0, 255, 255, 0],
            blue: [255, 255, 0, 0])
        /// CMYK of sixteen bits.
        public static let cmyk16 = Kind(
            "cmyk_16", 6, 16, urf: 6, .init(repeating: 0, count: 8), [0, 0, 0, 0, 0, 0, 255, 255],
            gray: [0, 0, 0, 0, 0, 0, 127, 9], red: [0, 0, 255, 255, 255, 255, 0, 0],
            blue: [255, 255, 255, 255, 0, 0, 0, 0])

        private static func rgb(_ name: String, _ space: Int, _ bits: Int, urf: UInt8) -> Kind {
            func pixel(_ colors: UInt8...) -> [UInt8] { colors.flatMap { [UInt8](repeating: $0, count: bits / 8) } }
            return Kind(
                name, space, bits, urf: urf, pixel(255, 255, 255), pixel(0, 0, 0), gray: pixel(128, 128, 128),
                red: pixel(255, 0, 0), blue: pixel(0, 0, 255))
        }
    }

    /// The width and height of each letter in pixels.
    public static let cell = 16

    private let format: Format
    private let kind: Kind
    /// The bytes of the document so far.
    public private(set) var bytes: [UInt8]

    /// Creates a document without pages.
    public init(_ format: Format, _ kind: Kind) {
        (self.format, self.kind) = (format, kind)
        bytes =
            switch format {
            case .pwg: Array("RaS2".utf8)
            case .littleEndianPWG: Array("2SaR".utf8)
            case .urf: Array("UNIRAST\0".utf8) + [0, 0, 0, 0]
            }
    }

    /// Adds a page; all rows must have the same number of letters.
    ///
    /// - Parameter mirroring: The mirroring in the page header; the letters themselves are not mirrored.
    public mutating func addPage(
        _ letters: String, dpi: Int = 72, mirroring: (acrossWidth: Bool, acrossHeight: Bool) = (false, false)
    ) {
        let rows = letters.split(separator: "\n").map { $0.filter { $0 != " " } }
        let (width, height) = ((rows.first?.count ?? 0) * Self.cell, rows.count * Self.cell)
        bytes += format == .urf ? urfHeader(width, height, dpi) : pwgHeader(width, height, dpi, mirroring)
        for row in rows {
            bytes.append(UInt8(Self.cell - 1))
            for letter in row {
                var ink = kind.inks[letter] ?? []
                if kind.bits == 16, format == .littleEndianPWG {
                    for index in stride(from: 0, to: ink.count, by: 2) { ink.swapAt(index, index + 1) }
                }
                bytes.append(UInt8((kind.bits == 1 ? Self.cell / 8 : Self.cell) - 1))
                bytes += ink
            }
        }
    }

    private func urfHeader(_ width: Int, _ height: Int, _ dpi: Int) -> [UInt8] {
        [UInt8(kind.bits * kind.colors), kind.urfSpace ?? 0, 1, 4] + [UInt8](repeating: 0, count: 8)
            + [width, height, dpi].flatMap(Self.word) + [UInt8](repeating: 0, count: 8)
    }

    private func pwgHeader(
        _ width: Int, _ height: Int, _ dpi: Int, _ mirroring: (acrossWidth: Bool, acrossHeight: Bool)
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 1796)
        let bitsPerPixel = kind.bits * kind.colors
        for (offset, number) in [
            (276, dpi), (280, dpi), (352, width * 72 / dpi), (356, height * 72 / dpi), (372, width), (376, height),
            (384, kind.bits), (388, bitsPerPixel), (392, (width * bitsPerPixel + 7) / 8), (400, kind.space),
            (420, kind.colors), (456, mirroring.acrossWidth ? -1 : 1), (460, mirroring.acrossHeight ? -1 : 1),
        ] {
            let word = Self.word(number)
            header.replaceSubrange(offset..<offset + 4, with: format == .littleEndianPWG ? word.reversed() : word)
        }
        header.replaceSubrange(0..<9, with: "PwgRaster".utf8)
        return header
    }

    private static func word(_ number: Int) -> [UInt8] {
        let word = UInt32(truncatingIfNeeded: number)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}
