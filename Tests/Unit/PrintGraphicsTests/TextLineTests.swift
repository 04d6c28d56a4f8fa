import FoundationEssentials
import PrintGraphics
import Testing

/// Tests of single lines, of measured text, and of the ways in which glyphs are drawn.
struct TextLineTests {
    private let font = Font(family: "DejaVu Sans Mono", size: 20)

    /// Returns the rows that contain ink, in points from the top.
    private func inkedRows(_ draw: (GraphicsContext) -> Void) throws -> [Int] {
        let image = try bitmap(40, 40) { draw($0) }
        return (0..<40).filter { y in (0..<40).contains { image[$0, y].red < 128 } }
    }

    @Test func `a line stands on its baseline and reaches up to the height of its capitals`() throws {
        var text = AttributedString("HH")
        text.font = font
        let line = TextLine(text)
        let rows = try inkedRows { _ in line.draw(at: Point(x: 5, y: 30)) }
        let (first, last) = try (#require(rows.first), #require(rows.last))
        #expect(last == 29, "the row above the baseline")
        #expect(abs(Double(last + 1 - first) - font.capHeight) <= 1)
        #expect(abs(line.bounds.minY + line.ascent) < 1e-9 && line.bounds.width == line.width)
    }

    @Test func `'suggestedSize' is the size of the frame that contains the whole text at this width`() {
        let text = String(repeating: "several words ", count: 12)
        let setter = Framesetter(text, font: font)
        let size = setter.suggestedSize(within: Size(width: 200, height: .infinity))
        #expect(size.width <= 200 && size.height > 2 * font.lineHeight)
        let frame = setter.frame(in: Rect(x: 0, y: 0, width: 200, height: size.height + 0.01))
        #expect(frame.visibleRange.upperBound == setter.length)
        let lower = setter.frame(in: Rect(x: 0, y: 0, width: 200, height: size.height - font.lineHeight / 2))
        #expect(lower.visibleRange.upperBound < setter.length)
    }

    @Test func `the bold system font has thicker strokes, and the italic system font has slanted strokes`() throws {
        func ink(_ font: Font) throws -> (count: Int, width: Int) {
            let image = try bitmap(40, 60) { _ in "l".draw(at: Point(x: 10, y: 5), with: font) }
            let dark = (0..<2400).filter { image[$0 % 40, $0 / 40].red < 128 }
            let columns = dark.map { $0 % 40 }
            return (dark.count, (columns.max() ?? 0) - (columns.min() ?? 0))
        }
        let regular = try ink(.system(ofSize: 40))
        #expect(try ink(.boldSystem(ofSize: 40)).count > regular.count * 5 / 4)
        #expect(try ink(.italicSystem(ofSize: 40)).width > regular.width + 2)
    }

    @Test(arguments: [
        (TextDrawingMode.fill, "BB"), (.stroke, "RW"), (.fillStroke, "RB"), (.invisible, "WW"),
    ])
    func `each drawing mode shows the edge and the inside of a glyph in its colors`(
        mode: TextDrawingMode, colors: String
    )
        throws
    {
        let image = try bitmap(60, 60) { context in
            context.textDrawingMode = mode
            (context.fillColor, context.strokeColor, context.lineWidth) = (.blue, .red, 4)
            "█".draw(at: Point(x: 10, y: -10), with: font.withSize(50))
        }
        // The left edge of the block is between its outside and its inside.
        func letter(_ x: Int) -> String {
            let pixel = image[x, 20]
            return switch (pixel.red > 128, pixel.blue > 128) {
            case (true, true): "W"
            case (true, false): "R"
            case (false, true): "B"
            default: "?"
            }
        }
        #expect(letter(11) + letter(25) == colors)
    }
}
