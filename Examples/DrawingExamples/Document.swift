// Listings 4-1 and 4-2: text over several pages with page numbers.

import FoundationEssentials
import PrintGraphics

/// Lays out a frame, and begins the next frame at the end of its visible range (listing 4-1).
func document(to path: String) throws {
    let story = (1...400).map { "Paragraph \($0) of a long story, in which page follows page." }.joined(separator: "\n")
    var text = AttributedString(story)
    text.font = Font(name: "Helvetica", size: 12)

    try PDFContext.write(to: path, info: DocumentInfo(title: "A long story")) { pdf in
        let framesetter = Framesetter(text)
        var position = 0
        var page = 0
        repeat {
            pdf.beginPage()
            page += 1
            drawPageNumber(page)
            position = drawPage(of: framesetter, from: position)
        } while position < framesetter.length
    }
}

/// Fills the text area of 6.5 × 9 inches, and returns the position at which the next page begins (listing 4-2).
func drawPage(of framesetter: Framesetter, from position: Int) -> Int {
    let frame = framesetter.frame(in: Rect(x: 72, y: 72, width: 468, height: 648), startingAt: position)
    frame.draw()
    return frame.visibleRange.upperBound
}

/// Draws "Page n" in the middle of the bottom inch (listing 4-2).
func drawPageNumber(_ number: Int) {
    let text = "Page \(number)"
    let font = Font.system(ofSize: 12)
    let size = text.size(with: font)
    text.draw(at: Point(x: (612 - size.width) / 2, y: 720 + (72 - size.height) / 2), with: font)
}
