// The sample of PrintKit's articles that needs the way to the spooler; PrintKitTests' ArticleTests looks for it.

import PrintKit
import PrintSubmission

private func throughTheSpooler(_ controller: PrintInteractionController) async throws {
    controller.destination = SpoolerDestination()
    try await controller.print(to: controller.printer(named: "color-laser"))
}
