// Draws the pages of the invoice and computes their number.

import PrintKit

final class InvoiceRenderer: PrintPageRenderer {
    private let invoice: Invoice
    private let text = Font(name: "Helvetica", size: 10)
    private let bold = Font(name: "Helvetica-Bold", size: 10)
    private let rowHeight = 20.0
    /// The address is above the rows of the first page, the totals are below the rows of the last page.
    private let addressHeight = 120.0
    private let totalsHeight = 90.0

    init(_ invoice: Invoice) {
        self.invoice = invoice
        super.init()
        (headerHeight, footerHeight) = (90, 60)
    }

    // MARK: Pages

    /// The rows of each page.
    ///
    /// The last page has room for the totals.
    private var pages: [Range<Int>] {
        let area = body(pageLayout.contentRect)
        var (pages, next) = ([Range<Int>](), 0)
        repeat {
            let room = area.height - rowHeight - (pages.isEmpty ? addressHeight : 0)
            let rest = invoice.items.count - next
            let fits = max(1, Int(room / rowHeight))
            let fitsWithTotals = max(0, Int((room - totalsHeight) / rowHeight))
            // If the remaining rows fit but the totals do not, one row moves to the last page.
            let count = rest <= fitsWithTotals ? rest : min(fits, max(1, rest - 1))
            pages.append(next..<next + count)
            next += count
        } while next < invoice.items.count
        return pages
    }

    override var numberOfPages: Int { pages.count }

    /// Returns the area one inch from the sides of the paper, regardless of the printer's margins.
    private func body(_ rect: Rect) -> Rect {
        Rect(x: 72, y: rect.minY, width: paperRect.width - 144, height: rect.height)
    }

    // MARK: Drawing

    override func drawHeaderForPage(at index: Int, in rect: Rect) {
        let area = body(rect)
        "Paper & Sons".draw(at: Point(x: area.minX, y: area.minY + 30), with: Font(name: "Helvetica-Bold", size: 20))
        draw("Invoice \(invoice.number)", endingAt: area.maxX, y: area.minY + 38, bold)
        rule(from: area.minX, to: area.maxX, y: area.maxY - 14, width: 1.5)
    }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        var area = body(rect)
        if index == 0 {
            for (line, words) in invoice.customer.enumerated() {
                words.draw(at: Point(x: area.minX, y: area.minY + 16 * Double(line)), with: text)
            }
            area = Rect(
                x: area.minX, y: area.minY + addressHeight, width: area.width, height: area.height - addressHeight)
        }
        var y = area.minY
        row(["Article", "Quantity", "Price", "Amount"], in: area, y: y, bold)
        for (number, item) in invoice.items[pages[index]].enumerated() {
            y += rowHeight
            if number % 2 == 0 { shade(Rect(x: area.minX, y: y, width: area.width, height: rowHeight)) }
            row([item.name, "\(item.quantity)", amount(item.cents), amount(item.total)], in: area, y: y, text)
        }
        if index == numberOfPages - 1 { drawTotals(in: area, below: y + rowHeight) }
    }

    private func drawTotals(in area: Rect, below top: Double) {
        rule(from: area.midX, to: area.maxX, y: top + 8, width: 0.5)
        let sums = [("Net", invoice.net), ("Tax 19 %", invoice.tax), ("Total", invoice.gross)]
        for (line, (label, cents)) in sums.enumerated() {
            let (font, y) = (line == 2 ? bold : text, top + 16 + rowHeight * Double(line))
            label.draw(at: Point(x: area.midX, y: y + 4), with: font)
            draw(amount(cents), endingAt: area.maxX - 4, y: y + 4, font)
        }
    }

    override func drawFooterForPage(at index: Int, in rect: Rect) {
        let area = body(rect)
        rule(from: area.minX, to: area.maxX, y: area.minY + 10, width: 0.5)
        "Payable within 14 days, IBAN XX00 0000 0000 0000".draw(at: Point(x: area.minX, y: area.minY + 16), with: text)
        draw("Page \(index + 1) of \(numberOfPages)", endingAt: area.maxX, y: area.minY + 16, text)
    }

    // MARK: Parts

    private func row(_ cells: [String], in area: Rect, y: Double, _ font: Font) {
        cells[0].draw(at: Point(x: area.minX + 4, y: y + 4), with: font)
        for (cell, end) in zip(cells.dropFirst(), [150.0, 75, 4]) {
            draw(cell, endingAt: area.maxX - end, y: y + 4, font)
        }
    }

    private func draw(_ words: String, endingAt x: Double, y: Double, _ font: Font) {
        words.draw(at: Point(x: x - words.size(with: font).width, y: y), with: font)
    }

    private func rule(from left: Double, to right: Double, y: Double, width: Double) {
        GraphicsContext.current?.fill(Rect(x: left, y: y, width: right - left, height: width))
    }

    private func shade(_ rect: Rect) {
        GraphicsContext.current?.withSavedState { context in
            context.fillColor = Color(white: 0.94)
            context.fill(rect)
        }
    }
}
