// Draws an invoice with a table over as many pages as it needs.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

final class InvoiceDocument {
    struct Item {
        let name: String
        let quantity: Int
        let price: Decimal
    }

    private let number: String
    private let items: [Item]
    private let pageRect = CGRect(x: 0, y: 0, width: 8.5 * 72.0, height: 11 * 72.0)
    private let rowHeight: CGFloat = 24
    private let widths: [CGFloat] = [264, 80, 80, 80]

    init(number: String, items: [Item]) {
        self.number = number
        self.items = items
    }

    private func amount(_ value: Decimal) -> String { "$\(value)" }

    private func draw(_ text: String, in rect: CGRect, bold: Bool = false, alignment: NSTextAlignment = .left) {
        let style = NSMutableParagraphStyle()
        style.alignment = alignment
        style.lineBreakMode = .byTruncatingTail
        let font = bold ? UIFont.boldSystemFont(ofSize: 12) : UIFont.systemFont(ofSize: 12)
        text.draw(in: rect, withAttributes: [.font: font, .paragraphStyle: style])
    }

    private func drawRow(_ cells: [String], at y: CGFloat, bold: Bool = false) {
        var x: CGFloat = 54
        for (cell, width) in zip(cells, widths) {
            let alignment: NSTextAlignment = x == 54 ? .left : .right
            draw(cell, in: CGRect(x: x, y: y + 4, width: width, height: rowHeight), bold: bold, alignment: alignment)
            x += width
        }
        let line = UIBezierPath()
        line.move(to: CGPoint(x: 54, y: y + rowHeight))
        line.addLine(to: CGPoint(x: x, y: y + rowHeight))
        line.lineWidth = bold ? 1.5 : 0.5
        line.stroke()
    }

    func write(to url: URL) throws {
        let renderer = UIGraphicsPDFRenderer(bounds: pageRect)
        try renderer.writePDF(to: url) { context in
            var y: CGFloat = 0
            func beginPage() {
                context.beginPage()
                let title = "Invoice \(number)"
                title.draw(
                    at: CGPoint(x: 54, y: 54),
                    withAttributes: [
                        .font: UIFont(name: "Helvetica-Bold", size: 22) ?? UIFont.boldSystemFont(ofSize: 22)
                    ])
                y = 110
                drawRow(["Article", "Quantity", "Price", "Amount"], at: y, bold: true)
                y += rowHeight
            }
            beginPage()
            for item in items {
                if y + rowHeight > pageRect.maxY - 90 { beginPage() }
                drawRow(
                    [item.name, "\(item.quantity)", amount(item.price), amount(item.price * Decimal(item.quantity))],
                    at: y)
                y += rowHeight
            }
            let total = items.reduce(Decimal(0)) { $0 + $1.price * Decimal($1.quantity) }
            drawRow(["Total", "", "", amount(total)], at: y + 6, bold: true)
        }
    }
}
