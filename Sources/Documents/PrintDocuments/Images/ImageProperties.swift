// Describes an image of pixels, as a PDF stores it.

import PrintModel

/// The properties of an image that is stored in a PDF row by row.
struct ImageProperties {
    /// The color model of the samples.
    enum Colors: Equatable {
        /// Gray samples, in which 0 is black. If `isInverted` is true, 0 is white.
        case gray(isInverted: Bool)
        /// Red, green and blue samples.
        case rgb
        /// Cyan, magenta, yellow and black samples, in which 0 means no ink.
        case cmyk
        /// Indexes into a color palette, which stores red, green and blue with one byte each.
        case indexed(palette: [UInt8])
    }

    /// The number of stored pixel columns.
    var width: Int
    /// The number of stored pixel rows.
    var height: Int
    /// The color model of the samples.
    var colors: Colors
    /// The number of bits per sample: 1, 2, 4 or 8; always 8 for RGB and CMYK.
    var bits = 8
    /// The resolution in pixels per inch; nil if the file declares no plausible resolution.
    var density: ImageDensity?
    /// The rotation and mirroring that turn the stored image into the displayed image.
    var orientation = ImageOrientation.up
    /// The ICC profile of the colors; nil for device colors.
    var profile: ColorProfile?

    var samplesPerPixel: Int {
        switch colors {
        case .gray, .indexed: 1
        case .rgb: 3
        case .cmyk: 4
        }
    }

    /// The number of bytes per row, without padding at the end of the row.
    var bytesPerRow: Int { (width * samplesPerPixel * bits + 7) / 8 }

    /// The byte value that fills a row with white, or with the lightest color of the palette.
    var white: UInt8 {
        switch colors {
        case .gray(let isInverted): return isInverted ? 0 : 255
        case .rgb: return 255
        case .cmyk: return 0
        case .indexed(let palette):
            let lightness = stride(from: 0, to: palette.count - 2, by: 3).map { start in
                palette[start..<start + 3].reduce(0) { $0 + Int($1) }
            }
            let lightest = lightness.indices.max { lightness[$0] < lightness[$1] } ?? 0
            return stride(from: 0, to: 8, by: bits).reduce(0) { $0 | UInt8(truncatingIfNeeded: lightest << $1) }
        }
    }

    /// The size of the displayed image in points.
    ///
    /// If the file declares no resolution, the size is calculated with 72 pixels per inch.
    var shownSize: Size {
        let density = density ?? ImageDensity(across: 72, along: 72)
        let size = Size(width: Double(width) * 72 / density.across, height: Double(height) * 72 / density.along)
        return orientation.isOnItsSide ? Size(width: size.height, height: size.width) : size
    }

    /// Returns the PDF dictionary of an image whose rows are predicted and compressed (ISO 32000-1 §8.9.5).
    ///
    /// - Parameters:
    ///   - profileObject: The number of the PDF object that contains the ICC profile; nil for device colors.
    ///   - lengthObject: The number of the PDF object that contains the length of the stream.
    func dictionary(profileObject: Int?, lengthObject: Int) -> String {
        let isInverted = colors == .gray(isInverted: true)
        return "<< /Type /XObject /Subtype /Image /Width \(width) /Height \(height)"
            + " /ColorSpace \(colorSpace(profileObject: profileObject)) /BitsPerComponent \(bits)"
            + (isInverted ? " /Decode [1 0]" : "") + " /Filter /FlateDecode /DecodeParms << /Predictor 15"
            + " /Colors \(samplesPerPixel) /BitsPerComponent \(bits) /Columns \(width) >>"
            + " /Length \(lengthObject) 0 R >>"
    }

    private func colorSpace(profileObject: Int?) -> String {
        let profiled = profileObject.map { "[/ICCBased \($0) 0 R]" }
        switch colors {
        case .gray: return profiled ?? "/DeviceGray"
        case .rgb: return profiled ?? "/DeviceRGB"
        case .cmyk: return profiled ?? "/DeviceCMYK"
        case .indexed(let palette):
            let digits = Array("0123456789ABCDEF")
            let text = palette.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return "[/Indexed \(profiled ?? "/DeviceRGB") \(palette.count / 3 - 1) <\(String(text))>]"
        }
    }
}

/// The horizontal and the vertical resolution of an image, in pixels per inch.
struct ImageDensity: Equatable {
    /// The horizontal resolution of the stored image, before any rotation, in pixels per inch.
    let across: Double
    /// The vertical resolution of the stored image, before any rotation, in pixels per inch.
    let along: Double

    /// Creates a resolution.
    ///
    /// The initializer does not check that the resolution is plausible.
    init(across: Double, along: Double) { (self.across, self.along) = (across, along) }

    /// Creates a resolution from the numbers in a file; nil if the resolution is not plausible (30 to 4800 pixels per
    /// inch).
    ///
    /// - Parameter unit: The number of the file's length units in an inch: 1 for inches, 2.54 for centimeters.
    init?(across: Double, along: Double, unitsPerInch unit: Double) {
        let plausible = 29.5...4800.5
        // 144 pixels per inch are 5669.3 pixels per meter, which a file stores as 5669.
        func exact(_ density: Double) -> Double {
            abs(density - density.rounded()) < 0.02 ? density.rounded() : density
        }
        guard plausible.contains(across * unit), plausible.contains(along * unit) else { return nil }
        self.init(across: exact(across * unit), along: exact(along * unit))
    }
}

/// An ICC profile (ISO 15076-1) from an image.
struct ColorProfile: Equatable {
    /// The maximum size of an ICC profile in bytes.
    ///
    /// Even the profiles of printing presses are smaller.
    static let mostBytes = 8 << 20

    /// The bytes of the ICC profile.
    let bytes: [UInt8]
    /// The number of color components: 1, 3 or 4.
    let components: Int

    /// Creates an ICC profile; nil if the bytes are not a profile for gray, RGB or CMYK.
    init?(_ bytes: [UInt8]) {
        guard (128...Self.mostBytes).contains(bytes.count), bytes[36..<40].elementsEqual("acsp".utf8) else {
            return nil
        }
        let declared = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard (128...bytes.count).contains(declared) else { return nil }
        switch String(decoding: bytes[16..<20], as: UTF8.self) {
        case "GRAY": components = 1
        case "RGB ": components = 3
        case "CMYK": components = 4
        default: return nil
        }
        self.bytes = Array(bytes.prefix(declared))
    }

    /// Returns this profile if its colors have the given number of components; otherwise nil.
    func matching(components: Int) -> ColorProfile? { components == self.components ? self : nil }
}
