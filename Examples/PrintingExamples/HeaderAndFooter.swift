// Listing 6-10: a page renderer with the document title in the header and page numbers in the footer.

import PrintKit

/// A renderer that draws a title centered at the bottom of the header, and "n." right-aligned at the bottom of the
/// footer.
final class TitleAndNumbers: PrintPageRenderer {
    private let title: String
    private let font = Font(name: "Helvetica", size: 12)

    init(title: String) {
        self.title = title
        super.init()
        (headerHeight, footerHeight) = (36, 36)
    }

    override func drawHeaderForPage(at index: Int, in rect: Rect) {
        let size = title.size(with: font)
        // The listing centers the title as if the header began at the page's left edge. The header begins at the
        // printer's margin, so the title would be half a left margin too far left. `rect.midX` is the middle of the
        // printable area.
        title.draw(at: Point(x: rect.maxX / 2 - size.width / 2, y: rect.maxY - size.height), with: font)
    }

    override func drawFooterForPage(at index: Int, in rect: Rect) {
        let number = "\(index + 1)."
        let size = number.size(with: font)
        number.draw(at: Point(x: rect.maxX - size.width - 1, y: rect.maxY - size.height), with: font)
    }
}

/// Prints text over several pages with titles and page numbers (listing 6-10).
@MainActor func headerAndFooter(_ controller: PrintInteractionController) async throws {
    let renderer = TitleAndNumbers(title: "On Paper")
    let text = SimpleTextPrintFormatter(text: (1...120).map { "Line \($0) of the text." }.joined(separator: "\n"))
    text.font = Font(name: "Helvetica", size: 12)
    text.perPageContentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
    renderer.addPrintFormatter(text, startingAtPageAt: 0)
    controller.printInfo.jobName = "On Paper"
    controller.printPageRenderer = renderer
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}
