// A page of few colours as numbers of colours.

/// A bitmap's pixels as numbers into a palette of at most 256 colours.
struct IndexedPixels {
    /// Red, green, blue of each colour, in the order in which they first appear.
    private(set) var palette: [UInt8] = []
    /// The number of each pixel's colour.
    private(set) var numbers: [UInt8] = []

    var colorCount: Int { palette.count / 3 }

    /// Looks at an `rgb24` bitmap; `nil` as soon as it shows a 257th colour.
    init?(of bitmap: Bitmap) {
        let count = bitmap.width * bitmap.height
        var table = ColorTable()
        numbers = bitmap.bytes.withUnsafeBufferPointer { pixels in
            [UInt8](unsafeUninitializedCapacity: count) { numbers, initialized in
                // Most pixels are like their neighbour.
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

/// Colours and their numbers, found by open addressing: a dictionary is too slow for a million pixels.
private struct ColorTable {
    private(set) var colors: [UInt32] = []
    /// Four times as many places as colours; the number of the colour there plus one, 0 where none is.
    private var places = [UInt16](repeating: 0, count: 1024)

    /// The number of a colour, new or known; `nil` when there are 256 others.
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
