// Hand-made documents of pixels.

public import Testing

/// A document of PWG raster or Apple raster, its pages drawn in letters, each a square of 16 × 16 pixels.
///
///     var raster = RasterBuilder(.pwg, .srgb8)
///     raster.addPage("RR__\n__BB", dpi: 72)
///     try Data(raster.bytes).write(to: file)
public struct RasterBuilder: Sendable {
    /// The two formats, and the byte order that Windows programs give PWG raster.
    public enum Format: Sendable, CaseIterable { case pwg, littleEndianPWG, urf }

    /// What a pixel is.
    public struct Kind: Sendable, CustomTestStringConvertible {
        /// PWG's name for it.
        public var testDescription: String
        var space: Int
        /// Apple's number of the same color space; nil where there is none.
        public var urfSpace: UInt8?
        var bits: Int
        /// The bytes of each color that can be shown; of 1 bit, of eight pixels.
        public var inks: [Character: [UInt8]]

        fileprivate var colors: Int { (inks["K"]?.count ?? 1) * 8 / max(bits, 8) }

        /// White, black and gray; red, green and blue where there are colors.
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

        /// All kinds that are read.
        public static let all = [
            black1, black8, gray1, gray8, gray16, srgb8, srgb16, deviceRGB8, adobeRGB8, adobeRGB16, cmyk8, cmyk16,
        ]
        /// One bit, 0 white.
        public static let black1 = Kind("black_1", 3, 1, urf: nil, [0], [255])
        /// Eight bits, 0 white.
        public static let black8 = Kind("black_8", 3, 8, urf: nil, [0], [255], gray: [127])
        /// One bit, 0 black.
        public static let gray1 = Kind("sgray_1", 18, 1, urf: 0, [255], [0])
        /// Eight bits, 0 black.
        public static let gray8 = Kind("sgray_8", 18, 8, urf: 0, [255], [0], gray: [128])
        /// Sixteen bits, 0 black.
        public static let gray16 = Kind("sgray_16", 18, 16, urf: 0, [255, 255], [0, 0], gray: [128, 7])
        /// Red, green, blue.
        public static let srgb8 = rgb("srgb_8", 19, 8, urf: 1)
        /// Red, green, blue of sixteen bits.
        public static let srgb16 = rgb("srgb_16", 19, 16, urf: 1)
        /// Red, green, blue of the printer's own.
        public static let deviceRGB8 = rgb("rgb_8", 1, 8, urf: 5)
        /// Red, green, blue of Adobe RGB.
        public static let adobeRGB8 = rgb("adobe-rgb_8", 20, 8, urf: 3)
        /// Red, green, blue of Adobe RGB, of sixteen bits.
        public static let adobeRGB16 = rgb("adobe-rgb_16", 20, 16, urf: 3)
        /// Cyan, magenta, yellow, black.
        public static let cmyk8 = Kind(
            "cmyk_8", 6, 8, urf: 6, [0, 0, 0, 0], [0, 0, 0, 255], gray: [0, 0, 0, 127], red: [0, 255, 255, 0],
            blue: [255, 255, 0, 0])
        /// Cyan, magenta, yellow, black of sixteen bits.
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

    /// Each letter's width and height in pixels.
    public static let cell = 16

    private let format: Format
    private let kind: Kind
    /// The document so far.
    public private(set) var bytes: [UInt8]

    /// A document without pages.
    public init(_ format: Format, _ kind: Kind) {
        (self.format, self.kind) = (format, kind)
        bytes =
            switch format {
            case .pwg: Array("RaS2".utf8)
            case .littleEndianPWG: Array("2SaR".utf8)
            case .urf: Array("UNIRAST\0".utf8) + [0, 0, 0, 0]
            }
    }

    /// Adds a page; every row has as many letters as the first.
    ///
    /// - Parameter mirroring: What the header says of mirroring; the letters are written as they are.
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
