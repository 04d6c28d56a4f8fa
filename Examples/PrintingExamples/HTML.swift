// Listings 6-8 and 6-9: printing HTML.

import FoundationEssentials
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

/// Prints the page of a web view that has loaded an address (listing 6-9).
@MainActor func webView(_ controller: PrintInteractionController) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "web-view-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let address = folder.appending(path: "Prices.html")
    try Data(prices.utf8).write(to: address)
    let webView = try WebView(contentsOfFile: address.path)

    var printInfo = PrintInfo()
    printInfo.outputType = .general
    printInfo.jobName = address.lastPathComponent
    printInfo.duplex = .longEdge
    printInfo.printerID = controller.printInfo.printerID
    controller.printInfo = printInfo
    controller.showsPageRange = true
    let viewFormatter = webView.viewPrintFormatter()
    viewFormatter.startPage = 0
    controller.printFormatter = viewFormatter
    await presentOptions(controller) { _, isCompleted, error in log(isCompleted, error) }
}
