import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of writing selected pages of a PDF as a new PDF.
struct ExtractedPagesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var source: String { folder.path("source.pdf") }
    private var result: String { folder.path("result.pdf") }

    private func expectValid() async throws {
        let run = try await ProgramRun("/usr/bin/qpdf", ["--check", result], environment: [:], in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test
    func `extracted pages keep size, rotation, content and annotations, and no data of the omitted pages is copied`()
        async throws
    {
        var pdf = PDFBuilder()
        pdf.addPage(width: 40, height: 20) { page in
            page.text("secret", x: 1, y: 1, size: 4)
            page.link(toPage: 1, x: 0, y: 0, width: 5, height: 5)
        }
        pdf.addPage(width: 60, height: 40) { page in
            page.rotate = 90
            page.cropBox = PDFBuilder.Box(x: 0, y: 0, width: 40, height: 20)
            page.fill(.red, x: 0, y: 0, width: 10, height: 20)
            page.link(toPage: 0, x: 0, y: 0, width: 5, height: 5)
            page.link(toPage: 2, x: 5, y: 0, width: 5, height: 5)
            page.annotations = ["<< /Type /Annot /Subtype /Text /Rect [0 0 5 5] /Contents (kept) /F 2 >>"]
        }
        pdf.addPage(width: 30, height: 30) { $0.link(toPage: 1, x: 0, y: 0, width: 5, height: 5) }
        try pdf.write(to: source)
        try PDFFile(path: source).write(pages: [1, 2], to: result)
        try await expectValid()

        let document = try PDFDocument(path: result)
        #expect(document.pageCount == 2)
        #expect(try document.pageSize(at: 0) == PDFDocument.PageSize(width: 20, height: 40))
        expectPixels(PageSheet(bitmap: try document.render(page: 0, dpi: 72)), "R\n_\n_\n_")
        let text = try await run("qpdf", "--qdf", "--object-streams=disable", result, "-")
        #expect(text.contains("(kept)") && !text.contains("secret"))
        #expect(text.components(of: "/Subtype /Link").count == 3, "each of the two pages links to the other")
    }

    @Test func `extracted pages are written in the given order`() throws {
        try PDFBuilder.numbered(pages: 4).write(to: source)
        try PDFFile(path: source).write(pages: [3, 0], to: result)
        let document = try PDFDocument(path: result)
        #expect(try (0..<2).map { try document.text(at: $0).filter(\.isNumber) } == ["4", "1"])
    }

    @Test func `form fields on extracted pages keep their values`() async throws {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R] /NeedAppearances true /DA (/Helv 0 Tf) >> >>",
            "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 100] >>",
            "<< /Type /Page /Parent 2 0 R /Annots [5 0 R] >>", "<< /Type /Page /Parent 2 0 R /Annots [6 0 R] >>",
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (first) /V (gone) /Rect [0 0 50 20] /P 3 0 R >>",
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (second) /V (kept) /Rect [0 0 50 20] /P 4 0 R >>",
        ]
        let body = objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }.joined()
        try Data("%PDF-1.7\n\(body)trailer << /Root 1 0 R >>\n".utf8).write(to: URL(filePath: source))
        try PDFFile(path: source).write(pages: [1], to: result)
        try await expectValid()
        let text = try await run("qpdf", "--qdf", "--object-streams=disable", result, "-")
        #expect(text.contains("/AcroForm") && text.contains("/NeedAppearances true"))
        #expect(text.contains("(kept)") && !text.contains("(gone)"))
    }

    @Test func `after pages are extracted from an encrypted document, the new document needs no password`() throws {
        try Data(EncryptedPDF.userPassword).write(to: URL(filePath: source))
        try PDFFile(path: source, password: "secret").write(pages: [0], to: result)
        #expect(try PDFDocument(path: result).pageCount == 1)
    }

    @Test func `the extraction throws '.noPages' for missing pages and '.writeFailed' for a missing folder`() throws {
        try PDFBuilder.numbered(pages: 2).write(to: source)
        let file = try PDFFile(path: source)
        for pages in [[], [2], [-1]] { expectFailure(.noPages) { try file.write(pages: pages, to: result) } }
        expectFailure(.writeFailed) { try file.write(pages: [0], to: folder.path("none/a.pdf")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["source.pdf"])
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
