// Bitmaps compared with pictures in letters.

public import PrintRaster
public import PrintTestSupport

extension Bitmap: PixelSheet {
    /// The colour of a pixel.
    public func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = self[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}
