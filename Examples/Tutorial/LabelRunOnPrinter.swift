// The step of the tutorial "Print a run of labels" that prints on a roll.

import PrintKit
import PrintSubmission

@MainActor func labelRun3() async throws {
    final class Labels: PrintPageRenderer {
        let articles = ["Screws 4 × 30", "Screws 5 × 50", "Hinges"]

        override var numberOfPages: Int { articles.count }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            articles[index].draw(at: Point(x: rect.minX + 14, y: rect.minY + 14), with: .boldSystem(ofSize: 14))
        }
    }

    @MainActor final class Roll: @MainActor PrintInteractionControllerDelegate {
        func printInteractionController(
            _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
        ) -> Double { 82 }

        func printInteractionController(
            _ controller: PrintInteractionController, chooseCutterBehavior available: [CutterBehavior]
        ) -> CutterBehavior { .cutAfterEachPage }
    }

    let controller = PrintInteractionController.shared
    // The controller does not retain its delegate.
    let roll = Roll()
    controller.delegate = roll
    controller.destination = SpoolerDestination()
    controller.printPageRenderer = Labels()
    try await controller.print(to: controller.printer(named: "roll"))
}
