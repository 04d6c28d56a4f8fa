// Contains the code sample of PrintKit's articles that requires the spooler. ArticleTests in PrintKitTests compares
// the sample with the article.

import PrintKit
import PrintSubmission

private func throughTheSpooler(_ controller: PrintInteractionController) async throws {
    controller.destination = SpoolerDestination()
    try await controller.print(to: controller.printer(named: "color-laser"))
}
