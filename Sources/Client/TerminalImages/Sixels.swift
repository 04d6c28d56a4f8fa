// Encodes images as sixel graphics.

public import PageComparison

/// An encoder of sixel graphics (DEC VT340; device control string `q`).
///
/// A sixel is a column of six pixels of one color. Each band of six pixel rows is drawn once for each color in the
/// band.
public enum Sixels {
    /// Returns an image as sixel graphics at the cursor.
    ///
    /// An image with at most 256 colors keeps its colors, rounded to whole percentages of red, green and blue, as the
    /// format requires. Any other image uses a fixed palette of 216 colors and 40 shades of gray.
    public static func encode(_ image: PagePixels) -> [UInt8] {
        let palette = SixelPalette(of: image)
        // 1: pixels without a color keep the background. The aspect ratio of pixels is 1 to 1.
        var output = Array("\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)".utf8)
        for (index, color) in palette.colors.enumerated() {
            func percent(_ shift: Int) -> Int { ((color >> shift & 0xFF) * 100 + 127) / 255 }
            output += Array("#\(index);2;\(percent(16));\(percent(8));\(percent(0))".utf8)
        }
        for top in stride(from: 0, to: image.height, by: 6) {
            appendBand(from: top, of: image, palette, to: &output)
            output.append(UInt8(ascii: "-"))
        }
        return output + Array("\u{1B}\\".utf8)
    }

    /// Appends a band of up to six rows of pixels.
    ///
    /// For each color in the band, the output contains the pixels of this color.
    private static func appendBand(
        from top: Int, of image: PagePixels, _ palette: SixelPalette, to output: inout [UInt8]
    ) {
        var columns: [Int: [UInt8]] = [:]
        for y in top..<min(top + 6, image.height) {
            let bit = UInt8(1 << (y - top))
            var (lastColor, lastIndex) = (-1, 0)
            for x in 0..<image.width {
                let color = image.packedColor(x, y)
                if color != lastColor { (lastColor, lastIndex) = (color, palette.index(of: color)) }
                columns[lastIndex, default: [UInt8](repeating: 0, count: image.width)][x] |= bit
            }
        }
        for (number, index) in columns.keys.sorted().enumerated() {
            // A carriage return goes back to the beginning of the band.
            if number > 0 { output.append(UInt8(ascii: "$")) }
            output += Array("#\(index)".utf8)
            appendRuns(columns[index] ?? [], to: &output)
        }
    }

    /// Appends the sixels of one color in a band of pixel rows.
    ///
    /// More than three equal sixels are written as a run.
    ///
    /// Empty sixels at the end are omitted.
    private static func appendRuns(_ bits: [UInt8], to output: inout [UInt8]) {
        let end = bits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        var x = 0
        while x < end {
            let next = bits[x..<end].firstIndex { $0 != bits[x] } ?? end
            let sixel = 63 + bits[x]
            if next - x > 3 {
                output += Array("!\(next - x)".utf8) + [sixel]
            } else {
                output += [UInt8](repeating: sixel, count: next - x)
            }
            x = next
        }
    }
}

/// The colors of a sixel image.
struct SixelPalette {
    /// The colors of the palette as 24-bit numbers.
    let colors: [Int]
    /// The palette index of each color, for an image with at most 256 colors; nil for the fixed palette.
    private let exact: [Int: Int]?

    /// Creates the palette of an image.
    ///
    /// If the image has at most 256 colors, the palette contains these colors. Otherwise the palette is the fixed
    /// palette.
    init(of image: PagePixels) {
        var seen: Set<Int> = []
        var last = -1
        search: for y in 0..<image.height {
            for x in 0..<image.width {
                let color = image.packedColor(x, y)
                if color != last { seen.insert(color) }
                if seen.count > 256 { break search }
                last = color
            }
        }
        if seen.count <= 256 {
            colors = seen.sorted()
            exact = Dictionary(uniqueKeysWithValues: colors.enumerated().map { ($1, $0) })
        } else {
            (colors, exact) = (Self.fixed, nil)
        }
    }

    /// The fixed palette: a color cube with six levels for red, green and blue, followed by 40 shades of gray.
    private static let fixed: [Int] =
        (0..<216).map { (51 * ($0 / 36)) << 16 | (51 * ($0 / 6 % 6)) << 8 | 51 * ($0 % 6) }
        + (0..<40).map { grayLevel($0) * 0x010101 }

    private static func grayLevel(_ step: Int) -> Int { (step * 255 + 19) / 39 }

    /// Returns the palette index of the color that is nearest to the given color.
    func index(of color: Int) -> Int {
        if let exact { return exact[color] ?? 0 }
        let (red, green, blue) = (color >> 16, color >> 8 & 0xFF, color & 0xFF)
        func nearest(_ value: Int) -> Int { (value + 25) / 51 }
        func distance(_ other: Int) -> Int {
            let (a, b, c) = ((other >> 16) - red, (other >> 8 & 0xFF) - green, (other & 0xFF) - blue)
            return a * a + b * b + c * c
        }
        let cube = 36 * nearest(red) + 6 * nearest(green) + nearest(blue)
        let gray = 216 + ((red + green + blue) / 3 * 39 + 127) / 255
        return distance(colors[gray]) < distance(colors[cube]) ? gray : cube
    }
}
