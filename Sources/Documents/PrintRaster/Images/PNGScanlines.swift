// Lays out the rows of a PNG file before compression.

import CPagePixels
import Glibc

/// The rows of a page in PNG layout.
///
/// Each row begins with its filter number, and uses as few bits per pixel as the colors allow.
struct PNGScanlines {
    let bitDepth: Int
    let colorType: PNGFile.ColorType
    /// The red, green and blue components of each palette color; nil if the rows have no palette indexes.
    var palette: [UInt8]?
    let bytes: [UInt8]

    init(of bitmap: Bitmap) {
        switch bitmap.format {
        case .gray8:
            colorType = .gray
            bitDepth = bitsOfGray(bitmap)
            bytes =
                bitDepth == 8
                ? filteredRows(of: bitmap)
                : packedRows(bitmap.bytes, width: bitmap.width, bits: bitDepth, shift: 8 - bitDepth)
        case .rgb24:
            if let indexed = IndexedPixels(of: bitmap) {
                colorType = .indexed
                palette = indexed.palette
                bitDepth = [1, 2, 4].first { indexed.colorCount <= 1 << $0 } ?? 8
                bytes = packedRows(indexed.numbers, width: bitmap.width, bits: bitDepth, shift: 0)
            } else {
                colorType = .rgb
                bitDepth = 8
                bytes = filteredRows(of: bitmap)
            }
        }
    }
}

/// Returns the smallest number of bits per pixel that can represent all gray levels of a page.
///
/// 1 bit represents 0 and 255, 2 bits the multiples of 85, and 4 bits the multiples of 17.
private func bitsOfGray(_ bitmap: Bitmap) -> Int {
    let needed = (0...255).map { $0 % 255 == 0 ? 1 : $0 % 85 == 0 ? 2 : $0 % 17 == 0 ? 4 : 8 as UInt8 }
    return needed.withUnsafeBufferPointer { needed in
        bitmap.bytes.withUnsafeBufferPointer { levels in
            var seen: UInt8 = 1
            for start in stride(from: 0, to: levels.count, by: bitmap.width) {
                for index in start..<start + bitmap.width {
                    seen |= needed[Int(levels[index])]
                }
                if seen >= 8 { return 8 }  // antialiased text ends here after a few rows
            }
            return seen >= 4 ? 4 : seen >= 2 ? 2 : 1
        }
    }
}

/// Packs rows of numbers into bytes with `bits` bits per pixel, without a filter.
///
/// Each number is shifted right by `shift` bits before it is packed. The first pixel is in the highest bits of a byte.
private func packedRows(_ numbers: [UInt8], width: Int, bits: Int, shift: Int) -> [UInt8] {
    let height = numbers.count / width
    let packedWidth = (width * bits + 7) / 8
    let pixelsPerByte = 8 / bits
    return [UInt8](unsafeUninitializedCapacity: (packedWidth + 1) * height) { target, count in
        numbers.withUnsafeBufferPointer { numbers in
            for y in 0..<height {
                let source = numbers.baseAddress! + y * width
                let row = target.baseAddress! + y * (packedWidth + 1)
                row[0] = 0
                if bits == 8 {
                    memcpy(row + 1, source, width)
                    continue
                }
                for byte in 0..<packedWidth {
                    let first = byte * pixelsPerByte
                    let last = min(first + pixelsPerByte, width)
                    var value: UInt8 = 0
                    for x in first..<last {
                        value = value << bits | source[x] >> shift
                    }
                    row[byte + 1] = value << ((first + pixelsPerByte - last) * bits)
                }
            }
        }
        count = (packedWidth + 1) * height
    }
}

/// Filters rows of whole bytes.
private func filteredRows(of bitmap: Bitmap) -> [UInt8] {
    let count = (bitmap.bytesPerRow + 1) * bitmap.height
    return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
        page_rows_filter(
            bitmap.bytes, bitmap.bytesPerRow, bitmap.height, bitmap.format.bytesPerPixel, target.baseAddress)
        initialized = count
    }
}
