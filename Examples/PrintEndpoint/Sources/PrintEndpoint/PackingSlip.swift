// The page that the endpoint prints.

import PrintKit

/// An order: what a client sends to the endpoint.
struct Order: Codable, Sendable {
    var number: Int
    var articles: [String]
}

/// A packing slip of an order, on one page.
final class PackingSlip: PrintPageRenderer {
    private let order: Order

    init(_ order: Order) { self.order = order }

    override var numberOfPages: Int { 1 }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        "Order \(order.number)".draw(at: Point(x: rect.minX + 36, y: 72), with: .boldSystem(ofSize: 24))
        for (row, article) in order.articles.enumerated() {
            let y = 130 + Double(row) * 28
            BezierPath(rect: Rect(x: rect.minX + 36, y: y, width: 14, height: 14)).stroke()
            article.draw(at: Point(x: rect.minX + 62, y: y - 2), with: .system(ofSize: 14))
        }
    }
}
