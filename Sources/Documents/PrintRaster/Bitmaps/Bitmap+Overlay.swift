// Draws the overlay line that marks the printable area.

import PrintModel

extension Bitmap {
    /// The color of the dashed line that `drawDashes` draws.
    ///
    /// Documents rarely contain this color.
    static let overlay = Pixel(red: 255, green: 0, blue: 255)

    /// Draws a dashed line, one pixel wide, along the inner edge of an area.
    ///
    /// Dashes and gaps are 1 mm long.
    mutating func drawDashes(around area: PixelRect, resolution: Int) {
        let dash = max(resolution / 25, 1)
        let (left, top) = (max(area.x, 0), max(area.y, 0))
        let right = min(area.x + area.width, width) - 1
        let bottom = min(area.y + area.height, height) - 1
        guard left <= right, top <= bottom else { return }
        convertToRGB()
        for x in left...right where (x - left) / dash % 2 == 0 {
            self[x, top] = Self.overlay
            self[x, bottom] = Self.overlay
        }
        for y in top...bottom where (y - top) / dash % 2 == 0 {
            self[left, y] = Self.overlay
            self[right, y] = Self.overlay
        }
    }
}
