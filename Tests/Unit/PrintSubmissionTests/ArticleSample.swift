// Contains the code samples of PrintKit's articles that require the spooler. ArticleTests in PrintKitTests compares
// the samples with the article.

import PrintKit
import PrintSubmission

private func throughTheSpooler(_ controller: PrintInteractionController) async throws {
    controller.destination = SpoolerDestination()
    try await controller.print(to: controller.printer(named: "color-laser"))
}

private func afterRestart(_ number: Int) async throws {
    guard let job = try await SpoolerDestination().job(number: number) else { return }
    let end = try await job.wait()
    _ = end
}
