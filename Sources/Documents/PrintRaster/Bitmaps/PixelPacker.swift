// Packs cairo's pixels of four bytes into bitmaps of three bytes or one byte for each pixel.

import CPagePixels

/// A packer that converts rows of drawn pixels, from top to bottom, to a bitmap.
///
/// The bitmap of the packer is `gray8` until the first colored pixel.
struct PixelPacker {
    private(set) var bitmap: Bitmap
    private var row = 0

    init(width: Int, height: Int) {
        bitmap = Bitmap(width: width, height: height, format: .gray8)
    }

    /// Appends the first rows of a canvas, and clears the canvas.
    mutating func append(_ canvas: Canvas, rows: Int) throws(RasterError) {
        try canvas.takeRows(rows) { row throws(RasterError) in append(row) }
    }

    mutating func append(_ source: PixelRow) {
        if source.colors == .any { bitmap.convertToRGB() }
        switch bitmap.format {
        case .gray8 where source.colors == .blank: break  // the bitmap is white
        case .gray8:
            let width = bitmap.width
            bitmap.withMutableRow(row) { page_row_shades(source.words, width, $0) }
        case .rgb24: appendColor(source.words)
        }
        row += 1
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
