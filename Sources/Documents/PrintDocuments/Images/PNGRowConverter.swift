// Decodes the rows of PNG images: filters, 16-bit samples and transparency.

import Glibc

/// A decoder of PNG rows, which holds only the current row and the previous row in memory.
///
/// libpng is not used, because its functions for rows report errors with `longjmp`, which Swift does not support, and
/// all its other functions need the whole image in memory.
final class PNGRowConverter {
    private let bitDepth: Int
    private let width: Int
    /// The number of bytes per pixel for the row filters, at least 1 (W3C PNG §9.2).
    private let step: Int
    /// The bytes of the previous row, after its filter was undone.
    private let above: UnsafeMutableBufferPointer<UInt8>
    private let result: UnsafeMutableBufferPointer<UInt8>

    /// Creates a converter for the rows of an image.
    ///
    /// - Parameter bytesPerRow: The number of bytes of a converted row.
    init(_ header: PNGHeader, bytesPerRow: Int) {
        (bitDepth, width) = (header.bitDepth, header.width)
        step = max(header.colorType.samples * header.bitDepth / 8, 1)
        above = .allocate(capacity: header.bytesPerRow)
        above.initialize(repeating: 0)
        result = .allocate(capacity: bytesPerRow)
        result.initialize(repeating: 0)
    }

    deinit {
        above.deallocate()
        result.deallocate()
    }

    /// Undoes the filter of a row, and returns whether the filter number is valid.
    func unfilter(_ row: UnsafeMutableBufferPointer<UInt8>, _ filter: UInt8) -> Bool {
        switch filter {
        case 0: break
        case 1: for index in step..<max(row.count, step) { row[index] &+= row[index - step] }
        case 2: for index in row.indices { row[index] &+= above[index] }
        case 3:
            for index in row.indices {
                let left = index >= step ? Int(row[index - step]) : 0
                row[index] &+= UInt8(truncatingIfNeeded: (left + Int(above[index])) / 2)
            }
        case 4:
            for index in row.indices {
                let left = index >= step ? Int(row[index - step]) : 0
                let corner = index >= step ? Int(above[index - step]) : 0
                row[index] &+= Self.paeth(left, Int(above[index]), corner)
            }
        default: return false
        }
        memcpy(above.baseAddress!, row.baseAddress!, row.count)
        return true
    }

    @inline(__always)
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
        let estimate = left + above - corner
        let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
        let nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
        return UInt8(truncatingIfNeeded: nearest)
    }

    /// Returns the gray levels of a row in 8 bits; levels that equal the transparent level become white.
    func gray(_ row: UnsafeMutableBufferPointer<UInt8>, transparent: Int?) -> UnsafeBufferPointer<UInt8> {
        let largest = (1 << min(bitDepth, 8)) - 1
        for index in 0..<width {
            let level = sample(row, index)
            let short = bitDepth == 16 ? level >> 8 : level * 255 / largest
            result[index] = level == transparent ? 255 : UInt8(truncatingIfNeeded: short)
        }
        return UnsafeBufferPointer(result)
    }

    /// Returns the RGB colors of a row in 8 bits; colors that equal the transparent color become white.
    func rgb(_ row: UnsafeMutableBufferPointer<UInt8>, transparent: [Int]?) -> UnsafeBufferPointer<UInt8> {
        let key = transparent.map { ($0[0], $0[1], $0[2]) } ?? (-1, -1, -1)
        let shift = bitDepth - 8
        for start in stride(from: 0, to: width * 3, by: 3) {
            let color = (sample(row, start), sample(row, start + 1), sample(row, start + 2))
            let isWhite = color == key
            result[start] = isWhite ? 255 : UInt8(truncatingIfNeeded: color.0 >> shift)
            result[start + 1] = isWhite ? 255 : UInt8(truncatingIfNeeded: color.1 >> shift)
            result[start + 2] = isWhite ? 255 : UInt8(truncatingIfNeeded: color.2 >> shift)
        }
        return UnsafeBufferPointer(result)
    }

    /// Returns the colors of a row in 8 bits per sample, blended with white.
    ///
    /// The last sample of each source pixel is the opacity of the pixel.
    func alpha(_ row: UnsafeMutableBufferPointer<UInt8>, colors: Int) -> UnsafeBufferPointer<UInt8> {
        // The first byte of a 16-bit sample is the higher byte.
        let bytes = bitDepth / 8
        for pixel in 0..<width {
            let start = pixel * (colors + 1) * bytes
            let alpha = row[start + colors * bytes]
            for color in 0..<colors { result[pixel * colors + color] = overWhite(row[start + color * bytes], alpha) }
        }
        return UnsafeBufferPointer(result)
    }

    @inline(__always)
    private func sample(_ row: UnsafeMutableBufferPointer<UInt8>, _ index: Int) -> Int {
        switch bitDepth {
        case 16: return Int(row[index * 2]) << 8 | Int(row[index * 2 + 1])
        case 8: return Int(row[index])
        default:
            let position = index * bitDepth
            return Int(row[position / 8]) >> (8 - bitDepth - position % 8) & ((1 << bitDepth) - 1)
        }
    }
}
