// Reads the chunks of page images (W3C PNG, second edition).

import FoundationEssentials

/// The content of a PNG file that `PNGFile` wrote.
///
/// The pixels remain compressed, because a PDF can contain the same stream. libpng only returns decompressed pixels.
struct PNGChunks {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitDepth = 0
    private(set) var colorType = PNGFile.ColorType.gray
    private(set) var palette: [UInt8]?
    /// The zlib stream of the filtered rows.
    private(set) var pixels: [UInt8] = []

    /// Reads a PNG file; returns nil if the file is incomplete, or has a structure that `PNGFile` does not write.
    init?(_ file: Data) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let bytes = [UInt8](file)
        guard bytes.starts(with: signature) else { return nil }
        var position = signature.count
        var isComplete = false
        while !isComplete {
            // A chunk has a length, a type, the content and a checksum.
            guard position + 12 <= bytes.count else { return nil }
            let length = Self.number(bytes, at: position)
            let content = position + 8
            guard length <= bytes.count - content - 4 else { return nil }
            switch String(decoding: bytes[position + 4..<content], as: UTF8.self) {
            case "IHDR":
                guard length == 13, let type = PNGFile.ColorType(rawValue: bytes[content + 9]) else { return nil }
                (width, height) = (Self.number(bytes, at: content), Self.number(bytes, at: content + 4))
                (bitDepth, colorType) = (Int(bytes[content + 8]), type)
            case "PLTE": palette = Array(bytes[content..<content + length])
            case "IDAT": pixels += bytes[content..<content + length]
            case "IEND": isComplete = true
            default: break
            }
            position = content + length + 4
        }
        guard width > 0, height > 0, !pixels.isEmpty, (colorType == .indexed) == (palette != nil) else { return nil }
    }

    private static func number(_ bytes: [UInt8], at position: Int) -> Int {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
