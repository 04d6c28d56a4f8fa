import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of tagged PDFs.
struct TaggingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("tagged.pdf") }

    /// Returns the structure of the document with its texts, as poppler reads it, without white space at the ends of
    /// lines.
    private func structure() async throws -> [String] {
        try await run("pdfinfo", "-struct-text", path).split(separator: "\n")
            .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }.filter { !$0.isEmpty }
    }

    private let info = DocumentInfo(title: "Report", language: "en-US", isTagged: true)

    @Test func `tags form a tree below the document, and paragraphs of a frame are tagged`() async throws {
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 300), info: info) { pdf in
            pdf.beginPage()
            pdf.withTag(.section) {
                pdf.withTag(.heading1) { "Title".draw(at: Point(x: 20, y: 20), with: .boldSystem(ofSize: 20)) }
                pdf.withTag(.paragraph) { "Body".draw(at: Point(x: 20, y: 60), with: .system(ofSize: 10)) }
            }
            let text = "One paragraph that is long enough for more than a single line of text.\nAnother"
            Framesetter(text, font: .system(ofSize: 10)).frame(in: Rect(x: 20, y: 100, width: 150, height: 150)).draw()
            pdf.beginPage()
            pdf.withArtifact { "Footer".draw(at: Point(x: 20, y: 250), with: .system(ofSize: 10)) }
            pdf.withTag(.figure, alternative: "A gray disk") {
                Color.gray.setFill()
                pdf.fillEllipse(in: Rect(x: 100, y: 100, width: 50, height: 50))
            }
            pdf.strokeLine(from: Point(x: 0, y: 240), to: Point(x: 300, y: 240))
            pdf.beginTag(.table)
            pdf.beginTag(.tableRow)
            pdf.withTag(.tableDataCell) { "Cell".draw(at: Point(x: 20, y: 20), with: .system(ofSize: 10)) }
        }
        _ = try await run("qpdf", "--check", path)
        let lines = try await structure()
        let kinds = lines.compactMap { line -> String? in
            let word = line.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber }
            return word.isEmpty || line.contains("\"") ? nil : "\(line.prefix { $0 == " " }.count / 2) \(word)"
        }
        #expect(
            kinds == ["0 Document", "1 Sect", "2 H1", "2 P", "1 P", "1 P", "1 Figure", "1 Table", "2 TR", "3 TD"])
        let text = lines.filter { $0.contains("\"") }.joined()
        for word in ["Title", "Body", "One paragraph", "Another", "Cell"] {
            #expect(text.contains(word), "\(word)")
        }
        let told = try await run("pdfinfo", path)
        #expect(told.contains("Tagged:          yes"))
        let document = try await run("qpdf", "--qdf", "--object-streams=disable", path, "-")
        #expect(document.contains("/Lang (en-US)") && document.contains("/DisplayDocTitle true"))
        #expect(document.contains("/Alt (A gray disk)"))
        // The footer and the line are artifacts, and every drawing is inside of marked content.
        #expect(document.split(separator: "/Artifact BMC").count - 1 == 2)
        #expect(unmarkedOperators(in: document) == [])
        #expect(try await run("pdftotext", path, "-").contains("Footer"))
    }

    /// Returns the operators of painting and text that are outside of marked content in the contents of pages.
    private func unmarkedOperators(in document: String) -> [Substring] {
        let drawing: Set<Substring> = ["f", "f*", "S", "B", "Do", "sh", "Tj", "TJ", "BT", "ET", "re", "m"]
        var unmarked: [Substring] = []
        for page in document.split(separator: "%% Contents for page").dropFirst() {
            var depth = 0
            for word in page.split(whereSeparator: \.isWhitespace).prefix(while: { $0 != "endstream" }) {
                if word == "BDC" || word == "BMC" { depth += 1 }
                if word == "EMC" { depth -= 1 }
                if depth == 0, drawing.contains(word) { unmarked.append(word) }
            }
        }
        return unmarked
    }

    @Test func `a part that covers the page does not remove the parts beneath it`() async throws {
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 595.276, height: 841.89), info: info) { pdf in
            pdf.beginPage()
            pdf.withTag(.paragraph) { "Beneath".draw(at: Point(x: 20, y: 20), with: .system(ofSize: 10)) }
            pdf.withTag(.figure) { pdf.fill(pdf.pageBounds) }
        }
        let lines = try await structure().joined()
        #expect(lines.contains("Beneath") && lines.contains("Figure"))
    }

    @Test func `each kind of drawing without a tag is an artifact`() async throws {
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 300), info: info) { pdf in
            pdf.beginPage()
            pdf.withSavedState { pdf in
                pdf.clip(to: BezierPath(ovalIn: Rect(x: 0, y: 0, width: 100, height: 100)))
                pdf.drawLinearGradient(
                    Gradient(colors: [.red, .blue]), from: .zero, to: Point(x: 100, y: 0))
            }
            try Image(width: 2, height: 2, rgb: Array(repeating: 80, count: 12)).draw(at: Point(x: 120, y: 0))
            pdf.withTransparencyLayer { $0.fill(Rect(x: 0, y: 150, width: 10, height: 10)) }
            pdf.withArtifact {
                pdf.withTag(.paragraph) {
                    "ffi".draw(at: Point(x: 0, y: 200), with: Font(family: "DejaVu Serif", size: 12))
                }
            }
        }
        _ = try await run("qpdf", "--check", path)
        let document = try await run("qpdf", "--qdf", "--object-streams=disable", path, "-")
        #expect(unmarkedOperators(in: document) == [])
        #expect(document.contains("/Artifact BMC"))
    }

    @Test func `a document that is not tagged has no structure`() async throws {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            pdf.withTag(.paragraph) { "Body".draw(at: Point(x: 20, y: 60), with: .system(ofSize: 10)) }
            pdf.endTag()
        }
        #expect(try await run("pdfinfo", path).contains("Tagged:          no"))
        #expect(try await !run("qpdf", "--qdf", path, "-").contains("BDC"))
    }

    @Test func `tags in a transparency layer are omitted, and tags that stay open end with the page`() async throws {
        var info = info
        info.conformance = .pdfA2b
        try PDFContext.write(to: path, info: info) { pdf in
            pdf.beginPage()
            pdf.withTag(.paragraph) { "Body".draw(at: Point(x: 20, y: 60), with: .system(ofSize: 10)) }
            pdf.withTransparencyLayer { _ in
                pdf.withTag(.figure) { pdf.fill(Rect(x: 0, y: 0, width: 10, height: 10)) }
            }
            pdf.beginTag(.span)
            "End".draw(at: Point(x: 20, y: 80), with: .system(ofSize: 10))
        }
        _ = try await run("qpdf", "--check", path)
        let lines = try await structure()
        #expect(!lines.contains { $0.contains("Figure") } && lines.contains { $0.contains("Span") })
        #expect(try await ArchiveRules(path).violations(part: 2) == [])
    }
}
