// Provides small images of sheets for comparisons.

import PrintRaster

/// An image of a sheet with one cell for each 2 × 2 points, which hides antialiasing and rounding differences.
struct Thumbnail: Hashable {
    /// The width and height of a cell, in points.
    static let pointsPerCell = 2.0

    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    /// Creates a white sheet.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        bytes = [UInt8](repeating: 255, count: width * height * 3)
    }

    /// Creates a white sheet with a size in points.
    init(points width: Double, _ height: Double) {
        self.init(width: Self.cells(width), height: Self.cells(height))
    }

    /// Creates an image of a sheet by averaging the pixels of each cell.
    init(_ bitmap: Bitmap, width: Int, height: Int) {
        var bitmap = bitmap
        bitmap.convertToRGB()
        self.init(width: width, height: height)
        let (columns, rows) = (Self.cuts(bitmap.width, into: width), Self.cuts(bitmap.height, into: height))
        let perRow = bitmap.bytesPerRow
        bitmap.bytes.withUnsafeBufferPointer { source in
            bytes.withUnsafeMutableBufferPointer { target in
                for y in 0..<height {
                    for x in 0..<width {
                        var sums = (0, 0, 0)
                        let count = (columns[x + 1] - columns[x]) * (rows[y + 1] - rows[y])
                        for row in rows[y]..<rows[y + 1] {
                            for column in columns[x]..<columns[x + 1] {
                                let start = row &* perRow &+ column &* 3
                                sums.0 &+= Int(source[start])
                                sums.1 &+= Int(source[start &+ 1])
                                sums.2 &+= Int(source[start &+ 2])
                            }
                        }
                        let start = (y &* width &+ x) &* 3
                        target[start] = UInt8(sums.0 / count)
                        target[start &+ 1] = UInt8(sums.1 / count)
                        target[start &+ 2] = UInt8(sums.2 / count)
                    }
                }
            }
        }
    }

    /// Returns the number of cells for a length in points.
    static func cells(_ points: Double) -> Int { Int((points / pointsPerCell).rounded()) }

    /// Returns the first pixel of each cell in a row or column.
    ///
    /// Each cell has at least one pixel. An additional pixel at the end, caused by rounding, is ignored.
    private static func cuts(_ pixels: Int, into cells: Int) -> [Int] {
        precondition(pixels >= cells, "\(pixels) pixels are too few for \(cells) cells")
        let used = pixels % cells == 1 ? pixels - 1 : pixels
        return (0...cells).map { $0 * used / cells }
    }

    /// The red, green and blue values of a cell.
    subscript(x: Int, y: Int) -> (UInt8, UInt8, UInt8) {
        get {
            let start = (y * width + x) * 3
            return (bytes[start], bytes[start + 1], bytes[start + 2])
        }
        set {
            let start = (y * width + x) * 3
            (bytes[start], bytes[start + 1], bytes[start + 2]) = newValue
        }
    }

    /// Returns the image turned counterclockwise by a number of quarter turns.
    func turned(_ quarters: Int) -> Thumbnail {
        guard quarters % 4 != 0 else { return self }
        var turned = Thumbnail(width: height, height: width)
        for y in 0..<height {
            for x in 0..<width { turned[y, width - 1 - x] = self[x, y] }
        }
        return turned.turned(quarters % 4 - 1)
    }

    /// Draws another image on the sheet.
    ///
    /// The upper left corner of the image is at (`x`, `y`), in points.
    mutating func place(_ other: Thumbnail, x: Double, y: Double) {
        let (left, top) = (Self.cells(x), Self.cells(y))
        for row in 0..<other.height {
            for column in 0..<other.width { self[left + column, top + row] = other[column, row] }
        }
    }

    /// Returns the part of the sheet at a position in points.
    func part(x: Double, y: Double, width: Double, height: Double) -> Thumbnail {
        var part = Thumbnail(points: width, height)
        for row in 0..<part.height {
            for column in 0..<part.width { part[column, row] = self[Self.cells(x) + column, Self.cells(y) + row] }
        }
        return part
    }
}
