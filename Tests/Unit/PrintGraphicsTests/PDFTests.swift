import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

struct PDFTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("test.pdf") }

    @Test
    func `each page can have different bounds, and the origin of the bounds is the upper left corner of the page`()
        throws
    {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            #expect(pdf.pageBounds == Rect(x: 0, y: 0, width: 612, height: 792))
            pdf.beginPage(bounds: Rect(x: 100, y: 200, width: 40, height: 20))
            pdf.fillColor = .red
            pdf.fill(Rect(x: 110, y: 200, width: 10, height: 10))
            pdf.beginPage(bounds: .zero)
        }
        let document = try PDFDocument(path: path)
        #expect(document.pageCount == 3)
        #expect(try document.pageSize(at: 0) == PDFDocument.PageSize(width: 612, height: 792))
        #expect(try document.pageSize(at: 1) == PDFDocument.PageSize(width: 40, height: 20))
        #expect(try document.pageSize(at: 2) == PDFDocument.PageSize(width: 612, height: 792))
        expectPixels(PageSheet(bitmap: try document.render(page: 1, dpi: 72)), "_R__\n____")
    }

    @Test func `if a shape is drawn without an open page, 'close' throws '.noPage' and writes no file`() throws {
        let pdf = try PDFContext(path: path)
        pdf.fill(Rect(x: 0, y: 0, width: 5, height: 5))
        #expect(pdf.failure?.code == .noPage)
        pdf.beginPage()
        expectFailure(.noPage) { try pdf.close() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `'close' throws '.noPages' if the document has no pages`() throws {
        let pdf = try PDFContext()
        expectFailure(.noPages) { try pdf.close() }
    }

    @Test func `after 'close', a drawing function sets 'failure' to '.closed', and a second 'close' throws '.closed'`()
        throws
    {
        let pdf = try PDFContext()
        pdf.beginPage()
        try pdf.close()
        pdf.beginPage()
        pdf.fill(Rect(x: 0, y: 0, width: 5, height: 5))
        #expect(pdf.failure?.code == .closed)
        expectFailure(.closed) { try pdf.close() }
    }

    @Test func `a PDF context leaves no file if the context is not closed or if the drawing closure throws`() throws {
        struct Halt: Error {}
        #expect(throws: Halt.self) {
            try PDFContext.write(to: path) { pdf in
                pdf.beginPage()
                throw Halt()
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(GraphicsContext.current == nil)
    }

    @Test func `an existing file stays unchanged until the context is closed`() throws {
        try Data("old".utf8).write(to: URL(filePath: path))
        let pdf = try PDFContext(path: path)
        pdf.beginPage()
        #expect(text(of: path) == "old")
        try pdf.close()
        #expect(text(of: path).hasPrefix("%PDF"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.pdf"])
    }

    @Test func `if the folder is missing, the error is '.writeFailed' and contains the path`() throws {
        let error = #expect(throws: GraphicsError.self) {
            try PDFContext.write(to: "/nowhere/at/all.pdf") { $0.beginPage() }
        }
        #expect(error?.code == .writeFailed)
        #expect(error?.message.contains("/nowhere/at/all.pdf") == true)
    }

    @Test func `pdfinfo reads the document's metadata`() async throws {
        let info = DocumentInfo(
            title: "Größe 紙", author: "Ada", subject: "Drawing", keywords: ["a", "b"], creator: "tests",
            creationDate: Date(timeIntervalSince1970: 1_000_000_000))
        try PDFContext.write(to: path, info: info) { $0.beginPage() }
        let said = try await run("pdfinfo", path)
        for line in ["Größe 紙", "Ada", "Drawing", "a, b", "tests", "2001"] { #expect(said.contains(line), "\(line)") }
        #expect(try PDFDocument(path: path).title == "Größe 紙")
    }

    @Test func `'qpdf --check' reports no errors in a PDF with shadows, blend modes, layers and gradients`()
        async throws
    {
        try PDFContext.write(to: path) { pdf in
            for page in 0..<3 {
                pdf.beginPage()
                pdf.shadow = Shadow(offset: Size(width: 4, height: 4), blurRadius: 5)
                pdf.fill(.red, Double(page), 0, 5, 5)
                pdf.blendMode = .multiply
                pdf.withTransparencyLayer { $0.fill(.blue, 2, 2, 5, 5) }
                pdf.drawLinearGradient(Gradient(colors: [.red, .clear]), from: .zero, to: Point(x: 100, y: 100))
            }
        }
        try await check()
    }

    @Test func `NaN bounds of a PDF context cause '.invalidGeometry', and a page with NaN bounds has Letter size`()
        throws
    {
        expectFailure(.invalidGeometry) { _ = try PDFContext(bounds: Rect(x: 0, y: 0, width: .nan, height: 1)) }
        try PDFContext.write(to: path) { $0.beginPage(bounds: Rect(x: .nan, y: 0, width: 5, height: 5)) }
        #expect(try PDFDocument(path: path).pageSize(at: 0).width == 612)
    }

    private func check() async throws {
        let run = try await ProgramRun("/usr/bin/qpdf", ["--check", path], environment: [:], in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }
}

/// Returns the output of a program that reads a file.
func run(_ program: String, _ arguments: String...) async throws -> String {
    let run = try await ProgramRun(
        "/usr/bin/\(program)", arguments, environment: ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"], in: "/tmp")
    #expect(run.code == 0, "\(run.complaints)")
    return run.output
}
