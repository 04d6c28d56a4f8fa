// Listings 6-8 and 6-9: printing HTML.

import PrintKit

/// A table that spans several pages and repeats its header row.
private let prices = """
    <style>table { width: 100% } th { text-align: left; border-bottom: 1pt solid } td { height: 24pt }</style>
    <h1>Prices</h1>
    <table><thead><tr><th>Article<th>Price</thead>
    \((1...60).map { "<tr><td>Article \($0)<td>\($0).50" }.joined())</table>
    """

/// Prints HTML with insets of one inch and a maximum width of six inches (listing 6-8).
///
/// The user can choose pages.
@MainActor func html(_ controller: PrintInteractionController) async throws {
    controller.printInfo.jobName = "Prices"
    controller.showsPageRange = true
    let formatter = MarkupTextPrintFormatter(markupText: prices)
    formatter.startPage = 0
    formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
    formatter.maximumContentWidth = 6 * 72
    controller.printFormatter = formatter
    let isCompleted = try await controller.present()
    print(isCompleted ? "printed" : "canceled")
}

/// Prints the content of a web view (listing 6-9).
@MainActor func webView(_ controller: PrintInteractionController) async throws {
    let view = WebView(html: prices)
    controller.printInfo.jobName = "Web view"
    controller.printFormatter = view.viewPrintFormatter()
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}
