// The steps of the tutorial "Make an invoice from data".

import FoundationEssentials
import PrintKit

@MainActor func invoice1() async throws {
    struct Order: Decodable {
        struct Row: Decodable {
            var article: String
            var count: Int
            var cents: Int
        }
        var number: String
        var rows: [Row]
    }

    let json = """
        {"number": "2024-17", "rows": [
            {"article": "Paper, 500 sheets", "count": 4, "cents": 695},
            {"article": "Envelopes", "count": 2, "cents": 450},
            {"article": "Ink, black", "count": 1, "cents": 2190}]}
        """
    let order = try JSONDecoder().decode(Order.self, from: Data(json.utf8))

    final class Invoice: PrintPageRenderer {
        let order: Order
        let font = Font.system(ofSize: 12)

        init(_ order: Order) { self.order = order }

        override var numberOfPages: Int { 1 }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            "Invoice \(order.number)".draw(at: Point(x: rect.minX + 36, y: 72), with: .boldSystem(ofSize: 20))
            for (position, row) in order.rows.enumerated() {
                let y = 130 + Double(position) * 24
                "\(row.count) × \(row.article)".draw(at: Point(x: rect.minX + 36, y: y), with: font)
            }
        }
    }

    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Invoice \(order.number)"
    controller.printPageRenderer = Invoice(order)
    try await controller.print(to: .file("invoice.pdf"))
}

@MainActor func invoice2() async throws {
    struct Order: Decodable {
        struct Row: Decodable {
            var article: String
            var count: Int
            var cents: Int
        }
        var number: String
        var rows: [Row]
    }

    let json = """
        {"number": "2024-17", "rows": [
            {"article": "Paper, 500 sheets", "count": 4, "cents": 695},
            {"article": "Envelopes", "count": 2, "cents": 450},
            {"article": "Ink, black", "count": 1, "cents": 2190}]}
        """
    let order = try JSONDecoder().decode(Order.self, from: Data(json.utf8))

    final class Invoice: PrintPageRenderer {
        let order: Order
        let font = Font.system(ofSize: 12)

        init(_ order: Order) { self.order = order }

        override var numberOfPages: Int { 1 }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            "Invoice \(order.number)".draw(at: Point(x: rect.minX + 36, y: 72), with: .boldSystem(ofSize: 20))
            for (position, row) in order.rows.enumerated() {
                let y = 130 + Double(position) * 24
                "\(row.count) × \(row.article)".draw(at: Point(x: rect.minX + 36, y: y), with: font)
                drawAmount(row.count * row.cents, endingAt: Point(x: rect.maxX - 36, y: y))
            }
            let total = order.rows.reduce(0) { $0 + $1.count * $1.cents }
            drawAmount(total, endingAt: Point(x: rect.maxX - 36, y: 130 + Double(order.rows.count) * 24 + 12))
        }

        /// Draws an amount whose right edge is at a point, so that the decimal points are in one column.
        private func drawAmount(_ cents: Int, endingAt end: Point) {
            let text = "\(cents / 100)." + "\(cents % 100 + 100)".suffix(2)
            text.draw(at: Point(x: end.x - text.size(with: font).width, y: end.y), with: font)
        }
    }

    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Invoice \(order.number)"
    controller.printPageRenderer = Invoice(order)
    try await controller.print(to: .file("invoice.pdf"))
}

@MainActor func invoice3() async throws {
    struct Order: Decodable {
        struct Row: Decodable {
            var article: String
            var count: Int
            var cents: Int
        }
        var number: String
        var rows: [Row]
    }

    let json = """
        {"number": "2024-17", "rows": [
            {"article": "Paper, 500 sheets", "count": 4, "cents": 695},
            {"article": "Envelopes", "count": 2, "cents": 450},
            {"article": "Ink, black", "count": 1, "cents": 2190}]}
        """
    var order = try JSONDecoder().decode(Order.self, from: Data(json.utf8))
    // A long order needs several pages.
    order.rows = (0..<20).flatMap { _ in order.rows }

    final class Invoice: PrintPageRenderer {
        let order: Order
        let font = Font.system(ofSize: 12)
        let rowHeight = 24.0

        init(_ order: Order) {
            self.order = order
            super.init()
            (headerHeight, footerHeight) = (90, 40)
        }

        /// The number of rows that fit the paper of the job.
        private var rowsPerPage: Int { max(1, Int(pageLayout.contentRect.height / rowHeight)) }

        override var numberOfPages: Int { (order.rows.count + rowsPerPage - 1) / rowsPerPage }

        override func drawHeaderForPage(at index: Int, in rect: Rect) {
            let title = "Invoice \(order.number)"
            title.draw(at: Point(x: rect.minX + 36, y: rect.minY + 36), with: .boldSystem(ofSize: 20))
        }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            let rows = order.rows.dropFirst(index * rowsPerPage).prefix(rowsPerPage)
            for (position, row) in rows.enumerated() {
                let y = rect.minY + Double(position) * rowHeight
                "\(row.count) × \(row.article)".draw(at: Point(x: rect.minX + 36, y: y), with: font)
                drawAmount(row.count * row.cents, endingAt: Point(x: rect.maxX - 36, y: y))
            }
        }

        override func drawFooterForPage(at index: Int, in rect: Rect) {
            if index < numberOfPages - 1 {
                "continued on page \(index + 2)".draw(at: Point(x: rect.minX + 36, y: rect.minY), with: font)
            } else {
                let total = order.rows.reduce(0) { $0 + $1.count * $1.cents }
                drawAmount(total, endingAt: Point(x: rect.maxX - 36, y: rect.minY))
            }
        }

        /// Draws an amount whose right edge is at a point, so that the decimal points are in one column.
        private func drawAmount(_ cents: Int, endingAt end: Point) {
            let text = "\(cents / 100)." + "\(cents % 100 + 100)".suffix(2)
            text.draw(at: Point(x: end.x - text.size(with: font).width, y: end.y), with: font)
        }
    }

    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Invoice \(order.number)"
    controller.printPageRenderer = Invoice(order)
    try await controller.print(to: .file("invoice.pdf"))
}
