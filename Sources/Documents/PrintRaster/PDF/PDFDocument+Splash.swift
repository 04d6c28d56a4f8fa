// Draws pages with the second renderer.

import CSplash
import PrintModel

extension PDFDocument {
    /// Draws a page with Splash on white paper, at a position rounded to whole pixels.
    ///
    /// The placement determines the size of the paper.
    ///
    /// The parts beyond the paper are cut off.
    ///
    /// - Throws: `tooLarge`, or `unreadable` if the page is damaged.
    func renderWithSplash(
        page index: Int, placed placement: PaperPlacement, maximumPixels: Int
    ) throws(RasterError) -> Bitmap {
        let (width, height) = (placement.exactWidth, placement.exactHeight)
        guard width * height <= Double(maximumPixels), width <= Double(Canvas.longestSide) else {
            throw .pageTooLarge(index, width: width, height: height, limit: maximumPixels)
        }
        var paper = Bitmap(width: Int(width), height: Int(height))
        let (area, left, top) = placement.splashArea(unit: userUnit(at: index))
        try splashBands(ofPage: index, area, fromBelow: false) { pixels, rows throws(RasterError) in
            for row in rows {
                let source = pixels.baseAddress! + (row - rows.lowerBound) * Int(area.width) * 3
                paper.withMutableRow(top + row) { target in
                    (target + left * 3).update(from: source, count: Int(area.width) * 3)
                }
            }
        }
        if paper.isGray { paper.convertToGray() }
        return paper
    }

    /// Scales a page to exactly the given size, draws the page with Splash, and passes its rows to `body`.
    ///
    /// - Parameters:
    ///   - fromBelow: Whether the rows are passed from bottom to top.
    ///   - body: A function that receives each row.
    func splashRows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool,
        _ body: (PixelRow) throws(RasterError) -> Void
    ) throws(RasterError) {
        let (size, unit) = (try pageSize(at: index), userUnit(at: index))
        let area = csplash_area(
            scale_x: Double(width) / size.width * unit, scale_y: Double(height) / size.height * unit, turns: 0, x: 0,
            y: 0, width: Int32(width), height: Int32(height), antialiased: isAntialiased)
        var words = [UInt32](repeating: 0, count: width)
        try splashBands(ofPage: index, area, fromBelow: fromBelow) { pixels, rows throws(RasterError) in
            for row in fromBelow ? Array(rows.reversed()) : Array(rows) {
                let source = pixels.baseAddress! + (row - rows.lowerBound) * width * 3
                var difference: UInt8 = 0
                for x in 0..<width {
                    let pixel = source + x * 3
                    words[x] = 0xFF00_0000 | UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
                    difference |= (pixel[0] ^ pixel[1]) | (pixel[1] ^ pixel[2])
                }
                try words.withUnsafeBufferPointer { words throws(RasterError) in
                    try body(PixelRow(words: words.baseAddress!, colors: difference == 0 ? .gray : .any))
                }
            }
        }
    }

    func splashBands(
        ofPage index: Int, _ area: csplash_area, fromBelow: Bool,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>) throws(RasterError) -> Void
    ) throws(RasterError) {
        try SplashPage(index, of: self).bands(
            of: area, fromBelow: fromBelow,
            failure: { .pageUnreadable(index, of: label, cause: $0.isEmpty ? nil : $0) }, body)
    }
}

extension PaperPlacement {
    /// Returns the visible area of the page in pixels, and the position of this area on the paper.
    fileprivate func splashArea(unit: Double) -> (area: csplash_area, left: Int, top: Int) {
        let (box, shown) = (pageBox, turnedPage)
        let (columns, left) = Self.visible(from: box.origin.x, count: box.size.width, of: exactWidth)
        let (rows, top) = Self.visible(from: box.origin.y, count: box.size.height, of: exactHeight)
        let area = csplash_area(
            scale_x: box.size.width / shown.width * unit, scale_y: box.size.height / shown.height * unit,
            turns: isTurned ? 3 : 0, x: Int32(clamping: columns.lowerBound), y: Int32(clamping: rows.lowerBound),
            width: Int32(columns.count), height: Int32(rows.count), antialiased: true)
        return (area, left, top)
    }

    /// Returns the range of the pixels of a row or column that are on the paper, and the position of this range on the
    /// paper.
    ///
    /// The row or column has `count` pixels and begins at `start`.
    private static func visible(from start: Double, count: Double, of paper: Double) -> (pixels: Range<Int>, start: Int)
    {
        let first = max(-start.rounded(), 0)
        let end = max(min(count.rounded(), paper - start.rounded()), first)
        return (Int(first)..<Int(end), Int(max(start.rounded(), 0)))
    }
}
