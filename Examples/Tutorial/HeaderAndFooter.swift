// The steps of the tutorial "Add a header and a footer".

import PrintKit

@MainActor func headerAndFooter1() async throws {
    final class Report: PrintPageRenderer {
        override func drawHeaderForPage(at index: Int, in rect: Rect) {
            "The Report".draw(at: rect.origin, with: .boldSystem(ofSize: 14))
        }
    }

    let report = Report()
    report.headerHeight = 40
    let lines = (1...100).map { "Line \($0) of the report." }
    let text = SimpleTextPrintFormatter(text: lines.joined(separator: "\n"))
    report.addPrintFormatter(text, startingAtPageAt: 0)

    let controller = PrintInteractionController.shared
    controller.printPageRenderer = report
    try await controller.print(to: .file("report.pdf"))
}

@MainActor func headerAndFooter2() async throws {
    final class Report: PrintPageRenderer {
        let font = Font.system(ofSize: 10)

        override func drawHeaderForPage(at index: Int, in rect: Rect) {
            "The Report".draw(at: rect.origin, with: .boldSystem(ofSize: 14))
        }

        override func drawFooterForPage(at index: Int, in rect: Rect) {
            let text = "Page \(index + 1) of \(numberOfPages)"
            let size = text.size(with: font)
            text.draw(at: Point(x: rect.midX - size.width / 2, y: rect.maxY - size.height), with: font)
        }
    }

    let report = Report()
    report.headerHeight = 40
    report.footerHeight = 30
    let lines = (1...100).map { "Line \($0) of the report." }
    let text = SimpleTextPrintFormatter(text: lines.joined(separator: "\n"))
    report.addPrintFormatter(text, startingAtPageAt: 0)

    let controller = PrintInteractionController.shared
    controller.printPageRenderer = report
    try await controller.print(to: .file("report.pdf"))
}

@MainActor func headerAndFooter3() async throws {
    final class Report: PrintPageRenderer {
        let font = Font.system(ofSize: 10)

        override func drawHeaderForPage(at index: Int, in rect: Rect) {
            // The first page has a larger title.
            "The Report".draw(at: rect.origin, with: .boldSystem(ofSize: index == 0 ? 24 : 14))
            Color.gray.setStroke()
            GraphicsContext.current?.strokeLine(
                from: Point(x: rect.minX, y: rect.maxY - 4), to: Point(x: rect.maxX, y: rect.maxY - 4))
        }

        override func drawFooterForPage(at index: Int, in rect: Rect) {
            let text = "Page \(index + 1) of \(numberOfPages)"
            let size = text.size(with: font)
            text.draw(at: Point(x: rect.midX - size.width / 2, y: rect.maxY - size.height), with: font)
        }
    }

    let report = Report()
    report.headerHeight = 40
    report.footerHeight = 30
    let lines = (1...100).map { "Line \($0) of the report." }
    let text = SimpleTextPrintFormatter(text: lines.joined(separator: "\n"))
    // Set the layout before you add the formatter: adding counts the pages.
    text.contentInsets = EdgeInsets(top: 12, left: 36, bottom: 0, right: 36)
    report.addPrintFormatter(text, startingAtPageAt: 0)

    let controller = PrintInteractionController.shared
    controller.printPageRenderer = report
    try await controller.print(to: .file("report.pdf"))
}
