// Compares two pages pixel by pixel.

import Glibc

/// The difference between two page images.
public struct PageDifference: Hashable, Sendable {
    /// The number of pixels that differ by more than the tolerance.
    public var pixelCount = 0
    /// The smallest rectangle that contains all differing pixels, in pixel coordinates; nil when no pixel differs.
    public var box: (left: Int, top: Int, right: Int, bottom: Int)? {
        pixelCount == 0 ? nil : (left, top, right, bottom)
    }
    /// The largest difference of a color component among all pixels, from 0 to 255.
    ///
    /// The value includes differences within the tolerance.
    public var largest = 0

    private var left = Int.max
    private var top = Int.max
    private var right = -1
    private var bottom = -1

    /// Compares two pages.
    ///
    /// A pixel differs if its red, green or blue component differs by more than `tolerance` (0 to 255). A pixel that
    /// exists in only one of the pages also counts as different.
    public init(_ one: PagePixels, _ other: PagePixels, tolerance: Int = 0) {
        guard one != other else { return }
        for y in 0..<max(one.height, other.height) where !Self.isSameRow(one, other, y) {
            for x in 0..<max(one.width, other.width) {
                note(Self.delta(one, other, x, y), tolerance: tolerance, x, y)
            }
        }
    }

    private mutating func note(_ delta: Int, tolerance: Int, _ x: Int, _ y: Int) {
        largest = max(largest, delta)
        guard delta > tolerance else { return }
        pixelCount += 1
        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
    }

    /// Returns whether a row has equal bytes in both pages.
    ///
    /// This check is fast, and most rows are equal.
    private static func isSameRow(_ one: PagePixels, _ other: PagePixels, _ y: Int) -> Bool {
        guard one.width == other.width, y < one.height, y < other.height else { return false }
        let row = (y * one.width * 3)..<((y + 1) * one.width * 3)
        return one.bytes.withUnsafeBytes { one in
            other.bytes.withUnsafeBytes {
                memcmp(one.baseAddress! + row.lowerBound, $0.baseAddress! + row.lowerBound, row.count) == 0
            }
        }
    }

    private static func delta(_ one: PagePixels, _ other: PagePixels, _ x: Int, _ y: Int) -> Int {
        guard x < one.width, x < other.width, y < one.height, y < other.height else { return 255 }
        let (a, b) = (one.color(x, y), other.color(x, y))
        return max(abs(Int(a.0) - Int(b.0)), abs(Int(a.1) - Int(b.1)), abs(Int(a.2) - Int(b.2)))
    }

    /// A description of the difference; empty when the pages match.
    public var summary: String {
        guard let box else { return "" }
        let place = "from (\(box.left), \(box.top)) to (\(box.right), \(box.bottom))"
        let subject = pixelCount == 1 ? "1 pixel differs" : "\(pixelCount) pixels differ"
        return "\(subject) by up to \(largest), \(place)"
    }

    /// Returns a picture with three parts from left to right: the first page, the differences in red, and the second
    /// page.
    public static func picture(of one: PagePixels, _ other: PagePixels, tolerance: Int = 0) -> PagePixels {
        let (width, height) = (max(one.width, other.width), max(one.height, other.height))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 9)
        for y in 0..<height {
            for x in 0..<width { append(one.color(x, y), to: &bytes) }
            for x in 0..<width {
                // Equal pixels are pale, so that the differences stand out.
                let (r, g, b) = one.color(x, y)
                let pale = UInt8(191 + (Int(r) + Int(g) + Int(b)) / 12)
                append(delta(one, other, x, y) > tolerance ? (220, 0, 0) : (pale, pale, pale), to: &bytes)
            }
            for x in 0..<width { append(other.color(x, y), to: &bytes) }
        }
        return PagePixels(width: width * 3, height: height, bytes: bytes)
    }

    private static func append(_ color: (UInt8, UInt8, UInt8), to bytes: inout [UInt8]) {
        bytes.append(color.0)
        bytes.append(color.1)
        bytes.append(color.2)
    }
}
