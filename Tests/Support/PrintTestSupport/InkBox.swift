// Finds the ink on a page.

public import PrintModel

extension PixelSheet {
    /// Returns the bounding box of all ink in a part of the sheet, in points; nil if there is no ink.
    ///
    /// - Parameters:
    ///   - area: The part, in points from the sheet's top left corner.
    ///   - dpi: The resolution in pixels per inch.
    public func ink(within area: Rect, dpi: Int) -> Rect? {
        let scale = Double(dpi) / 72
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        for y in Int(area.minY * scale)..<min(height, Int(area.maxY * scale)) {
            for x in Int(area.minX * scale)..<min(width, Int(area.maxX * scale)) where rgb(x: x, y: y).red < 128 {
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), max(bottom, y + 1))
            }
        }
        guard left <= right else { return nil }
        return Rect(
            x: Double(left) / scale, y: Double(top) / scale, width: Double(right - left) / scale,
            height: Double(bottom - top) / scale)
    }
}
