// What a page of PWG raster (PWG 5102.4 §4.3) or of Apple raster says of its pixels.

import PrintModel

/// The size, resolution and colours of one page of pixels.
struct RasterPageHeader {
    /// How the bytes of a pixel are to be read.
    enum Colors: Hashable {
        /// 0 is white (PWG `black`).
        case black
        /// 0 is black (PWG `sgray`).
        case gray
        /// Red, green, blue.
        case rgb
        /// Cyan, magenta, yellow, black.
        case cmyk

        var count: Int {
            switch self {
            case .black, .gray: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    /// Pixels across the page.
    let width: Int
    /// Pixels along the page.
    let height: Int
    /// Dots per inch across.
    let horizontalResolution: Int
    /// Dots per inch along.
    let verticalResolution: Int
    /// 1, 8 or 16.
    let bitsPerColor: Int
    let colors: Colors
    /// Whether the header leaves open if a bit of 1 is white or black: 1-bit Apple raster.
    ///
    /// The color space 0 (`sGray`) of Apple raster makes 1 white. libcups, and so Ghostscript, writes the same 0 for its own
    /// `K`, in which 1 is black, and `K` is Ghostscript's default.
    var isAmbiguous: Bool { isURF && bitsPerColor == 1 && colors == .gray }
    private let isURF: Bool
    /// Whether red, green and blue are those of Adobe RGB (1998), not of sRGB.
    let isAdobeRGB: Bool
    /// Whether the sender has mirrored the page, from left to right and from top to bottom; both is a turn by 180°
    /// (PWG 5102.4 §4.3.3.2, `CrossFeedTransform`, `FeedTransform`).
    let mirroring: (acrossWidth: Bool, acrossHeight: Bool)

    /// The bytes that a run repeats: a pixel, or eight pixels of one bit.
    var unit: Int { max(bitsPerColor * colors.count / 8, 1) }
    var bytesPerLine: Int { (width * colors.count * bitsPerColor + 7) / 8 }
    /// The page's size in points.
    var size: Size {
        Size(
            width: Double(width) * 72 / Double(horizontalResolution),
            height: Double(height) * 72 / Double(verticalResolution))
    }

    /// What a page may have at most; more is no page of any printer's, and is refused before memory is taken.
    static let longestSide = 500_000

    /// The bytes of all lines.
    var byteCount: Int { bytesPerLine * height }

    static let bytesOfPWG = 1_796
    static let bytesOfURF = 32

    /// Reads the header of a page of PWG raster, the numbers in either order of bytes.
    init(pwg bytes: [UInt8], isLittleEndian: Bool) throws(RasterProblem) {
        func number(_ offset: Int) -> Int {
            let digits = bytes[offset..<offset + 4]
            return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(396) == 0 else { throw .notTaken("its colours come in planes") }
        let spaces: [Int: Colors] = [
            0: .gray, 18: .gray, 3: .black, 1: .rgb, 19: .rgb, 20: .rgb, 6: .cmyk,
        ]
        guard let colors = spaces[number(400)] else { throw .notTaken("its colour space is \(number(400))") }
        try self.init(
            width: number(372), height: number(376), resolution: (number(276), number(280)),
            bits: (number(384), number(388)), colors: colors, isURF: false, isAdobeRGB: number(400) == 20,
            mirroring: (number(456) == 0xFFFF_FFFF, number(460) == 0xFFFF_FFFF))
        guard number(392) == bytesPerLine else {
            throw .damaged("a line of \(width) pixels has \(bytesPerLine) bytes, not \(number(392))")
        }
    }

    /// Reads the header of a page of Apple raster.
    init(urf bytes: [UInt8]) throws(RasterProblem) {
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let spaces: [UInt8: Colors] = [0: .gray, 1: .rgb, 3: .rgb, 4: .gray, 5: .rgb, 6: .cmyk]
        guard let colors = spaces[bytes[1]] else { throw .notTaken("its colour space is \(bytes[1])") }
        let bitsPerPixel = Int(bytes[0])
        try self.init(
            width: number(12), height: number(16), resolution: (number(20), number(20)),
            bits: (bitsPerPixel / colors.count, bitsPerPixel), colors: colors, isURF: true, isAdobeRGB: bytes[1] == 3,
            mirroring: (false, false))
    }

    /// Copies a header, with other colors.
    init(_ header: RasterPageHeader, colors: Colors) {
        (width, height) = (header.width, header.height)
        (horizontalResolution, verticalResolution) = (header.horizontalResolution, header.verticalResolution)
        (bitsPerColor, isURF) = (header.bitsPerColor, header.isURF)
        (isAdobeRGB, mirroring) = (header.isAdobeRGB, header.mirroring)
        self.colors = colors
    }

    private init(
        width: Int, height: Int, resolution: (Int, Int), bits: (color: Int, pixel: Int), colors: Colors, isURF: Bool,
        isAdobeRGB: Bool, mirroring: (acrossWidth: Bool, acrossHeight: Bool)
    ) throws(RasterProblem) {
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw .damaged("a page cannot have \(width) × \(height) pixels")
        }
        guard (10...9_600).contains(resolution.0), (10...9_600).contains(resolution.1) else {
            throw .damaged("a page cannot have \(resolution.0) × \(resolution.1) dots per inch")
        }
        guard bits.pixel == bits.color * colors.count,
            [8, 16].contains(bits.color) || (bits.color, colors.count) == (1, 1)
        else { throw .notTaken("its pixels have \(bits.pixel) bits, \(bits.color) for each colour") }
        (self.width, self.height) = (width, height)
        (horizontalResolution, verticalResolution) = resolution
        bitsPerColor = bits.color
        self.colors = colors
        self.isURF = isURF
        self.isAdobeRGB = isAdobeRGB
        self.mirroring = mirroring
    }
}

/// Why a document of pixels cannot be read.
enum RasterProblem: Error, Hashable {
    /// It breaks the rules of its format, or ends too early.
    case damaged(String)
    /// It keeps the rules, but this printer cannot print it.
    case notTaken(String)
    /// It is larger than anything that is printed.
    case tooLarge(String)
}
