// Reads the properties of images that gdk-pixbuf does not report.

/// The properties of an image that gdk-pixbuf does not report: the resolution, the orientation and the ICC profile.
struct PixbufHints {
    var density: ImageDensity?
    var orientation = ImageOrientation.up
    /// The ICC profile of the image, for formats whose profile gdk-pixbuf does not report.
    ///
    /// The value is nil if gdk-pixbuf reports the profile, or if the image has no profile.
    var profile: ColorProfile?

    /// Creates hints from known values, without reading a file.
    init(density: ImageDensity?, orientation: ImageOrientation, profile: ColorProfile?) {
        (self.density, self.orientation, self.profile) = (density, orientation, profile)
    }

    /// Reads the resolution of a BMP image, or the orientation and the ICC profile of a WebP image.
    ///
    /// For all other formats, the hints are empty.
    ///
    /// The loaders of HEIF and AVIF images already apply the orientation. Therefore the orientation in the Exif data of
    /// these formats is ignored (ISO 23008-12 §A.2.1).
    init(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) {
        switch format {
        case .bmp: density = Self.densityOfBMP(bytes)
        case .webp: readWebP(bytes)
        default: break
        }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
    }

    /// Reads the resolution from `biXPelsPerMeter` and `biYPelsPerMeter` of a BITMAPINFOHEADER.
    private static func densityOfBMP(_ bytes: UnsafeRawBufferPointer) -> ImageDensity? {
        guard bytes.count >= 54, number(bytes, at: 14) >= 40 else { return nil }
        return ImageDensity(
            across: Double(number(bytes, at: 38)), along: Double(number(bytes, at: 42)), unitsPerInch: 0.0254)
    }

    /// Reads the orientation and the ICC profile from the chunks of a WebP file (RIFF container).
    private mutating func readWebP(_ bytes: UnsafeRawBufferPointer) {
        var position = 12
        while position + 8 <= bytes.count {
            let type = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            let length = Self.number(bytes, at: position + 4)
            guard position + 8 + length <= bytes.count else { return }
            let content = UnsafeRawBufferPointer(rebasing: bytes[position + 8..<position + 8 + length])
            switch type {
            case "EXIF": orientation = ImageOrientation(exif: content) ?? .up
            case "ICCP" where length <= ColorProfile.mostBytes:
                profile = ColorProfile(Array(content))?.matching(components: 3)
            default: break
            }
            position += 8 + length + length % 2
        }
    }
}
