// Compares two bitmaps.

import Glibc

extension Bitmap {
    /// The difference between two bitmaps.
    public struct Difference: Hashable, Sendable {
        /// The number of pixels that differ by more than the tolerance.
        public var pixelCount: Int
        /// The smallest rectangle that contains the differing pixels; `nil` if no pixels differ.
        public var box: PixelRect?
        /// The largest difference between corresponding color components of the two bitmaps, from 0 to 255.
        public var largest: Int

        /// Creates a difference from its measurements.
        public init(pixelCount: Int, box: PixelRect?, largest: Int) {
            self.pixelCount = pixelCount
            self.box = box
            self.largest = largest
        }

        /// Whether no pixel differs by more than the tolerance.
        public var isEmpty: Bool { pixelCount == 0 }
    }

    /// Compares two bitmaps, which can have different formats, pixel by pixel.
    ///
    /// A pixel differs when one of its components differs by more than `tolerance`. If the bitmaps have different
    /// sizes, the pixels that only one bitmap contains differ by 255.
    public func difference(from other: Bitmap, tolerance: Int = 0) -> Difference {
        if self == other { return Difference(pixelCount: 0, box: nil, largest: 0) }
        var tally = Tally()
        for y in 0..<max(height, other.height) {
            if y < height, y < other.height {
                compareRow(y, with: other, tolerance: tolerance, into: &tally)
            } else {
                tally.add(columns: 0..<(y < height ? width : other.width), row: y)
            }
        }
        return tally.difference
    }

    private func compareRow(_ y: Int, with other: Bitmap, tolerance: Int, into tally: inout Tally) {
        let common = min(width, other.width)
        bytes.withUnsafeBufferPointer { mine in
            other.bytes.withUnsafeBufferPointer { theirs in
                let a = mine.baseAddress! + y * bytesPerRow
                let b = theirs.baseAddress! + y * other.bytesPerRow
                if format == other.format, memcmp(a, b, common * format.bytesPerPixel) == 0 { return }
                // The single byte of a gray pixel is used for all three components.
                let (stepA, stepB) = (format.bytesPerPixel, other.format.bytesPerPixel)
                let components = max(stepA, stepB)
                for x in 0..<common {
                    var delta = 0
                    for component in 0..<components {
                        let left = Int(a[x * stepA + (stepA == 1 ? 0 : component)])
                        let right = Int(b[x * stepB + (stepB == 1 ? 0 : component)])
                        delta = max(delta, abs(left - right))
                    }
                    if delta > 0 { tally.note(delta, x: x, y: y, differs: delta > tolerance) }
                }
            }
        }
        tally.add(columns: common..<max(width, other.width), row: y)
    }
}

/// The number and the bounds of the differing pixels found so far.
private struct Tally {
    var count = 0
    var largest = 0
    var left = Int.max
    var right = Int.min
    var top = Int.max
    var bottom = Int.min

    mutating func note(_ delta: Int, x: Int, y: Int, differs: Bool) {
        largest = max(largest, delta)
        guard differs else { return }
        count += 1
        extend(columns: x..<x + 1, row: y)
    }

    /// Counts the pixels of a row that only one of the two bitmaps contains.
    mutating func add(columns: Range<Int>, row: Int) {
        guard !columns.isEmpty else { return }
        largest = 255
        count += columns.count
        extend(columns: columns, row: row)
    }

    private mutating func extend(columns: Range<Int>, row: Int) {
        left = min(left, columns.lowerBound)
        right = max(right, columns.upperBound)
        top = min(top, row)
        bottom = max(bottom, row + 1)
    }

    var difference: Bitmap.Difference {
        let box = count == 0 ? nil : PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        return Bitmap.Difference(pixelCount: count, box: box, largest: largest)
    }
}
