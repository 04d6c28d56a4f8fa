// Listings L6-8 and L6-9: HTML.

import PrintKit

/// A table that runs over pages, its head on each of them.
private let prices = """
    <style>table { width: 100% } th { text-align: left; border-bottom: 1pt solid } td { height: 24pt }</style>
    <h1>Prices</h1>
    <table><thead><tr><th>Article<th>Price</thead>
    \((1...60).map { "<tr><td>Article \($0)<td>\($0).50" }.joined())</table>
    """

/// L6-8: HTML, an inch from the printable area's edges and six inches wide at most, of which pages can be chosen.
@MainActor func html(_ controller: PrintInteractionController) async throws {
    controller.printInfo.jobName = "Prices"
    controller.showsPageRange = true
    let formatter = MarkupTextPrintFormatter(markupText: prices)
    formatter.startPage = 0
    formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
    formatter.maximumContentWidth = 6 * 72
    controller.printFormatter = formatter
    let isCompleted = try await controller.present()
    print(isCompleted ? "printed" : "cancelled")
}

/// L6-9: what a web view shows.
@MainActor func webView(_ controller: PrintInteractionController) async throws {
    let view = WebView(html: prices)
    controller.printInfo.jobName = "Web view"
    controller.printFormatter = view.viewPrintFormatter()
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}
