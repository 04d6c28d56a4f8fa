// Converts drawn rows to a printer's pixel format.

import PrintModel

/// An encoder that converts rows of `0x??RRGGBB` words to lines in a printer's pixel format.
///
/// In gray formats, a color becomes the gray of equal luminance (`Luminance`). For 1-bit pixels, the encoder dithers
/// rows with error diffusion (Floyd and Steinberg), in alternating directions. White stays white and black stays black,
/// so no specks surround the text.
struct PixelEncoder {
    let bytesPerLine: Int
    private let type: RasterType
    private let isGray: Bool
    private let width: Int
    private let isReversed: Bool
    private let luminance = Luminance.shared
    /// The quantization errors of the previous row: one for each pixel, and one at each end.
    private var errors: [Int32] = []
    private var isFromRight = false

    /// Creates an encoder for the rows of a page.
    ///
    /// - Parameter isReversed: Whether each line begins with its rightmost pixel.
    init(_ form: PixelForm, width: Int, isReversed: Bool) {
        type = form.type
        isGray = form.isGray
        self.width = width
        self.isReversed = isReversed
        bytesPerLine = (width * form.type.colorCount * form.type.bitsPerColor + 7) / 8
        if form.type.bitsPerColor == 1 { errors = [Int32](repeating: 0, count: width + 2) }
    }

    /// Whether equal rows always produce equal lines.
    var isStateless: Bool { errors.isEmpty }

    /// Encodes a row as a line in the pixel format.
    mutating func encode(_ row: UnsafePointer<UInt32>) -> [UInt8] {
        // The padding bits of the last byte are white.
        var line = [UInt8](repeating: type == .gray1 ? 0xFF : 0, count: bytesPerLine)
        line.withUnsafeMutableBufferPointer { target in
            let target = target.baseAddress!
            switch type {
            case .color8, .deviceColor8: isGray ? writeGrayAsColor(row, target) : writeColor(row, target)
            case .cmyk8: writeInks(row, target)
            case .gray8: writeShades(row, target, inverted: false)
            case .black8: writeShades(row, target, inverted: true)
            case .gray1, .black1: break
            }
        }
        if type.bitsPerColor == 1 { dither(row, into: &line) }
        return line
    }

    @inline(__always) private func source(_ x: Int) -> Int { isReversed ? width - 1 - x : x }

    private func writeColor(_ row: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt8>) {
        var out = target
        for x in 0..<width {
            let word = row[source(x)]
            out[0] = UInt8(truncatingIfNeeded: word >> 16)
            out[1] = UInt8(truncatingIfNeeded: word >> 8)
            out[2] = UInt8(truncatingIfNeeded: word)
            out += 3
        }
    }

    private func writeGrayAsColor(_ row: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt8>) {
        var out = target
        for x in 0..<width {
            let level = luminance.gray(row[source(x)])
            (out[0], out[1], out[2]) = (level, level, level)
            out += 3
        }
    }

    private func writeShades(_ row: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt8>, inverted: Bool) {
        let mask: UInt8 = inverted ? 0xFF : 0
        for x in 0..<width { target[x] = luminance.gray(row[source(x)]) ^ mask }
    }

    /// Converts a row to CMYK, in which black replaces the common part of the other three colors.
    private func writeInks(_ row: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt8>) {
        var out = target
        for x in 0..<width {
            let word = isGray ? UInt32(luminance.gray(row[source(x)])) &* 0x01_0101 : row[source(x)]
            let (red, green, blue) = (
                UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
                UInt8(truncatingIfNeeded: word)
            )
            let lightest = max(red, green, blue)
            (out[0], out[1], out[2], out[3]) = (lightest - red, lightest - green, lightest - blue, 255 - lightest)
            out += 4
        }
    }

    private mutating func dither(_ row: UnsafePointer<UInt32>, into line: inout [UInt8]) {
        var below = [Int32](repeating: 0, count: width + 2)
        var carried: Int32 = 0
        let step = isFromRight ? -1 : 1
        for turn in 0..<width {
            let x = isFromRight ? width - 1 - turn : turn
            let level = Int32(luminance.gray(row[source(x)]))
            var isBlack = level == 0
            if level == 0 || level == 255 {
                carried = 0
            } else {
                let wanted = level + carried + errors[x + 1]
                isBlack = wanted < 128
                let error = wanted - (isBlack ? 0 : 255)
                carried = error * 7 / 16
                below[x + 1 - step] += error * 3 / 16
                below[x + 1] += error * 5 / 16
                below[x + 1 + step] += error / 16
            }
            if isBlack { line[x >> 3] ^= 0x80 >> UInt8(x & 7) }
        }
        errors = below
        isFromRight.toggle()
    }
}
