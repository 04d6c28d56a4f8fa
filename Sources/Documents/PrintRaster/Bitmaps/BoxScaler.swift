// Scales raster pages to page images by averaging pixels.

/// A scaler that receives the pixel lines of a page from top to bottom and produces a smaller or larger bitmap.
///
/// In a smaller bitmap, each pixel is the mean of the page pixels at its position. In a larger bitmap, each pixel has
/// the value of the page pixel at its position.
struct BoxScaler {
    private(set) var bitmap: Bitmap
    private let header: RasterPageHeader
    private let channels: Int
    /// For each bitmap column, the index of the first page column that belongs to this bitmap column.
    ///
    /// The last element is the number of page columns.
    private let columns: [Int]
    /// The color components of the current page line.
    ///
    /// `reduced` contains the same line, scaled to the columns of the bitmap.
    private var shades: [UInt8]
    private var reduced: [Int]
    /// The sums of the color components of all page lines that belong to the current bitmap row.
    ///
    /// `weight` is the number of summed lines.
    private var sums: [Int]
    private var weight = 0
    private var line = 0
    private var row = 0

    /// Creates a scaler that scales a page to the given width and height in pixels.
    init(_ header: RasterPageHeader, width: Int, height: Int) {
        self.header = header
        channels = header.colors == .rgb || header.colors == .cmyk ? 3 : 1
        bitmap = Bitmap(width: width, height: height, format: channels == 3 ? .rgb24 : .gray8)
        columns = (0...width).map { $0 * header.width / width }
        shades = [UInt8](repeating: 255, count: header.width * channels)
        reduced = [Int](repeating: 255, count: width * channels)
        sums = [Int](repeating: 0, count: width * channels)
    }

    /// Adds a line of the page that occurs `times` times in succession.
    mutating func add(_ packed: UnsafeBufferPointer<UInt8>, times: Int) {
        PixelShades(header).read(packed, into: &shades)
        reduce()
        var left = times
        while left > 0, row < bitmap.height {
            // The end of the range of lines that touch this row.
            let end = max((row + 1) * header.height / bitmap.height, row * header.height / bitmap.height + 1)
            let count = min(left, end - line)
            if count > 0 {
                for index in sums.indices { sums[index] += reduced[index] * count }
                (weight, line, left) = (weight + count, line + count, left - count)
            }
            guard line >= end else { return }
            finishRow()
            // If rows are smaller than a line, the next rows take the same line.
            while row < bitmap.height, row * header.height / bitmap.height < line,
                (row + 1) * header.height / bitmap.height <= line
            {
                for index in sums.indices { sums[index] = reduced[index] }
                weight = 1
                finishRow()
            }
        }
    }

    private mutating func reduce() {
        for column in 0..<bitmap.width {
            let first = min(columns[column], header.width - 1)
            let end = max(columns[column + 1], first + 1)
            for channel in 0..<channels {
                var sum = 0
                for x in first..<end { sum += Int(shades[x * channels + channel]) }
                reduced[column * channels + channel] = (sum + (end - first) / 2) / (end - first)
            }
        }
    }

    private mutating func finishRow() {
        let (sums, weight) = (sums, max(weight, 1))
        bitmap.withMutableRow(row) { target in
            for index in sums.indices { target[index] = UInt8(clamping: (sums[index] + weight / 2) / weight) }
        }
        for index in self.sums.indices { self.sums[index] = 0 }
        self.weight = 0
        row += 1
    }
}

/// A converter from the bytes of a page to 8-bit gray or RGB components.
private struct PixelShades {
    private let header: RasterPageHeader

    init(_ header: RasterPageHeader) { self.header = header }

    func read(_ packed: UnsafeBufferPointer<UInt8>, into shades: inout [UInt8]) {
        // Use the upper 8 of 16 bits. The bytes are big-endian here.
        let step = header.bitsPerColor == 16 ? 2 : 1
        shades.withUnsafeMutableBufferPointer { shades in
            switch header.colors {
            case .black where header.bitsPerColor == 1:
                for x in 0..<header.width { shades[x] = packed[x >> 3] & (0x80 >> (x & 7)) == 0 ? 255 : 0 }
            case .gray where header.bitsPerColor == 1:
                for x in 0..<header.width { shades[x] = packed[x >> 3] & (0x80 >> (x & 7)) == 0 ? 0 : 255 }
            case .black:
                for x in 0..<header.width { shades[x] = 255 - packed[x * step] }
            case .gray:
                for x in 0..<header.width { shades[x] = packed[x * step] }
            case .rgb:
                for x in 0..<header.width * 3 { shades[x] = packed[x * step] }
            case .cmyk:
                for x in 0..<header.width {
                    let start = x * 4 * step
                    let light = 255 - Int(packed[start + 3 * step])
                    for channel in 0..<3 {
                        let ink = Int(packed[start + channel * step])
                        shades[x * 3 + channel] = UInt8((255 - ink) * light / 255)
                    }
                }
            }
        }
    }
}
