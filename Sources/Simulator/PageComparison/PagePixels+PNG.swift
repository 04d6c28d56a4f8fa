// Reads and writes page images as PNG files (W3C PNG, second edition).

import CZlib
import FoundationEssentials

extension PagePixels {
    /// Reads a PNG file that has up to 8 bits per sample and is not interlaced.
    ///
    /// Simulated printers write their page images in this format. libpng is not used, so that `printq`, which shows such
    /// images on terminals, starts fast, and test programs with `PrintTesting` need no library for images.
    ///
    /// - Throws: `ComparisonError` when the file cannot be read, is not a PNG in this format, or has more than 200
    ///   million pixels.
    public init(png path: String) throws(ComparisonError) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ComparisonError("cannot read '\(path)'", cause: error)
        }
        guard let image = PNGReading(bytes) else {
            throw ComparisonError("'\(path)' is damaged, or is not a PNG with up to 8 bits per sample")
        }
        guard let pixels = image.pixels() else {
            throw ComparisonError("'\(path)' is damaged: pixels are missing")
        }
        self.init(width: image.width, height: image.height, bytes: pixels)
    }

    /// The page encoded as a PNG file.
    public var png: [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (3 * width + 1))
        for y in 0..<height {
            rows.append(0)
            rows += bytes[(3 * width * y)..<(3 * width * (y + 1))]
        }
        var packed = [UInt8](repeating: 0, count: Int(compressBound(UInt(rows.count))))
        var count = uLongf(packed.count)
        _ = compress2(&packed, &count, rows, uLong(rows.count), 1)
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", Self.bigEndian(width) + Self.bigEndian(height) + [8, 2, 0, 0, 0])
        file += Self.chunk("IDAT", Array(packed[..<Int(count)])) + Self.chunk("IEND", [])
        return file
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(content.count) + body + bigEndian(Int(crc32(0, body, uInt(body.count))))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

private struct PNGReading {
    private(set) var width = 0
    private(set) var height = 0
    private var bitDepth = 0
    private var colorType = 0
    private var palette: [UInt8] = []
    private var packed: [UInt8] = []

    /// The number of samples per pixel, by color type: gray 1, RGB 3, palette index 1, gray and alpha 2, RGB and alpha
    /// 4.
    private var channels: Int { [1, 0, 3, 1, 2, 0, 4][colorType] }

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        var position = 8
        while position + 12 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - position - 12 else { return nil }
            let content = bytes[(position + 8)..<(position + 8 + length)]
            switch String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self) {
            case "IHDR": guard readHeader(Array(content)) else { return nil }
            case "PLTE": palette = Array(content)
            case "IDAT": packed += content
            default: break
            }
            position += 12 + length
        }
        guard width > 0 else { return nil }
    }

    private mutating func readHeader(_ content: [UInt8]) -> Bool {
        guard content.count == 13, content[12] == 0 else { return false }
        func number(_ start: Int) -> Int { content[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (columns, rows) = (number(0), number(4))
        guard (1...100_000).contains(columns), (1...100_000).contains(rows), columns * rows <= 200_000_000 else {
            return false
        }
        (bitDepth, colorType) = (Int(content[8]), Int(content[9]))
        guard [1, 2, 4, 8].contains(bitDepth), [0, 2, 3, 4, 6].contains(colorType),
            bitDepth == 8 || [0, 3].contains(colorType)
        else { return false }
        (width, height) = (columns, rows)
        return true
    }

    /// Returns the red, green and blue components of every pixel, blended onto white; nil if pixels are missing.
    func pixels() -> [UInt8]? {
        let (unit, rowBytes) = (max(1, channels * bitDepth / 8), (width * channels * bitDepth + 7) / 8)
        var rows = [UInt8](repeating: 0, count: (rowBytes + 1) * height)
        var count = uLongf(rows.count)
        guard uncompress(&rows, &count, packed, uLong(packed.count)) == Z_OK, Int(count) == rows.count else {
            return nil
        }
        var line = [UInt8](repeating: 0, count: rowBytes)
        var result: [UInt8] = []
        result.reserveCapacity(width * height * 3)
        for y in 0..<height {
            let start = y * (rowBytes + 1)
            guard Self.unfilter(rows[start], rows[(start + 1)..<(start + 1 + rowBytes)], onto: &line, unit: unit),
                append(line, to: &result)
            else { return nil }
        }
        return result
    }

    /// Reverses the PNG filter of a row (W3C PNG §9.2).
    ///
    /// At the start, `line` contains the row above. At the end, `line` contains the decoded row. Returns false for an
    /// unknown filter.
    private static func unfilter(_ filter: UInt8, _ row: ArraySlice<UInt8>, onto line: inout [UInt8], unit: Int) -> Bool
    {
        guard filter <= 4 else { return false }
        guard filter > 0 else {
            line = Array(row)
            return true
        }
        // Tests are built without optimization. Array access is too slow there, so unsafe buffers are used.
        row.withUnsafeBufferPointer { row in
            line.withUnsafeMutableBufferPointer { line in
                var index = 0
                var corners = [Int](repeating: 0, count: unit)
                while index < row.count {
                    let left = index >= unit ? Int(line[index - unit]) : 0
                    let up = Int(line[index])
                    let corner = index >= unit ? corners[index % unit] : 0
                    corners[index % unit] = up
                    let predicted: Int
                    switch filter {
                    case 1: predicted = left
                    case 2: predicted = up
                    case 3: predicted = (left + up) / 2
                    default:
                        let guess = left + up - corner
                        let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - corner))
                        predicted = a <= b && a <= c ? left : b <= c ? up : corner
                    }
                    line[index] = row[index] &+ UInt8(truncatingIfNeeded: predicted)
                    index += 1
                }
            }
        }
        return true
    }

    private func append(_ line: [UInt8], to result: inout [UInt8]) -> Bool {
        if colorType == 2 {
            result += line
            return true
        }
        for x in 0..<width {
            switch colorType {
            case 4, 6:
                let start = x * channels
                let alpha = Int(line[start + channels - 1])
                for channel in 0..<3 {
                    let value = Int(line[start + (colorType == 4 ? 0 : channel)])
                    result.append(UInt8((value * alpha + 255 * (255 - alpha) + 127) / 255))
                }
            default:
                let shift = 8 - bitDepth - (x * bitDepth) % 8
                let value = Int(line[x * bitDepth / 8] >> shift) & ((1 << bitDepth) - 1)
                if colorType == 0 {
                    let level = UInt8(value * 255 / ((1 << bitDepth) - 1))
                    result += [level, level, level]
                } else {
                    guard value * 3 + 3 <= palette.count else { return false }
                    result += palette[(value * 3)..<(value * 3 + 3)]
                }
            }
        }
        return true
    }
}
