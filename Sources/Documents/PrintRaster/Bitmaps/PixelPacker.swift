// Packs cairo's pixels of four bytes into bitmaps of three bytes or one byte for each pixel.

/// A packer that converts rows of drawn pixels, from top to bottom, to a bitmap.
///
/// The bitmap of the packer is `gray8` until the first colored pixel.
struct PixelPacker {
    private(set) var bitmap: Bitmap
    private var row = 0

    init(width: Int, height: Int) {
        bitmap = Bitmap(width: width, height: height, format: .gray8)
    }

    /// Appends rows of `0x??RRGGBB` words; the rows are `stride` words apart.
    mutating func append(_ pixels: UnsafePointer<UInt32>, stride: Int, rows: Int) {
        for offset in 0..<rows {
            let source = pixels + offset * stride
            if bitmap.format == .gray8, !appendGray(source) {
                bitmap.convertToRGB()
            }
            if bitmap.format == .rgb24 {
                appendColor(source)
            }
            row += 1
        }
    }

    /// Writes one row as gray; returns false if the row contains color.
    private mutating func appendGray(_ source: UnsafePointer<UInt32>) -> Bool {
        let width = bitmap.width
        return bitmap.withMutableRow(row) { target in
            var difference: UInt32 = 0
            for x in 0..<width {
                let pixel = source[x]
                difference |= pixel ^ (pixel >> 8)  // the low 16 bits stay 0 while red = green = blue
                target[x] = UInt8(truncatingIfNeeded: pixel)
            }
            return difference & 0xFFFF == 0
        }
    }

    private mutating func appendColor(_ source: UnsafePointer<UInt32>) {
        let width = bitmap.width
        bitmap.withMutableRow(row) { target in
            var out = target
            for x in 0..<width {
                let pixel = source[x]
                out[0] = UInt8(truncatingIfNeeded: pixel >> 16)
                out[1] = UInt8(truncatingIfNeeded: pixel >> 8)
                out[2] = UInt8(truncatingIfNeeded: pixel)
                out += 3
            }
        }
    }
}
