// Draws a picture of text.

import FoundationEssentials
import PrintGraphics

extension DrawingPictures {
    /// Draws a justified column, text in a disc, attributes, and several scripts.
    static func text(on context: GraphicsContext) {
        let story = """
            Text is set in frames, one after another: each takes what fits, and says where the next begins. \
            A frame may be a rectangle or any path, and lines are as wide as the path is at their height.
            """
        let style = ParagraphStyle(alignment: .justified, firstLineHeadIndent: 14)
        Framesetter(story, font: Font(family: "DejaVu Serif", size: 10), style: style)
            .frame(in: Rect(x: 10, y: 10, width: 210, height: 110)).draw()

        let disc = BezierPath(ovalIn: Rect(x: 250, y: 10, width: 220, height: 220))
        context.fillColor = Color(red: 0.92, green: 0.95, blue: 1)
        disc.fill()
        context.fillColor = .black
        let inside = BezierPath(ovalIn: Rect(x: 260, y: 20, width: 200, height: 200))
        Framesetter(
            Array(repeating: story, count: 4).joined(separator: " "), font: .system(ofSize: 9),
            style: ParagraphStyle(alignment: .center)
        ).frame(in: inside).draw()

        var words = AttributedString("Bold, ")
        words.font = .boldSystem(ofSize: 14)
        var colored = AttributedString("coloured, ")
        colored.font = .system(ofSize: 14)
        colored.textColor = .red
        var underlined = AttributedString("underlined")
        underlined.font = .italicSystem(ofSize: 14)
        underlined.underline = .single
        (words + colored + underlined).draw(at: Point(x: 10, y: 135))

        "日本語   Ελληνικά   Русский".draw(at: Point(x: 10, y: 170), with: .system(ofSize: 14))
        "مرحبا بالعالم".draw(
            in: Rect(x: 10, y: 200, width: 210, height: 30), with: .system(ofSize: 16))
    }
}
