// Runs the steps of the tutorial in the documentation of PrintKit, and draws their pages.
//
// Each step is a function without parameters whose body is the listing of the step: `scripts/docs` makes the listing
// `first-page-2.swift` of the body of `firstPage2`. The page of a step is `first-page-2.png`.

import FoundationEssentials
import Glibc
import PDFRendering
import PrintKit

@main
struct Tutorial {
    /// The steps that print a file, and the page of the file that the documentation shows.
    @MainActor static let steps: [(name: String, page: Int, run: @MainActor () async throws -> Void)] = [
        ("first-page-1", 0, firstPage1), ("first-page-2", 0, firstPage2),
        ("header-and-footer-1", 0, headerAndFooter1), ("header-and-footer-2", 1, headerAndFooter2),
        ("header-and-footer-3", 1, headerAndFooter3),
        ("invoice-1", 0, invoice1), ("invoice-2", 0, invoice2), ("invoice-3", 0, invoice3),
        ("label-run-1", 0, labelRun1), ("label-run-2", 2, labelRun2),
        ("html-report-1", 0, htmlReport1), ("html-report-2", 1, htmlReport2), ("html-report-3", 1, htmlReport3),
        ("print-endpoint-1", 0, printEndpoint1),
    ]

    /// The steps that print on the printers of the queue.
    @MainActor static let printerSteps: [@MainActor () async throws -> Void] = [firstPage3, labelRun3]

    /// Runs each step in a folder of its own below `FOLDER`, and draws the page of each step: `Tutorial FOLDER`.
    ///
    /// `Tutorial --printers` runs the steps that print on printers.
    @MainActor static func main() async throws {
        guard CommandLine.arguments.count == 2 else { return print("usage: Tutorial (FOLDER | --printers)") }
        guard CommandLine.arguments[1] != "--printers" else {
            for step in printerSteps { try await step() }
            return
        }
        // Steps print to the current folder.
        guard chdir(CommandLine.arguments[1]) == 0 else {
            throw PrintError(.jobFailed, "cannot open the folder '\(CommandLine.arguments[1])'; create it first")
        }
        for step in steps {
            try FileManager.default.createDirectory(atPath: step.name, withIntermediateDirectories: true)
            _ = chdir(step.name)
            try await step.run()
            _ = chdir("..")
            try draw(step.page, of: step.name)
        }
    }

    /// Draws a page of the only PDF in a folder, with the paper's edge, as `NAME.png`.
    private static func draw(_ index: Int, of name: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: name)
        guard names.count == 1, let page = try PDFFile(path: "\(name)/\(names[0])").page(at: index) else {
            throw PrintError(.noContent, "the step '\(name)' has no page \(index + 1), or several files")
        }
        let bitmap = try BitmapContext(size: page.size, isOpaque: true, scale: page.size.width > 300 ? 1 : 2)
        bitmap.pdfRasterizer = PopplerRasterizer()
        bitmap.fillColor = .white
        // The last pixels can be partly outside of the page.
        bitmap.fill(Rect(x: 0, y: 0, width: page.size.width + 1, height: page.size.height + 1))
        bitmap.draw(page, in: Rect(origin: .zero, size: page.size))
        bitmap.strokeColor = .lightGray
        bitmap.stroke(Rect(x: 0.5, y: 0.5, width: page.size.width - 1, height: page.size.height - 1))
        try bitmap.makeImage().writePNG(to: "\(name).png")
    }
}
