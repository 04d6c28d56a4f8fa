// Writes the chunks of PNG files (W3C PNG, second edition).

import CPNG
import FoundationEssentials

/// A PNG file that is being written.
///
/// The caller adds the chunks in file order. libpng is not used, because its functions for rows report errors with
/// `longjmp`, which Swift does not support, and because PDFs contain the same compressed rows.
struct PNGFile {
    /// The PNG color types and their numbers (W3C PNG §11.2.2).
    enum ColorType: UInt8 {
        case gray = 0
        case rgb = 2
        case indexed = 3
    }

    private var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    mutating func addHeader(width: Int, height: Int, bitDepth: Int, colorType: ColorType) {
        addChunk("IHDR", bigEndian(width) + bigEndian(height) + [UInt8(bitDepth), colorType.rawValue, 0, 0, 0])
    }

    mutating func addResolution(dpi: Double) {
        let pixelsPerMeter = Int((dpi / 0.0254).rounded())
        addChunk("pHYs", bigEndian(pixelsPerMeter) + bigEndian(pixelsPerMeter) + [1])
    }

    mutating func addPalette(_ colors: [UInt8]) {
        addChunk("PLTE", colors)
    }

    /// Adds the zlib stream of the filtered rows.
    mutating func addPixels(_ compressed: [UInt8]) {
        // A chunk's length has 31 bits. Larger data is split, so that readers need no large buffer.
        for start in stride(from: 0, to: compressed.count, by: 1 << 30) {
            addChunk("IDAT", compressed[start..<min(start + (1 << 30), compressed.count)])
        }
    }

    consuming func finished() -> [UInt8] {
        addChunk("IEND", [])
        return bytes
    }

    private mutating func addChunk(_ type: String, _ content: some Collection<UInt8>) {
        bytes.reserveCapacity(bytes.count + content.count + 12)
        bytes += bigEndian(content.count)
        let start = bytes.count
        bytes += Array(type.utf8)
        bytes += content
        let checksum = bytes.withUnsafeBytes { buffer in
            libdeflate_crc32(0, buffer.baseAddress! + start, buffer.count - start)
        }
        bytes += bigEndian(Int(checksum))
    }
}

private func bigEndian(_ value: Int) -> [UInt8] {
    let value = UInt32(clamping: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}
