import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Tests of HTML links in the printed PDF, as reported by qpdf and poppler.
struct HTMLLinkTests {
    let folder: TemporaryFolder
    let letter = PrintPaper(media: .letter, margins: .all(.inches(0.25)))

    init() throws { folder = try TemporaryFolder() }

    private let html = """
        <p><a href="https://example.org/a?b=1">A site</a></p>
        <p><a href="#end">The end</a> <a href="#nowhere">Nowhere</a> <a href="javascript:alert(1)">Not a place</a></p>
        <p style="break-before: page; margin-top: 100pt" id="end">The end.</p>
        """

    private func program(_ name: String, _ arguments: String...) async throws -> String {
        let run = try await ProgramRun("/usr/bin/\(name)", arguments, environment: [:], in: folder.path("."))
        #expect(run.code == 0, "\(run)")
        return run.output
    }

    /// Returns the rectangles of all links, in points from the lower left corner.
    private func links(_ structure: String) -> [[Double]] {
        structure.split(separator: "/Rect").dropFirst().map { text in
            text.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }.split(whereSeparator: \.isWhitespace).compactMap {
                Double($0)
            }
        }
    }

    private func expectLinks(inPDF path: String, beginningAt left: Double) async throws {
        _ = try await program("qpdf", "--check", path)
        let structure = try await program("qpdf", "--qdf", "--object-streams=disable", path, "-")
        #expect(structure.contains("(https://example.org/a?b=1)"))
        #expect(!structure.contains("javascript"))
        let rects = links(structure)
        try #require(rects.count == 2, "\(rects)")
        for rect in rects {
            // The link covers its text, which is at the left edge of the content in the first lines.
            #expect(abs(rect[0] - left) < 1 && rect[2] > rect[0] + 20 && rect[2] < rect[0] + 80, "\(rect)")
            #expect(rect[3] < 702 && rect[1] > 630, "\(rect)")
        }
        let places = try await program("pdfinfo", "-dests", path).split(separator: "\n").filter { $0.contains("end") }
        try #require(places.count == 1, "\(places)")
        // The destination is on the second page, below the paper's margin of 18 points and the document's 100 points.
        let words = places[0].split(whereSeparator: \.isWhitespace)
        #expect(words.first == "2" && words.contains { abs((Double($0) ?? 0) - 674) < 2 }, "\(places)")
    }

    @Test func `in the PDF of an HTML document, each link has its original target and covers its text`() async throws {
        let formatter = MarkupTextPrintFormatter(markupText: html)
        formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 0, right: 72)
        let renderer = PrintPageRenderer()
        renderer.printFormatters = [formatter]
        try await renderer.write(to: folder.path("a.pdf"), on: letter)
        try await expectLinks(inPDF: folder.path("a.pdf"), beginningAt: 90)
    }

    @Test func `a web view's formatter keeps links, even if two documents contain anchors with the same name`()
        async throws
    {
        let renderer = PrintPageRenderer()
        let view = WebView(html: html).viewPrintFormatter()
        view.contentInsets = EdgeInsets(top: 72, left: 36, bottom: 0, right: 72)
        renderer.addPrintFormatter(view, startingAtPageAt: 0)
        renderer.addPrintFormatter(
            MarkupTextPrintFormatter(markupText: "<p id='end'>Another end"), startingAtPageAt: 2)
        try await renderer.write(to: folder.path("a.pdf"), on: letter)
        try await expectLinks(inPDF: folder.path("a.pdf"), beginningAt: 54)
    }
}
