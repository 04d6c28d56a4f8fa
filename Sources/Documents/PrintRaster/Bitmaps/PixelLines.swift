// Packs drawn rows as lines of PWG raster and Apple raster.

import Glibc

import PrintModel

/// A packer that converts the rows of a page, from top to bottom, to packed lines of PWG raster or Apple raster.
///
/// The packer stores repeated lines once, with their count. Within a line, runs of equal pixels alternate with
/// sequences of different pixels (PWG 5102.4 §4.4).
struct PixelLines {
    private var encoder: PixelEncoder
    private let unit: Int
    private var row: [UInt32]
    private var line: [UInt8]
    private var times = 0
    private var packed: [UInt8] = []

    /// Creates a packer for a pixel format.
    ///
    /// - Parameter isReversed: Whether each line begins with its rightmost pixel.
    init(_ form: PixelForm, width: Int, isReversed: Bool) {
        encoder = PixelEncoder(form, width: width, isReversed: isReversed)
        unit = max(1, form.type.bitsPerColor * form.type.colorCount / 8)
        row = [UInt32](repeating: 0, count: width)
        line = [UInt8](repeating: 0, count: encoder.bytesPerLine)
        packed.reserveCapacity(Self.capacity * 2)
    }

    private static let capacity = 1 << 20

    /// Whether the packer holds at least 1 MiB of packed bytes.
    var isFull: Bool { packed.count >= Self.capacity }

    /// Removes and returns the packed bytes.
    mutating func takePacked() -> [UInt8] {
        defer { packed.removeAll(keepingCapacity: true) }
        return packed
    }

    /// Adds a row of `0x??RRGGBB` words.
    mutating func add(_ words: UnsafePointer<UInt32>) {
        let size = row.count * 4
        if times > 0, times < 256, encoder.isStateless, memcmp(words, row, size) == 0 {
            times += 1
            return
        }
        memcpy(&row, words, size)
        let new = encoder.encode(words)
        if times > 0, times < 256, memcmp(new, line, line.count) == 0 {
            times += 1
            return
        }
        flush()
        line = new
        times = 1
    }

    /// Packs the remaining lines of the page, after its last row.
    mutating func finish() {
        flush()
        times = 0
    }

    private mutating func flush() {
        guard times > 0 else { return }
        packed.append(UInt8(times - 1))
        let (unit, count) = (unit, line.count / unit)
        line.withUnsafeBufferPointer { bytes in
            switch unit {
            case 1: Self.pack(bytes.baseAddress!, count, unit, &packed) { $0[0] == $1[0] }
            case 3:
                Self.pack(bytes.baseAddress!, count, unit, &packed) {
                    $0[0] == $1[0] && $0[1] == $1[1] && $0[2] == $1[2]
                }
            default: Self.pack(bytes.baseAddress!, count, unit, &packed) { memcmp($0, $1, unit) == 0 }
            }
        }
    }

    @inline(__always)
    private static func pack(
        _ line: UnsafePointer<UInt8>, _ count: Int, _ unit: Int, _ packed: inout [UInt8],
        _ areEqual: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Bool
    ) {
        var start = 0
        while start < count {
            let first = line + start * unit
            var end = start + 1
            let limit = min(start + 128, count)
            while end < limit, areEqual(first, line + end * unit) { end += 1 }
            if end - start > 1 {
                packed.append(UInt8(end - start - 1))
                packed.append(contentsOf: UnsafeBufferPointer(start: first, count: unit))
            } else {
                // Collect different pixels up to the next two equal pixels.
                while end < limit, end + 1 >= count || !areEqual(line + end * unit, line + (end + 1) * unit) {
                    end += 1
                }
                packed.append(UInt8(truncatingIfNeeded: end - start == 1 ? 0 : 257 - (end - start)))
                packed.append(contentsOf: UnsafeBufferPointer(start: first, count: (end - start) * unit))
            }
            start = end
        }
    }
}
