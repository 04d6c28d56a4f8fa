// Contains the code samples of the articles in PrintKit.docc, so that the compiler checks the samples. ArticleTests
// checks that the samples in this file and in the articles are equal except for comments.

import FoundationEssentials
import PrintKit

/// A type that the samples use but do not declare.
private struct Document { var pageSize: Size }

@MainActor private func overview() async throws {
    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Letter"
    controller.printFormatter = SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper.")
    try await controller.print(to: .file("letter.pdf"))
}

private func sayHow(_ controller: PrintInteractionController) {
    controller.printInfo.outputType = .photo
    controller.printInfo.jobName = "Holiday"
    controller.printInfo.orientation = .landscape
    controller.printInfo.duplex = .longEdge
}

private final class PaperChooser: PrintInteractionControllerDelegate {
    let document = Document(pageSize: Size(width: 300, height: 400))

    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper {
        PrintPaper.bestPaper(forPageSize: document.pageSize, withPapersFrom: papers)
    }
}

@MainActor final class Desk: @MainActor PrintInteractionControllerDelegate {
    var statusLine = ""

    func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {
        if case .alert(let words) = report { statusLine = words }
    }
}

private func printIt(_ controller: PrintInteractionController) async throws {
    let isCompleted = try await controller.present()
    try await controller.print(to: .file("letter.pdf"))
    try await controller.print(to: controller.printer(named: nil))
    _ = isCompleted
}

private func submitIt(
    _ controller: PrintInteractionController, to printer: Printer, _ log: (String) -> Void
) async throws {
    let job = try await controller.submit(to: printer, submissionID: "invoice 4711")
    for try await report in job.reports {
        if case .alert(let words) = report { log(words) }
    }
}

private func printHTML(_ html: String) {
    let formatter = MarkupTextPrintFormatter(markupText: html)
    formatter.baseFolder = "/srv/report"
    formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
}

private func twoFormatters(_ summary: PrintFormatter, _ body: PrintFormatter, _ renderer: PrintPageRenderer) {
    final class Summarized: PrintPageRenderer {
        override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
            try super.drawPrintFormatter(formatter, forPageAt: index)
            guard index == 0, formatter === printFormatters.first else { return }
            let rect = formatter.rectForPage(at: index)
            GraphicsContext.current?.fill(Rect(x: rect.minX, y: rect.maxY + 6, width: rect.width, height: 0.5))
        }
    }
    summary.maximumContentHeight = 120
    body.contentInsets.top = 140
    renderer.addPrintFormatter(summary, startingAtPageAt: 0)
    renderer.addPrintFormatter(body, startingAtPageAt: 0)
}
