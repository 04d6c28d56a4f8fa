// The steps of the tutorial "Print a run of labels".

import PrintKit

@MainActor func labelRun1() async throws {
    final class Label: PrintPageRenderer {
        override var numberOfPages: Int { 1 }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            BezierPath(roundedRect: rect.inset(x: 4, y: 4), cornerRadius: 6).stroke()
            "Screws 4 × 30".draw(at: Point(x: rect.minX + 14, y: rect.minY + 14), with: .boldSystem(ofSize: 14))
        }
    }

    let paper = PrintPaper(media: .custom(width: .millimeters(62), height: .millimeters(29)))
    try await Label().write(to: "labels.pdf", on: paper)
}

@MainActor func labelRun2() async throws {
    final class Labels: PrintPageRenderer {
        let articles: [(name: String, shelf: Int)]

        init(_ articles: [(name: String, shelf: Int)]) { self.articles = articles }

        // One page for each label.
        override var numberOfPages: Int { articles.count }

        override func drawContentForPage(at index: Int, in rect: Rect) {
            let article = articles[index]
            BezierPath(roundedRect: rect.inset(x: 4, y: 4), cornerRadius: 6).stroke()
            article.name.draw(at: Point(x: rect.minX + 14, y: rect.minY + 14), with: .boldSystem(ofSize: 14))
            "Shelf \(article.shelf)".draw(at: Point(x: rect.minX + 14, y: rect.maxY - 32), with: .system(ofSize: 11))
        }
    }

    let labels = Labels([("Screws 4 × 30", 3), ("Screws 5 × 50", 3), ("Hinges", 7)])
    let paper = PrintPaper(media: .custom(width: .millimeters(62), height: .millimeters(29)))
    try await labels.write(to: "labels.pdf", on: paper)
}
