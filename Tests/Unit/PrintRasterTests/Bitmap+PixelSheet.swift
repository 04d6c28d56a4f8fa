// Compares bitmaps with pictures made of letters.

public import PrintRaster
public import PrintTestSupport

extension Bitmap: PixelSheet {
    /// Returns the color of a pixel.
    public func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = self[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}
