// The step of the tutorial "Print from a server" that draws the page. Examples/PrintEndpoint has the routes.

import PrintKit

@MainActor func printEndpoint1() async throws {
    let slip = PackingSlip(Order(number: 4711, articles: ["Screws 4 × 30", "Hinges"]))
    let controller = PrintInteractionController()
    controller.printPageRenderer = slip
    try await controller.print(to: .file("slip.pdf"))
}
