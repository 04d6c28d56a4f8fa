// Detects marks near the edges of a page.

public import PrintModel

extension PDFDocument {
    /// The resolution at which `hasMarks` draws pages, in dpi.
    ///
    /// At this resolution, drawing is fast, and a line of text or a hairline is still visible.
    public static let marginResolution = 50.0

    /// Returns whether a page has visible marks outside of a rectangle.
    ///
    /// The page is drawn at `marginResolution`.
    ///
    /// - Parameters:
    ///   - area: The rectangle in points, from the top left corner of the displayed page.
    ///   - index: The index of the page, from 0.
    /// - Throws: `unreadable` if the page is damaged, `tooLarge` if the page has more than 10 million pixels at 50 dpi.
    public func hasMarks(outside area: Rect, onPage index: Int) throws(RasterError) -> Bool {
        try review(page: index, outside: area).hasMarks
    }

    /// Returns what `hasMarks` returns, and a sentence for users about data of the page that no renderer can decode; nil
    /// if no such data is known.
    public func review(
        page index: Int, outside area: Rect
    ) throws(RasterError) -> (hasMarks: Bool, notice: String?) {
        let size = try pageSize(at: index)
        let (sketch, defect) = try PageDefect.found { () throws(RasterError) in
            try render(page: index, dpi: Self.marginResolution, maximumPixels: 10_000_000)
        }
        let scale = (x: Double(sketch.width) / size.width, y: Double(sketch.height) / size.height)
        var notice: String?
        if case .ofDocument(let reason) = defect {
            notice = PageAttempts.incomplete("page \(index + 1)", because: reason)
        }
        return (sketch.hasMarks(outside: PixelRect(touching: area, scale: scale)), notice)
    }
}

extension Bitmap {
    /// Returns whether a pixel outside of a rectangle is visibly darker than paper.
    ///
    /// The function ignores noise in scanned white margins.
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
