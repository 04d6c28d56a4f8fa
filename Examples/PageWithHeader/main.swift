import PrintKit
import PrintSubmission

final class Letter: PrintPageRenderer {
    override func drawHeaderForPage(at index: Int, in rect: Rect) {
        "Page \(index + 1) of \(numberOfPages)".draw(at: rect.origin, with: .boldSystem(ofSize: 12))
    }
}
let (letter, controller) = (Letter(), PrintInteractionController.shared)
(letter.headerHeight, controller.destination) = (36, SpoolerDestination())
letter.addPrintFormatter(SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper."), startingAtPageAt: 0)
controller.printPageRenderer = letter
try await controller.print(to: controller.printer(named: "color-laser"))
