// Mirrors a bitmap and places it on paper.

extension Bitmap {
    /// Mirrors the bitmap horizontally, vertically, or in both directions (a rotation by 180°).
    mutating func mirror(acrossWidth: Bool, acrossHeight: Bool) {
        guard acrossWidth || acrossHeight else { return }
        let (size, old) = (format.bytesPerPixel, bytes)
        for y in 0..<height {
            let from = (acrossHeight ? height - 1 - y : y) * bytesPerRow
            let width = width
            withMutableRow(y) { row in
                for x in 0..<width {
                    let source = from + (acrossWidth ? width - 1 - x : x) * size
                    for component in 0..<size { row[x * size + component] = old[source + component] }
                }
            }
        }
    }

    /// Returns white paper with the bitmap at the given position; parts beyond the paper are cut off.
    ///
    /// - Returns: The paper, and the edges at which pixels other than white were cut off.
    func placed(x left: Int, y top: Int, width paperWidth: Int, height paperHeight: Int) -> (Bitmap, PageEdges) {
        var paper = Bitmap(width: paperWidth, height: paperHeight, format: format)
        var rest = self
        let visible = PixelRect(
            x: max(0, -left), y: max(0, -top), width: min(width, paperWidth - left) - max(0, -left),
            height: min(height, paperHeight - top) - max(0, -top))
        let cut = rest.clip(to: visible)
        let size = format.bytesPerPixel
        for y in visible.y..<max(visible.y, visible.y + visible.height) {
            paper.withMutableRow(y + top) { row in
                let from = y * bytesPerRow + visible.x * size
                for index in 0..<max(0, visible.width) * size {
                    row[(visible.x + left) * size + index] = bytes[from + index]
                }
            }
        }
        return (paper, cut)
    }
}
