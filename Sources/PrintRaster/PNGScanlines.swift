// How a page's pixels are laid out in a PNG file, before they are compressed.

import Glibc

/// A page's rows as PNG wants them: packed to as few bits as its colours need, each after its filter's number.
struct PNGScanlines {
    let bitDepth: Int
    let colorType: PNGFile.ColorType
    /// Red, green, blue of each colour, when the rows hold numbers of colours.
    var palette: [UInt8]?
    let bytes: [UInt8]

    init(of bitmap: Bitmap) {
        switch bitmap.format {
        case .gray8:
            colorType = .gray
            bitDepth = bitsOfGray(bitmap)
            bytes =
                bitDepth == 8
                ? filteredRows(bitmap.bytes, bytesPerRow: bitmap.bytesPerRow, bytesPerPixel: 1)
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
                bytes = filteredRows(bitmap.bytes, bytesPerRow: bitmap.bytesPerRow, bytesPerPixel: 3)
            }
        }
    }
}

/// The fewest bits that hold every level of grey of a page: with 1 bit 0 and 255, with 2 multiples of 85, with 4
/// multiples of 17.
private func bitsOfGray(_ bitmap: Bitmap) -> Int {
    var used = [Bool](repeating: false, count: 256)
    used.withUnsafeMutableBufferPointer { used in
        bitmap.bytes.withUnsafeBufferPointer { levels in
            for index in 0..<levels.count {
                used[Int(levels[index])] = true
            }
        }
    }
    return [1, 2, 4].first { bits in
        used.indices.allSatisfy { !used[$0] || $0 % (255 / ((1 << bits) - 1)) == 0 }
    } ?? 8
}

/// Rows of small numbers, the first pixel in the highest bits of a byte, unfiltered.
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

/// Rows of whole bytes, each with the filter that seems to suit it.
private func filteredRows(_ bytes: [UInt8], bytesPerRow: Int, bytesPerPixel: Int) -> [UInt8] {
    let height = bytes.count / bytesPerRow
    return [UInt8](unsafeUninitializedCapacity: (bytesPerRow + 1) * height) { target, count in
        bytes.withUnsafeBufferPointer { bytes in
            for y in 0..<height {
                let row = target.baseAddress! + y * (bytesPerRow + 1)
                row[0] = 0
                memcpy(row + 1, bytes.baseAddress! + y * bytesPerRow, bytesPerRow)
            }
        }
        count = (bytesPerRow + 1) * height
    }
}
