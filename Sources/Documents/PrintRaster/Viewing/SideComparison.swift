// Finds the differences between a page and its printed side.

import FoundationEssentials
import PrintModel

/// The comparison of a laid-out page with its printed side, at the same resolution.
///
/// Each pixel is compared with the pixels around the same position in the other image. A pixel is different if its
/// color is outside of the color range of these surrounding pixels by more than the tolerance. Therefore slightly moved
/// edges are not reported.
struct SideComparison {
    /// The maximum difference, from 0 to 255, at which two color components count as equal.
    static let tolerance = 16
    /// The side length, in pixels, of the squares that group differing pixels.
    private static let cell = 6
    /// The maximum number of reported areas for each cause of a difference.
    private static let mostAreas = 20

    private let expected: Bitmap
    private let printed: Bitmap
    private let printable: PixelRect
    private let resolution: Int
    private let isPrintedGray: Bool

    init(expected: Bitmap, printed: Bitmap, printableArea: Rect, resolution: Int) {
        isPrintedGray = printed.isGray
        (self.expected, self.printed) = (expected.inRGB, printed.inRGB)
        let scale = Double(resolution) / 72
        printable = PixelRect(touching: printableArea, scale: (x: scale, y: scale))
        self.resolution = resolution
    }

    /// The differences between the images, with one element for each cause.
    var differences: [SideDifference] {
        let width = max(expected.width, printed.width)
        let height = max(expected.height, printed.height)
        var grids = SideDifference.Cause.allCases.map { _ in
            CellGrid(width: width, height: height, cell: Self.cell)
        }
        // The strips of the margins in which content is missing: top, left, bottom, right.
        var strips: [PixelBounds?] = [nil, nil, nil, nil]
        for y in 0..<height {
            for x in 0..<width {
                guard let cause = cause(x, y) else { continue }
                grids[cause.index].add(x, y)
                if cause == .printableArea {
                    let strip =
                        y < printable.y ? 0 : y >= printable.y + printable.height ? 2 : x < printable.x ? 1 : 3
                    strips[strip] = (strips[strip] ?? PixelBounds(x, y)).including(x, y)
                }
            }
        }
        let all = Double(width * height)
        return SideDifference.Cause.allCases.compactMap { cause in
            let grid = grids[cause.index]
            guard grid.count > 0 else { return nil }
            let share = Double(grid.count) / all
            guard cause != .printableArea else {
                let edges: [PageImage.Edge] = [.top, .left, .bottom, .right]
                return SideDifference(
                    cause: cause, areas: strips.compactMap { $0.map(points) }, share: share,
                    edges: zip(edges, strips).compactMap { $1 == nil ? nil : $0 })
            }
            let areas = grid.areas(most: Self.mostAreas).map(points)
            return areas.isEmpty ? nil : SideDifference(cause: cause, areas: areas, share: share)
        }
    }

    private func points(_ bounds: PixelBounds) -> Rect {
        let scale = 72 / Double(resolution)
        return Rect(
            x: Double(bounds.left) * scale, y: Double(bounds.top) * scale,
            width: Double(bounds.right + 1 - bounds.left) * scale,
            height: Double(bounds.bottom + 1 - bounds.top) * scale)
    }

    /// Returns the cause of a difference at a pixel; nil if the pixel does not differ.
    private func cause(_ x: Int, _ y: Int) -> SideDifference.Cause? {
        let (wanted, got) = (expected.color(x, y), printed.color(x, y))
        guard wanted.distance(to: got) > Self.tolerance else { return nil }
        if isPrintedGray, wanted.chroma > Self.tolerance,
            abs(wanted.gray - got.gray) <= 2 * Self.tolerance, isInside(x, y)
        {
            return .color
        }
        guard !isNear(wanted, printed, x, y) || !isNear(got, expected, x, y) else { return nil }
        let isLost = got.lightest > 245 && wanted.lightest <= 245
        if !isInside(x, y) { return isLost ? .printableArea : .other }
        // The gray edges of colored text differ from the gray of its color.
        if isPrintedGray, isNear(wanted.inGray, printed, x, y) { return wanted.chroma > 0 ? .color : nil }
        return isLost ? .missing : .other
    }

    private func isInside(_ x: Int, _ y: Int) -> Bool {
        x >= printable.x && y >= printable.y && x < printable.x + printable.width
            && y < printable.y + printable.height
    }

    /// Returns whether a color lies in the color range of the pixels around a position.
    ///
    /// The tolerance extends the range.
    private func isNear(_ color: PixelColor, _ image: Bitmap, _ x: Int, _ y: Int) -> Bool {
        var (low, high) = (PixelColor(red: 255, green: 255, blue: 255), PixelColor(red: 0, green: 0, blue: 0))
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 {
                let near = image.color(column, row)
                low = PixelColor(
                    red: min(low.red, near.red), green: min(low.green, near.green), blue: min(low.blue, near.blue))
                high = PixelColor(
                    red: max(high.red, near.red), green: max(high.green, near.green), blue: max(high.blue, near.blue))
            }
        }
        let limit = Self.tolerance
        return (low.red - limit...high.red + limit).contains(color.red)
            && (low.green - limit...high.green + limit).contains(color.green)
            && (low.blue - limit...high.blue + limit).contains(color.blue)
    }
}

extension SideDifference.Cause {
    fileprivate var index: Int {
        switch self {
        case .printableArea: 0
        case .color: 1
        case .missing: 2
        case .other: 3
        }
    }
}

/// The red, green and blue components of a pixel, from 0 to 255.
private struct PixelColor {
    var red: Int
    var green: Int
    var blue: Int

    var gray: Int {
        Int(Luminance.shared.gray(red: UInt8(red), green: UInt8(green), blue: UInt8(blue)))
    }
    var inGray: PixelColor {
        let gray = gray
        return PixelColor(red: gray, green: gray, blue: gray)
    }
    var lightest: Int { min(red, green, blue) }
    var chroma: Int { max(red, green, blue) - min(red, green, blue) }

    func distance(to other: PixelColor) -> Int {
        max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
}

extension Bitmap {
    fileprivate var inRGB: Bitmap {
        var copy = self
        copy.convertToRGB()
        return copy
    }

    /// Returns the color of a pixel; white beyond the edges of the bitmap.
    fileprivate func color(_ x: Int, _ y: Int) -> PixelColor {
        guard x >= 0, y >= 0, x < width, y < height else { return PixelColor(red: 255, green: 255, blue: 255) }
        return bytes.withUnsafeBufferPointer { bytes in
            let start = (y * width + x) * 3
            return PixelColor(red: Int(bytes[start]), green: Int(bytes[start + 1]), blue: Int(bytes[start + 2]))
        }
    }
}

/// The smallest rectangle that contains a group of pixels.
private struct PixelBounds {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    init(_ x: Int, _ y: Int) { (left, top, right, bottom) = (x, y, x, y) }

    func including(_ x: Int, _ y: Int) -> PixelBounds {
        var bounds = self
        bounds.left = min(left, x)
        bounds.right = max(right, x)
        bounds.top = min(top, y)
        bounds.bottom = max(bottom, y)
        return bounds
    }

    func including(_ other: PixelBounds) -> PixelBounds {
        including(other.left, other.top).including(other.right, other.bottom)
    }

    func touches(_ other: PixelBounds, distance: Int) -> Bool {
        left <= other.right + distance && other.left <= right + distance && top <= other.bottom + distance
            && other.top <= bottom + distance
    }

    var pixelCount: Int { (right + 1 - left) * (bottom + 1 - top) }
}

/// The differing pixels of a page, grouped in squares.
private struct CellGrid {
    private let columns: Int
    private let rows: Int
    private let cell: Int
    private var cells: [PixelBounds?]
    private(set) var count = 0

    init(width: Int, height: Int, cell: Int) {
        self.cell = cell
        columns = width / cell + 1
        rows = height / cell + 1
        cells = Array(repeating: nil, count: columns * rows)
    }

    mutating func add(_ x: Int, _ y: Int) {
        let index = y / cell * columns + x / cell
        cells[index] = (cells[index] ?? PixelBounds(x, y)).including(x, y)
        count += 1
    }

    /// Returns the rectangles that enclose groups of nearby differing pixels, the largest rectangle first.
    ///
    /// - Parameter most: The maximum number of rectangles.
    func areas(most: Int) -> [PixelBounds] {
        var isSeen = cells.map { $0 == nil }
        var areas: [PixelBounds] = []
        for start in cells.indices where !isSeen[start] {
            guard var bounds = cells[start] else { continue }
            var pending = [start]
            isSeen[start] = true
            while let index = pending.popLast() {
                if let own = cells[index] { bounds = bounds.including(own) }
                let (row, column) = index.quotientAndRemainder(dividingBy: columns)
                for y in max(0, row - 2)...min(rows - 1, row + 2) {
                    for x in max(0, column - 2)...min(columns - 1, column + 2) where !isSeen[y * columns + x] {
                        isSeen[y * columns + x] = true
                        pending.append(y * columns + x)
                    }
                }
            }
            areas.append(bounds)
        }
        return Array(joined(areas).sorted { $0.pixelCount > $1.pixelCount }.prefix(most))
    }

    /// Joins rectangles that nearly touch, and returns the resulting rectangles.
    private func joined(_ areas: [PixelBounds]) -> [PixelBounds] {
        // A page with very many areas is not joined, because each pair would be compared.
        guard areas.count <= 500 else { return areas }
        var areas = areas
        var index = 0
        while index < areas.count {
            let own = areas[index]
            let near = areas.indices.first { $0 > index && areas[$0].touches(own, distance: 2 * cell) }
            if let other = near {
                areas[index] = areas[index].including(areas[other])
                areas.remove(at: other)
                index = 0
            } else {
                index += 1
            }
        }
        return areas
    }
}
