// Finds ink on a page, and removes the ink in the unprintable margins.

import Glibc

/// A rectangle of whole pixels in a bitmap.
public struct PixelRect: Hashable, Sendable {
    /// The index of the rectangle's leftmost pixel column in the bitmap, counted from 0.
    public var x: Int
    /// The index of the rectangle's topmost pixel row in the bitmap, counted from 0 at the top.
    public var y: Int
    /// The width of the rectangle in pixels.
    public var width: Int
    /// The height of the rectangle in pixels.
    public var height: Int

    /// Creates a rectangle from the position of its upper left pixel and its size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A set of page edges.
public struct PageEdges: OptionSet, Hashable, Sendable {
    /// A bit mask with one bit for each edge.
    public let rawValue: UInt8

    /// Creates a set of edges from a bit mask.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The left edge of the page.
    public static let left = PageEdges(rawValue: 1)
    /// The top edge of the page.
    public static let top = PageEdges(rawValue: 2)
    /// The right edge of the page.
    public static let right = PageEdges(rawValue: 4)
    /// The bottom edge of the page.
    public static let bottom = PageEdges(rawValue: 8)
}

extension Bitmap {
    /// Whether every pixel of the bitmap is white.
    public var isBlank: Bool {
        bytes.withUnsafeBufferPointer { isWhite($0.baseAddress!, count: $0.count) }
    }

    /// Whether all pixels are gray, independent of the bitmap's format.
    public var isGray: Bool {
        guard format == .rgb24 else { return true }
        return bytes.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                let row = pixels.baseAddress! + y * bytesPerRow
                var difference: UInt8 = 0
                for x in 0..<width {
                    difference |= (row[x * 3] ^ row[x * 3 + 1]) | (row[x * 3 + 1] ^ row[x * 3 + 2])
                }
                if difference != 0 { return false }
            }
            return true
        }
    }

    /// Paints everything outside of a rectangle white, because a printer leaves the unprintable margins of a sheet
    /// white.
    ///
    /// Ink lost in a corner counts for both edges of the corner. A rectangle that extends beyond the bitmap is clipped
    /// to the bitmap.
    ///
    /// - Returns: The edges at which ink was lost.
    @discardableResult
    public mutating func clip(to area: PixelRect) -> PageEdges {
        let left = min(max(area.x, 0), width)
        let right = max(min(area.x + area.width, width), left)
        let top = min(max(area.y, 0), height)
        let bottom = max(min(area.y + area.height, height), top)
        var lost: PageEdges = []
        if hasInk(columns: 0..<left, rows: 0..<height) { lost.insert(.left) }
        if hasInk(columns: 0..<width, rows: 0..<top) { lost.insert(.top) }
        if hasInk(columns: right..<width, rows: 0..<height) { lost.insert(.right) }
        if hasInk(columns: 0..<width, rows: bottom..<height) { lost.insert(.bottom) }
        if !lost.isEmpty {
            erase(columns: 0..<width, rows: 0..<top)
            erase(columns: 0..<width, rows: bottom..<height)
            erase(columns: 0..<left, rows: top..<bottom)
            erase(columns: right..<width, rows: top..<bottom)
        }
        return lost
    }

    private func hasInk(columns: Range<Int>, rows: Range<Int>) -> Bool {
        let start = columns.lowerBound * format.bytesPerPixel
        let count = columns.count * format.bytesPerPixel
        return bytes.withUnsafeBufferPointer { pixels in
            rows.contains { y in !isWhite(pixels.baseAddress! + y * bytesPerRow + start, count: count) }
        }
    }

    private mutating func erase(columns: Range<Int>, rows: Range<Int>) {
        let start = columns.lowerBound * format.bytesPerPixel
        let count = columns.count * format.bytesPerPixel
        for y in rows {
            _ = withMutableRow(y) { memset($0 + start, 0xFF, count) }
        }
    }
}

// All bytes are 255 if the first byte is 255 and each byte equals the next. `memcmp` is also fast in debug builds.
private func isWhite(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    count == 0 || (bytes[0] == 0xFF && memcmp(bytes, bytes + 1, count - 1) == 0)
}
