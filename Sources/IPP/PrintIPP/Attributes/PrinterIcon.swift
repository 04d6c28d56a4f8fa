// An icon of a printer (PWG 5100.13 `printer-icons`), drawn by code so that no image file is needed.

/// An icon that shows a printer with incoming and outgoing paper, as a PNG image.
package struct PrinterIcon: Sendable {
    private let size: Int

    /// Creates an icon with the given width and height in pixels, 16 to 1024.
    package init(size: Int) {
        precondition((16...1024).contains(size), "the size of an icon must be 16 to 1024 pixels, not \(size)")
        self.size = size
    }

    /// The bytes of the PNG file with four colors.
    ///
    /// The first color is transparent (W3C PNG §11).
    package var png: [UInt8] {
        let colors: [UInt8] = [255, 255, 255, 0x44, 0x4E, 0x58, 0xF4, 0xF4, 0xF4, 0x2E, 0x9E, 0x5B]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", Self.bytes(size) + Self.bytes(size) + [2, 3, 0, 0, 0])
        file += Self.chunk("PLTE", colors)
        file += Self.chunk("tRNS", [0])
        file += Self.chunk("IDAT", Self.stored(rows))
        file += Self.chunk("IEND", [])
        return file
    }

    /// Returns the color index at a position (0 to 1 in both directions): background, housing, paper or light.
    private static func color(_ x: Double, _ y: Double) -> UInt8 {
        if (0.78...0.84).contains(x), (0.48...0.54).contains(y) { return 3 }
        if (0.26...0.74).contains(x), (0.62...0.92).contains(y) { return 2 }
        if (0.08...0.92).contains(x), (0.40...0.76).contains(y) { return 1 }
        if (0.26...0.74).contains(x), (0.10...0.40).contains(y) { return 2 }
        return 0
    }

    /// The rows of the PNG image.
    ///
    /// Each row begins with a filter number, and each of the following bytes contains four pixels.
    private var rows: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<size {
            rows.append(0)
            for start in stride(from: 0, to: size, by: 4) {
                rows.append(
                    (start..<start + 4).reduce(0) { byte, x in
                        byte << 2
                            | (x < size
                                ? Self.color((Double(x) + 0.5) / Double(size), (Double(y) + 0.5) / Double(size)) : 0)
                    })
            }
        }
        return rows
    }

    /// Returns the content as a zlib stream without compression (RFC 1950, RFC 1951 §3.2.4).
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let block = content[start..<min(start + 65_535, content.count)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [start + block.count == content.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bytes(Int(b << 16 | a))
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        var crc: UInt32 = ~0
        for byte in body {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return bytes(content.count) + body + bytes(Int(~crc))
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
