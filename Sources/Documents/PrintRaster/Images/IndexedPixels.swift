// Converts bitmaps to palette indexes.

/// The pixels of a bitmap as indexes into a palette of at most 256 colors.
struct IndexedPixels {
    /// The red, green and blue components of each color, in the order of the colors' first appearance.
    private(set) var palette: [UInt8] = []
    /// The palette index of each pixel.
    private(set) var numbers: [UInt8] = []

    var colorCount: Int { palette.count / 3 }

    /// Converts an `rgb24` bitmap; returns `nil` if the bitmap has more than 256 colors.
    init?(of bitmap: Bitmap) {
        let count = bitmap.width * bitmap.height
        var table = ColorTable()
        numbers = bitmap.bytes.withUnsafeBufferPointer { pixels in
            [UInt8](unsafeUninitializedCapacity: count) { numbers, initialized in
                // Most pixels have the color of their neighbor.
                var last: (color: UInt32, number: UInt8) = (.max, 0)
                for index in 0..<count {
                    let color =
                        UInt32(pixels[index * 3]) << 16 | UInt32(pixels[index * 3 + 1]) << 8
                        | UInt32(pixels[index * 3 + 2])
                    if color != last.color {
                        guard let number = table.number(of: color) else { return }
                        last = (color, number)
                    }
                    numbers[index] = last.number
                }
                initialized = count
            }
        }
        guard numbers.count == count else { return nil }
        palette = table.colors.flatMap { color in
            [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
        }
    }
}

/// A hash table of colors and their palette indexes.
///
/// The table uses open addressing, because a dictionary is too slow for a million pixels.
private struct ColorTable {
    private(set) var colors: [UInt32] = []
    /// The slots of the table.
    ///
    /// The number of slots is four times the maximum number of colors.
    ///
    /// A slot holds the palette index plus 1; 0 means empty.
    private var places = [UInt16](repeating: 0, count: 1024)

    /// Returns the index of a color, and adds a new color to the table.
    ///
    /// Returns `nil` for a new color if the table already has 256 colors.
    mutating func number(of color: UInt32) -> UInt8? {
        var place = Int((color &* 0x9E37_79B1) >> 22)
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if colors[number] == color { return UInt8(number) }
            place = (place + 1) & 1023
        }
        guard colors.count < 256 else { return nil }
        colors.append(color)
        places[place] = UInt16(colors.count)
        return UInt8(colors.count - 1)
    }
}
