// The steps of the tutorial "Print a report from HTML".

import PrintKit

@MainActor func htmlReport1() async throws {
    let html = """
        <h1>Stock</h1>
        <p>The report lists every article that is below its minimum.</p>
        <table><tr><th>Article<th>Stock</tr><tr><td>Hinges<td>3</tr></table>
        """
    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Stock"
    controller.printFormatter = MarkupTextPrintFormatter(markupText: html)
    try await controller.print(to: .file("stock.pdf"))
}

@MainActor func htmlReport2() async throws {
    let rows = (1...60).map { "<tr><td>Article \($0)<td>\($0 % 7)</tr>" }.joined()
    let html = """
        <style>
        body { font-family: Helvetica; font-size: 11pt }
        table { width: 100%; border-collapse: collapse }
        th { text-align: left; border-bottom: 1pt solid }
        td { border-bottom: 0.5pt solid #ccc; padding: 3pt 0 }
        tr { break-inside: avoid }
        </style>
        <h1>Stock</h1>
        <table><thead><tr><th>Article<th>Stock</thead>\(rows)</table>
        """
    let formatter = MarkupTextPrintFormatter(markupText: html)
    formatter.contentInsets = EdgeInsets(top: 36, left: 54, bottom: 0, right: 54)

    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Stock"
    controller.printFormatter = formatter
    try await controller.print(to: .file("stock.pdf"))
}

@MainActor func htmlReport3() async throws {
    final class Numbered: PrintPageRenderer {
        override func drawFooterForPage(at index: Int, in rect: Rect) {
            let (text, font) = ("\(index + 1)/\(numberOfPages)", Font.system(ofSize: 9))
            text.draw(at: Point(x: rect.maxX - 54 - text.size(with: font).width, y: rect.minY + 10), with: font)
        }
    }

    let rows = (1...60).map { "<tr><td>Article \($0)<td>\($0 % 7)</tr>" }.joined()
    let html = """
        <style>
        body { font-family: Helvetica; font-size: 11pt }
        table { width: 100%; border-collapse: collapse }
        th { text-align: left; border-bottom: 1pt solid }
        td { border-bottom: 0.5pt solid #ccc; padding: 3pt 0 }
        tr { break-inside: avoid }
        </style>
        <h1>Stock</h1>
        <table><thead><tr><th>Article<th>Stock</thead>\(rows)</table>
        """
    let formatter = MarkupTextPrintFormatter(markupText: html)
    formatter.contentInsets = EdgeInsets(top: 36, left: 54, bottom: 0, right: 54)
    let renderer = Numbered()
    renderer.footerHeight = 36
    renderer.addPrintFormatter(formatter, startingAtPageAt: 0)

    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Stock"
    controller.printPageRenderer = renderer
    try await controller.print(to: .file("stock.pdf"))
}
