// Reads the size of a JPEG 2000 image (ISO 15444-1), which a PDF contains without changes.

/// A JPEG 2000 image: a JP2 file, or a codestream without the boxes of such a file.
struct JPEG2000File {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var density: ImageDensity?
    /// Whether the image has more samples per pixel than colors, which are its opacity.
    private(set) var hasOpacity = false
    /// The boxes that a PDF requires before the bytes of a codestream; empty for a JP2 file.
    private(set) var boxes: [UInt8] = []

    /// The beginning of a JP2 file.
    static let signature: [UInt8] = [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]
    /// The first two markers of a codestream.
    static let codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

    /// Reads the header; nil if the header is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: Self.codestream) {
            guard bytes.count > 42 else { return nil }
            width = Self.number(bytes, at: 8) - Self.number(bytes, at: 16)
            height = Self.number(bytes, at: 12) - Self.number(bytes, at: 20)
            let components = Self.number(bytes, at: 40, count: 2)
            hasOpacity = components == 2 || components == 4
            boxes = Self.boxes(width: width, height: height, components: components, depth: bytes[42])
        } else {
            read(bytes, 0..<bytes.count)
        }
        guard width > 0, height > 0 else { return nil }
    }

    /// Reads boxes, each of which begins with its length and its type (annex I.4).
    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let length = Self.number(bytes, at: position)
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            // The codestream, whose box can have a length of 8 bytes or no length, is the last box that matters.
            guard type != "jp2c", length >= 8, length <= range.upperBound - position else { return }
            let content = position + 8..<position + length
            switch type {
            case "jp2h", "res ": read(bytes, content)
            case "ihdr" where content.count >= 14:
                (height, width) = (
                    Self.number(bytes, at: content.lowerBound), Self.number(bytes, at: content.lowerBound + 4)
                )
            case "cdef": hasOpacity = true
            case "resc" where content.count >= 10: density = Self.density(bytes, at: content.lowerBound) ?? density
            case "resd" where content.count >= 10: density = density ?? Self.density(bytes, at: content.lowerBound)
            default: break
            }
            position += length
        }
    }

    /// Returns the resolution in a box: fractions and powers of ten, in pixels per meter.
    private static func density(_ bytes: UnsafeRawBufferPointer, at start: Int) -> ImageDensity? {
        func perMeter(_ fraction: Int, _ power: Int) -> Double {
            var scale = 1.0
            let exponent = Int8(bitPattern: bytes[start + power])
            for _ in 0..<abs(Int(exponent)) { scale *= exponent > 0 ? 10 : 0.1 }
            let divisor = Double(number(bytes, at: start + fraction + 2, count: 2))
            return divisor == 0 ? 0 : Double(number(bytes, at: start + fraction, count: 2)) / divisor * scale
        }
        return ImageDensity(across: perMeter(4, 9), along: perMeter(0, 8), unitsPerInch: 0.0254)
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at position: Int, count: Int = 4) -> Int {
        bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the boxes before a codestream.
    ///
    /// The last box has no length: it ends with the file.
    private static func boxes(width: Int, height: Int, components: Int, depth: UInt8) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8) + Array(type.utf8) + content }
        let header =
            box("ihdr", big(height) + big(width) + [0, UInt8(truncatingIfNeeded: components), depth, 7, 1, 0])
            + box("colr", [1, 0, 0] + big(components >= 3 ? 16 : 17))
        return box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
            + box("jp2h", header) + big(0) + Array("jp2c".utf8)
    }
}
