// Marks near the edges of a page.

public import PrintModel

extension PDFDocument {
    /// Returns whether a page has visible marks outside of a rectangle.
    ///
    /// The page is drawn coarsely, at 50 dpi: fine enough for a line of text or a hairline, and quick.
    ///
    /// - Parameters:
    ///   - area: In points, origin at the top left of the page as shown.
    ///   - index: The page, counting from 0.
    /// - Throws: `unreadable` if the page is damaged, `tooLarge` if it has more than 10 million pixels at 50 dpi.
    public func hasMarks(outside area: Rect, onPage index: Int) throws(RasterError) -> Bool {
        let size = try pageSize(at: index)
        let sketch = try render(page: index, dpi: 50, maximumPixels: 10_000_000)
        let scale = (x: Double(sketch.width) / size.width, y: Double(sketch.height) / size.height)
        return sketch.hasMarks(outside: PixelRect(touching: area, scale: scale))
    }
}

extension Bitmap {
    /// Whether a pixel outside of a rectangle is visibly darker than paper; noise of a scanned white margin is not.
    func hasMarks(outside area: PixelRect) -> Bool {
        let darkest: UInt8 = 245
        let step = format.bytesPerPixel
        func hasMarks(_ columns: Range<Int>, row: Int) -> Bool {
            let start = row * bytesPerRow
            return bytes[(start + columns.lowerBound * step)..<(start + columns.upperBound * step)]
                .contains { $0 < darkest }
        }
        let left = min(max(area.x, 0), width)
        let right = max(min(area.x + area.width, width), left)
        return (0..<height).contains { row in
            if row < area.y || row >= area.y + area.height { return hasMarks(0..<width, row: row) }
            return hasMarks(0..<left, row: row) || hasMarks(right..<width, row: row)
        }
    }
}
