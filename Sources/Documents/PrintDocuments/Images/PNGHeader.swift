// Reads the chunks of a PNG file before its pixels (W3C PNG, third edition).

/// The properties of a PNG image, and the positions of its compressed pixels.
///
/// libpng does not return the compressed pixels, which a PDF can contain without changes.
struct PNGHeader {
    /// The PNG color types (W3C PNG §11.2.1).
    enum ColorType: Int {
        case gray = 0
        case rgb = 2
        case indexed = 3
        case grayAlpha = 4
        case rgbAlpha = 6

        /// The number of samples per pixel.
        var samples: Int { [.gray: 1, .rgb: 3, .indexed: 1, .grayAlpha: 2, .rgbAlpha: 4][self] ?? 1 }
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitDepth = 0
    private(set) var colorType = ColorType.gray
    private(set) var isInterlaced = false
    /// The palette colors, as one byte each for red, green and blue.
    private(set) var palette: [UInt8] = []
    /// The `tRNS` chunk: the opacity of palette colors, or the transparent color.
    private(set) var transparency: [UInt8] = []
    private(set) var density: ImageDensity?
    private(set) var orientation = ImageOrientation.up
    private(set) var profile: ColorProfile?
    /// The byte ranges of the file that contain the compressed pixels.
    private(set) var pixelData: [Range<Int>] = []

    /// The signature of a PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The number of bytes per stored row, without the filter number.
    var bytesPerRow: Int { (width * colorType.samples * bitDepth + 7) / 8 }

    /// Reads the header of a PNG file; returns nil if the file is not a PNG, or if its header or palette is invalid.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var position = 8
        while position + 8 <= bytes.count {
            let length = Self.number(bytes, at: position)
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            let start = position + 8
            // The end of a truncated file may be in the pixels.
            let content = start..<min(start + length, bytes.count)
            guard type == "IDAT" || start + length <= bytes.count else { break }
            if width == 0, type != "IHDR" { return nil }
            if type == "IEND" { break }
            if type == "IDAT" {
                pixelData.append(content)
            } else if pixelData.isEmpty || type == "eXIf" {
                guard take(type, UnsafeRawBufferPointer(rebasing: bytes[content])) else { return nil }
            }
            position = start + length + 4
        }
        guard width > 0, !pixelData.isEmpty else { return nil }
        if colorType == .indexed, palette.isEmpty { return nil }
    }

    private mutating func take(_ type: String, _ content: UnsafeRawBufferPointer) -> Bool {
        switch type {
        case "IHDR": return width == 0 && takeHeader(content)
        case "PLTE":
            guard content.count % 3 == 0, (3...768).contains(content.count) else { return colorType != .indexed }
            palette = Array(content)
        case "tRNS": transparency = Array(content)
        case "pHYs" where content.count == 9 && content[8] == 1:
            let (across, along) = (Self.number(content, at: 0), Self.number(content, at: 4))
            density = ImageDensity(across: Double(across), along: Double(along), unitsPerInch: 0.0254)
        case "eXIf": orientation = ImageOrientation(exif: content) ?? .up
        case "iCCP":
            // A name that ends with 0, and the compression method 0.
            guard let end = content.firstIndex(of: 0), end + 2 < content.count else { return true }
            let compressed = UnsafeRawBufferPointer(rebasing: content[(end + 2)...])
            profile = Inflation.bytes(of: compressed, limit: ColorProfile.mostBytes).flatMap { ColorProfile($0) }
        default: break
        }
        return true
    }

    private mutating func takeHeader(_ content: UnsafeRawBufferPointer) -> Bool {
        guard content.count == 13, let type = ColorType(rawValue: Int(content[9])), content[10] == 0, content[11] == 0,
            content[12] <= 1
        else { return false }
        bitDepth = Int(content[8])
        let depths: [Int] =
            switch type {
            case .gray: [1, 2, 4, 8, 16]
            case .indexed: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
            }
        guard depths.contains(bitDepth) else { return false }
        (width, height) = (Self.number(content, at: 0), Self.number(content, at: 4))
        (colorType, isInterlaced) = (type, content[12] == 1)
        return (1...0x7FFF_FFFF).contains(width) && (1...0x7FFF_FFFF).contains(height)
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
    }
}
