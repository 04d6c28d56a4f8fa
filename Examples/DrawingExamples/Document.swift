// Listings L4-1 and L4-2: text over as many pages as it needs, each with its number at the foot.

import FoundationEssentials
import PrintGraphics

/// L4-1: a loop from frame to visible range to the next page.
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

/// L4-2: fills the text area of 6.5 × 9 inches and tells where the next page begins.
func drawPage(of framesetter: Framesetter, from position: Int) -> Int {
    let frame = framesetter.frame(in: Rect(x: 72, y: 72, width: 468, height: 648), startingAt: position)
    frame.draw()
    return frame.visibleRange.upperBound
}

/// L4-2: "Page n" in the middle of the bottom inch.
func drawPageNumber(_ number: Int) {
    let text = "Page \(number)"
    let font = Font.system(ofSize: 12)
    let size = text.size(with: font)
    text.draw(at: Point(x: (612 - size.width) / 2, y: 720 + (72 - size.height) / 2), with: font)
}
