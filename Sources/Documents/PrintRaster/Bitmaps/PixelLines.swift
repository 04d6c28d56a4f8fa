// Packs drawn rows as lines of PWG raster and Apple raster.

import CPagePixels
import Glibc
import PrintModel

/// A packer that converts the rows of a page, from top to bottom, to packed lines of PWG raster or Apple raster.
///
/// The packer stores repeated lines once, with their count. Within a line, runs of equal pixels alternate with
/// sequences of different pixels (PWG 5102.4 §4.4).
struct PixelLines {
    private let form: PixelForm
    private let isReversed: Bool
    private let luminance = Luminance.shared
    private var encoder: PixelEncoder
    /// The number of bytes of a packed pixel; in 1-bit formats, a byte of eight pixels counts as a pixel.
    private let bytesPerPixel: Int
    /// The current line: one word for each packed pixel.
    private var line: [UInt32]
    /// A line that was converted, before it is compared with the current line.
    private var converted: [UInt32]
    /// Whether no pixel of the current line was drawn.
    private var isBlank = false
    private var times = 0
    private var packed: [UInt8]
    private var packedCount = 0

    /// Creates a packer for a pixel format.
    ///
    /// - Parameter isReversed: Whether each line begins with its rightmost pixel.
    init(_ form: PixelForm, width: Int, isReversed: Bool) {
        self.form = form
        self.isReversed = isReversed
        encoder = PixelEncoder(form, width: width, isReversed: isReversed)
        bytesPerPixel = max(1, form.type.bitsPerColor * form.type.colorCount / 8)
        let count = form.type.bitsPerColor == 1 ? encoder.bytesPerLine : width
        line = [UInt32](repeating: 0, count: count)
        converted = line
        packed = [UInt8](repeating: 0, count: Self.capacity + 1 + count * (bytesPerPixel + 1))
    }

    private static let capacity = 1 << 20

    /// Whether the packer holds at least 1 MiB of packed bytes.
    ///
    /// The caller then removes the bytes before it adds another row.
    var isFull: Bool { packedCount >= Self.capacity }

    /// Removes the packed bytes, and passes the bytes to `body`.
    mutating func takePacked(_ body: (UnsafeBufferPointer<UInt8>) throws(RasterError) -> Void) throws(RasterError) {
        let count = packedCount
        packedCount = 0
        try packed.withUnsafeBufferPointer { bytes throws(RasterError) in
            try body(UnsafeBufferPointer(rebasing: bytes[..<count]))
        }
    }

    mutating func add(_ row: PixelRow) {
        let canRepeat = times > 0 && times < 256
        if canRepeat, isBlank, row.colors == .blank, encoder.isStateless {
            times += 1
            return
        }
        let size = line.count * 4
        if isDrawn(row) {
            if canRepeat, memcmp(row.words, line, size) == 0 {
                times += 1
            } else {
                flush()
                memcpy(&line, row.words, size)
                times = 1
            }
        } else {
            convert(row)
            if canRepeat, memcmp(converted, line, size) == 0 {
                times += 1
            } else {
                flush()
                swap(&line, &converted)
                times = 1
            }
        }
        isBlank = row.colors == .blank
    }

    /// Packs the remaining lines of the page, after its last row.
    mutating func finish() {
        flush()
        times = 0
    }

    /// Whether a drawn row already has the words of a line.
    private func isDrawn(_ row: PixelRow) -> Bool {
        switch form.type {
        case .color8, .deviceColor8, .gray8, .black8:
            row.colors == .blank || !isReversed && (row.colors == .gray || form.type.isColor && !form.isGray)
        case .cmyk8, .gray1, .black1: false
        }
    }

    /// Converts a drawn row to the words of a line, in `converted`.
    private mutating func convert(_ row: PixelRow) {
        let count = converted.count
        switch form.type {
        case .color8, .deviceColor8, .gray8, .black8:
            let isShaded = form.isGray || !form.type.isColor
            converted.withUnsafeMutableBufferPointer { target in
                for x in 0..<count {
                    let word = row.words[isReversed ? count - 1 - x : x]
                    target[x] = 0xFF00_0000 | (isShaded ? UInt32(luminance.gray(word)) &* 0x01_0101 : word)
                }
            }
        case .cmyk8, .gray1, .black1:
            let (bytes, size) = (encoder.encode(row.words), bytesPerPixel)
            converted.withUnsafeMutableBufferPointer { target in
                bytes.withUnsafeBufferPointer { bytes in
                    for x in 0..<count {
                        var word: UInt32 = 0
                        for byte in 0..<size { word = word << 8 | UInt32(bytes[x * size + byte]) }
                        target[x] = word
                    }
                }
            }
        }
    }

    private mutating func flush() {
        guard times > 0 else { return }
        packed[packedCount] = UInt8(times - 1)
        let mask: UInt8 = form.type == .black8 ? 0xFF : 0
        let (start, size) = (packedCount + 1, Int32(bytesPerPixel))
        packedCount =
            start
            + packed.withUnsafeMutableBufferPointer { packed in
                page_row_pack(line, line.count, size, mask, packed.baseAddress! + start)
            }
    }
}
