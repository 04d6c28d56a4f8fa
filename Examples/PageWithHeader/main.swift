import PrintKit

final class Letter: PrintPageRenderer {
    override func drawHeaderForPage(at index: Int, in rect: Rect) {
        "Page \(index + 1) of \(numberOfPages)".draw(at: rect.origin, with: .boldSystem(ofSize: 12))
    }
}
let letter = Letter()
letter.headerHeight = 36
letter.addPrintFormatter(SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper."), startingAtPageAt: 0)
PrintInteractionController.shared.printInfo.jobName = "Letter"
PrintInteractionController.shared.printPageRenderer = letter
try await PrintInteractionController.shared.print(to: .file("letter.pdf"))
