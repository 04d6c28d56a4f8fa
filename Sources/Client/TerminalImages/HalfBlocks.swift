// Draws images with half block characters.

public import PageComparison

/// An encoder that draws two pixels with each character.
///
/// The character `▀` has the color of the upper pixel. The background of the character has the color of the lower
/// pixel.
public enum HalfBlocks {
    /// Returns the lines of text that show an image, without line ends.
    ///
    /// Each line shows two rows of pixels.
    ///
    /// Each line ends with a sequence that restores the default colors. If the image has an odd number of rows, the
    /// lower half of the last line is white.
    ///
    /// - Parameter isTrueColor: Whether the terminal shows 24-bit colors. If false, the 256 colors of xterm are used.
    public static func lines(_ image: PagePixels, isTrueColor: Bool) -> [String] {
        stride(from: 0, to: image.height, by: 2).map { y in
            var line = ""
            var (upper, lower) = (-1, -1)
            for x in 0..<image.width {
                let top = code(image.packedColor(x, y), isTrueColor)
                let bottom = code(y + 1 < image.height ? image.packedColor(x, y + 1) : 0xFFFFFF, isTrueColor)
                if top != upper { line += "\u{1B}[38;\(words(top, isTrueColor))m" }
                if bottom != lower { line += "\u{1B}[48;\(words(bottom, isTrueColor))m" }
                (upper, lower) = (top, bottom)
                line += "▀"
            }
            return line + "\u{1B}[0m"
        }
    }

    private static func code(_ color: Int, _ isTrueColor: Bool) -> Int {
        isTrueColor ? color : indexed(red: color >> 16, green: color >> 8 & 0xFF, blue: color & 0xFF)
    }

    private static func words(_ code: Int, _ isTrueColor: Bool) -> String {
        isTrueColor ? "2;\(code >> 16);\(code >> 8 & 0xFF);\(code & 0xFF)" : "5;\(code)"
    }

    /// The six color levels in the color cube of xterm.
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// Returns the index of the color in xterm's palette of 256 colors that is nearest to the given color.
    ///
    /// The index is in the color cube (16 to 231) or in the gray ramp (232 to 255).
    static func indexed(red: Int, green: Int, blue: Int) -> Int {
        func nearest(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        func distance(_ color: (Int, Int, Int)) -> Int {
            let (a, b, c) = (color.0 - red, color.1 - green, color.2 - blue)
            return a * a + b * b + c * c
        }
        let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
        let step = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
        let gray = 8 + 10 * step
        let isGray = distance((gray, gray, gray)) < distance((levels[r], levels[g], levels[b]))
        return isGray ? 232 + step : 16 + 36 * r + 6 * g + b
    }
}
