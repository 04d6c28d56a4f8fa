// Reads the page headers of PWG raster (PWG 5102.4 §4.3) and Apple raster.

import PrintModel

/// The size, resolution and color format of one raster page.
struct RasterPageHeader {
    /// The color format of a pixel.
    enum Colors: Hashable {
        /// Black ink, in which the value 0 is white (PWG `black`).
        case black
        /// Gray, in which the value 0 is black (PWG `sgray`).
        case gray
        /// Red, green and blue components.
        case rgb
        /// Cyan, magenta, yellow and black components.
        case cmyk

        var count: Int {
            switch self {
            case .black, .gray: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    /// The width of the page in pixels.
    let width: Int
    /// The height of the page in pixels.
    let height: Int
    /// The resolution across the page, in dots per inch.
    let horizontalResolution: Int
    /// The resolution along the page, in dots per inch.
    let verticalResolution: Int
    /// The number of bits per color component: 1, 8 or 16.
    let bitsPerColor: Int
    let colors: Colors
    /// Whether the header is ambiguous, because the bit value 1 can mean black or white.
    ///
    /// 1-bit Apple raster has such headers.
    ///
    /// In Apple raster, color space 0 is `sGray`, in which 1 is white. libcups, and therefore Ghostscript, also writes
    /// 0 for the color space `K`, in which 1 is black. `K` is Ghostscript's default.
    var isAmbiguous: Bool { isURF && bitsPerColor == 1 && colors == .gray }
    private let isURF: Bool
    /// Whether the colors are Adobe RGB (1998) instead of sRGB.
    let isAdobeRGB: Bool
    /// The directions in which the sender has mirrored the page: horizontally, vertically, or in both directions (a
    /// rotation by 180°).
    ///
    /// See PWG 5102.4 §4.3.3.2, `CrossFeedTransform` and `FeedTransform`.
    let mirroring: (acrossWidth: Bool, acrossHeight: Bool)

    /// The number of bytes that a run repeats: the bytes of one pixel, or 1 byte with eight 1-bit pixels.
    var unit: Int { max(bitsPerColor * colors.count / 8, 1) }
    var bytesPerLine: Int { (width * colors.count * bitsPerColor + 7) / 8 }
    /// The page's size in points.
    var size: Size {
        Size(
            width: Double(width) * 72 / Double(horizontalResolution),
            height: Double(height) * 72 / Double(verticalResolution))
    }

    /// The maximum width and height of a page in pixels.
    ///
    /// Larger pages are rejected before memory is allocated.
    static let longestSide = 500_000

    /// The size of all unpacked lines of the page, in bytes.
    var byteCount: Int { bytesPerLine * height }

    static let bytesOfPWG = 1_796
    static let bytesOfURF = 32

    /// Reads a page header of PWG raster in either byte order.
    init(pwg bytes: [UInt8], isLittleEndian: Bool) throws(RasterProblem) {
        func number(_ offset: Int) -> Int {
            let digits = bytes[offset..<offset + 4]
            return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(396) == 0 else { throw .notTaken("unsupported color planes") }
        let spaces: [Int: Colors] = [
            0: .gray, 18: .gray, 3: .black, 1: .rgb, 19: .rgb, 20: .rgb, 6: .cmyk,
        ]
        guard let colors = spaces[number(400)] else { throw .notTaken("unsupported color space \(number(400))") }
        try self.init(
            width: number(372), height: number(376), resolution: (number(276), number(280)),
            bits: (number(384), number(388)), colors: colors, isURF: false, isAdobeRGB: number(400) == 20,
            mirroring: (number(456) == 0xFFFF_FFFF, number(460) == 0xFFFF_FFFF))
        guard number(392) == bytesPerLine else {
            throw .damaged(
                "the page header gives \(number(392)) bytes for a line of \(width) pixels, but the line requires "
                    + "\(bytesPerLine) bytes")
        }
    }

    /// Reads a page header of Apple raster.
    init(urf bytes: [UInt8]) throws(RasterProblem) {
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let spaces: [UInt8: Colors] = [0: .gray, 1: .rgb, 3: .rgb, 4: .gray, 5: .rgb, 6: .cmyk]
        guard let colors = spaces[bytes[1]] else { throw .notTaken("unsupported color space \(bytes[1])") }
        let bitsPerPixel = Int(bytes[0])
        try self.init(
            width: number(12), height: number(16), resolution: (number(20), number(20)),
            bits: (bitsPerPixel / colors.count, bitsPerPixel), colors: colors, isURF: true, isAdobeRGB: bytes[1] == 3,
            mirroring: (false, false))
    }

    /// Creates a copy of a header with another color format.
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
            throw .damaged("invalid resolution: \(resolution.0) × \(resolution.1) dots per inch")
        }
        guard bits.pixel == bits.color * colors.count,
            [8, 16].contains(bits.color) || (bits.color, colors.count) == (1, 1)
        else { throw .notTaken("unsupported pixels: \(bits.pixel) bits per pixel, \(bits.color) bits per color") }
        (self.width, self.height) = (width, height)
        (horizontalResolution, verticalResolution) = resolution
        bitsPerColor = bits.color
        self.colors = colors
        self.isURF = isURF
        self.isAdobeRGB = isAdobeRGB
        self.mirroring = mirroring
    }
}

/// The reason why a raster document cannot be read.
enum RasterProblem: Error, Hashable {
    /// An error for a document that violates its format or ends too early.
    case damaged(String)
    /// An error for a valid document that uses an unsupported pixel format.
    case notTaken(String)
    /// An error for a document that exceeds a size limit.
    case tooLarge(String)
}
