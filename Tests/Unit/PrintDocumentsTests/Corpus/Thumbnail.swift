// Small images of sheets, which are compared instead of the sheets.

import PrintRaster

/// An image of a sheet with a cell for every two points each way, so that antialiasing and rounding do not count.
struct Thumbnail: Hashable {
    /// The points of a sheet that one cell stands for, each way.
    static let pointsPerCell = 2.0

    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    /// A white sheet.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        bytes = [UInt8](repeating: 255, count: width * height * 3)
    }

    /// A white sheet of a size in points.
    init(points width: Double, _ height: Double) {
        self.init(width: Self.cells(width), height: Self.cells(height))
    }

    /// An image of a sheet, reduced to cells by averaging.
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

    /// The number of cells of a length in points.
    static func cells(_ points: Double) -> Int { Int((points / pointsPerCell).rounded()) }

    /// Where the cells of a row begin, in pixels; each has at least one pixel.
    ///
    /// A pixel more than makes whole cells comes from rounding, and is left out.
    private static func cuts(_ pixels: Int, into cells: Int) -> [Int] {
        precondition(pixels >= cells, "\(pixels) pixels do not make \(cells) cells")
        let used = pixels % cells == 1 ? pixels - 1 : pixels
        return (0...cells).map { $0 * used / cells }
    }

    /// The red, green and blue of a cell.
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

    /// The image turned by quarters, counter-clockwise.
    func turned(_ quarters: Int) -> Thumbnail {
        guard quarters % 4 != 0 else { return self }
        var turned = Thumbnail(width: height, height: width)
        for y in 0..<height {
            for x in 0..<width { turned[y, width - 1 - x] = self[x, y] }
        }
        return turned.turned(quarters % 4 - 1)
    }

    /// Puts another image onto the sheet, its upper left at a place in points.
    mutating func place(_ other: Thumbnail, x: Double, y: Double) {
        let (left, top) = (Self.cells(x), Self.cells(y))
        for row in 0..<other.height {
            for column in 0..<other.width { self[left + column, top + row] = other[column, row] }
        }
    }

    /// The part of the sheet at a place in points.
    func part(x: Double, y: Double, width: Double, height: Double) -> Thumbnail {
        var part = Thumbnail(points: width, height)
        for row in 0..<part.height {
            for column in 0..<part.width { part[column, row] = self[Self.cells(x) + column, Self.cells(y) + row] }
        }
        return part
    }
}
