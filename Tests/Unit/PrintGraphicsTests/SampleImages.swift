// Provides an image of 8 × 8 pixels in every supported format: black above the diagonal, white below the diagonal.

import FoundationEssentials
import PrintGraphics

enum SampleImages {
    /// The file contents, by file name extension.
    static let bytes: [String: Data] = [
        "png": encoded { try $0.pngData() }, "jpg": encoded { try $0.jpegData(quality: 1) }, "tiff": Data(tiff),
        "gif": Data(gif), "bmp": Data(bitmapFile), "ico": Data(icon(type: 1)), "cur": Data(icon(type: 2)),
        "xbm": Data(xbm.utf8),
    ]

    /// Returns whether a pixel is white.
    private static func isWhite(_ x: Int, _ y: Int) -> Bool { x + y >= 8 }

    private static func encoded(_ encode: (Image) throws -> Data) -> Data {
        do {
            let context = try BitmapContext(size: Size(width: 8, height: 8), isOpaque: true)
            context.shouldAntialias = false
            context.fillColor = .white
            for y in 0..<8 {
                for x in 0..<8 where isWhite(x, y) {
                    context.fill(Rect(x: Double(x), y: Double(y), width: 1, height: 1))
                }
            }
            return try encode(context.makeImage())
        } catch {
            preconditionFailure("cannot create the sample image: \(error)")
        }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The rows from bottom to top, with three bytes per pixel.
    private static var rowsUpwards: [UInt8] {
        (0..<8).reversed().flatMap { y in (0..<8).flatMap { x in [UInt8](repeating: isWhite(x, y) ? 255 : 0, count: 3) }
        }
    }

    private static func bitmapHeader(height: Int) -> [UInt8] {
        little(40, 4) + little(8, 4) + little(height, 4) + little(1, 2) + little(24, 2) + little(0, 4)
            + little(192, 4) + little(2835, 4) + little(2835, 4) + little(0, 4) + little(0, 4)
    }

    private static var bitmapFile: [UInt8] {
        Array("BM".utf8) + little(54 + 192, 4) + little(0, 4) + little(54, 4) + bitmapHeader(height: 8) + rowsUpwards
    }

    private static func icon(type: Int) -> [UInt8] {
        let mask = [UInt8](repeating: 0, count: 32)
        let image = bitmapHeader(height: 16) + rowsUpwards + mask
        return little(0, 2) + little(type, 2) + little(1, 2) + [8, 8, 0, 0] + little(1, 2) + little(24, 2)
            + little(image.count, 4) + little(22, 4) + image
    }

    private static var tiff: [UInt8] {
        let pixels = (0..<8).flatMap { y in (0..<8).map { x in isWhite(x, y) ? UInt8(255) : 0 } }
        let entries: [(tag: Int, type: Int, value: Int)] = [
            (256, 3, 8), (257, 3, 8), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 3, 8),
            (279, 4, 64),
        ]
        let directory = entries.flatMap { little($0.tag, 2) + little($0.type, 2) + little(1, 4) + little($0.value, 4) }
        return Array("II".utf8) + little(42, 2) + little(72, 4) + pixels + little(entries.count, 2) + directory
            + little(0, 4)
    }

    /// A GIF whose LZW data has a clear code before each pixel code, so that the code table never grows.
    private static var gif: [UInt8] {
        var bits: [Bool] = []
        func put(_ code: Int) { for bit in 0..<3 { bits.append(code >> bit & 1 == 1) } }
        for index in 0..<64 {
            put(4)
            put(isWhite(index % 8, index / 8) ? 1 : 0)
        }
        put(5)
        while bits.count % 8 != 0 { bits.append(false) }
        let data = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
        }
        let palette: [UInt8] = [0, 0, 0, 255, 255, 255, 128, 0, 0, 0, 128, 0]
        return Array("GIF89a".utf8) + little(8, 2) + little(8, 2) + [0xF1, 0, 0] + palette
            + [0x2C] + little(0, 4) + little(8, 2) + little(8, 2) + [0, 2, UInt8(data.count)] + data + [0, 0x3B]
    }

    private static var xbm: String {
        let rows = (0..<8).map { y in
            "0x" + String((0..<8).reduce(0) { $0 | (isWhite($1, y) ? 0 : 1 << $1) }, radix: 16)
        }
        return "#define t_width 8\n#define t_height 8\nstatic char t_bits[] = {\n\(rows.joined(separator: ", ")) };\n"
    }
}
