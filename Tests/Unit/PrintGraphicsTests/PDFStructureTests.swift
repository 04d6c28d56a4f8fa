import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

struct PDFStructureTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("test.pdf") }

    /// Returns the document as uncompressed, readable PDF.
    private func structure(_ arguments: String...) async throws -> String {
        let run = try await ProgramRun(
            "/usr/bin/qpdf", arguments + ["--qdf", "--object-streams=disable", path, "-"],
            environment: ["LC_ALL": "C"], in: folder.path)
        #expect(run.code == 0, "\(run.complaints)")
        return run.output
    }

    private func check(_ arguments: String...) async throws {
        let run = try await ProgramRun(
            "/usr/bin/qpdf", arguments + ["--check", path], environment: [:], in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }

    @Test func `a link can refer to a URL, or to a destination that is added after the link`() async throws {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            pdf.setDestination("end", for: Rect(x: 72, y: 72, width: 100, height: 20))
            pdf.translate(x: 10, y: 0)
            pdf.setURL(
                try #require(URL(string: "https://example.org/a%20b")), for: Rect(x: 62, y: 100, width: 50, height: 20))
            pdf.setDestination("nowhere", for: Rect(x: 0, y: 0, width: 5, height: 5))
            pdf.beginPage(bounds: Rect(x: 0, y: 0, width: 200, height: 100))
            pdf.addDestination("end", at: Point(x: 20, y: 30))
            pdf.setDestination("end", for: Rect(x: 0, y: 0, width: 5, height: 5))
        }
        try await check()
        let text = try await structure()
        #expect(text.contains("(https://example.org/a%20b)"))
        #expect(text.components(separatedBy: "/Subtype /Link").count - 1 == 3)
        #expect(text.filter { $0 != " " && $0 != "\n" }.contains("/Rect[72700172720]"))
        #expect(text.contains("/XYZ\n"))
        let names = try await run("pdfinfo", "-dests", path)
        #expect(names.contains("\"end\"") && names.contains("70"))
    }

    @Test func `outline entries are nested according to their levels`() async throws {
        try PDFContext.write(to: path) { pdf in
            for chapter in 1...2 {
                pdf.beginPage()
                pdf.addOutlineEntry("Kapitel \(chapter) – 章")
                pdf.addOutlineEntry("Section", level: 1, at: Point(x: 0, y: 100))
                pdf.addOutlineEntry("Too deep", level: 7)
            }
        }
        try await check()
        let text = try await structure()
        #expect(text.contains("/PageMode /UseOutlines"))
        #expect(text.contains("/Count 6"))
    }

    @Test func `a PDF contains the added attachments and metadata`() async throws {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            pdf.attach(Data("a,b\n1,2\n".utf8), name: "data.csv", type: "text/csv", description: "The figures")
            pdf.addMetadata(Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))
        }
        try await check()
        #expect(try await run("pdfdetach", "-list", path).contains("data.csv"))
        #expect(try await run("pdfinfo", "-meta", path).contains("xmpmeta"))
    }

    @Test func `the pages of a protected PDF are never in a file before they are encrypted`() throws {
        try PDFContext.write(to: path, info: DocumentInfo(userPassword: "u")) { pdf in
            for page in 1...40 {
                pdf.beginPage()
                for line in 0..<60 {
                    "\(page) \(line) \(UInt64.random(in: 0...UInt64.max))".draw(
                        at: Point(x: 10, y: Double(line) * 12), with: .system(ofSize: 10))
                }
                let image = try Image(width: 64, height: 64, rgb: (0..<12288).map { _ in UInt8.random(in: 0...255) })
                image.draw(at: .zero)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                #expect(FileManager.default.contents(atPath: folder.path(name))?.isEmpty == true, "\(name)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.pdf"])
        #expect(try PDFFile(path: path, password: "u").pageCount == 40)
    }

    @Test func `a temporary file of a PDF in memory is on no disk`() throws {
        let file = try MemoryFile(Array("text".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path).hasPrefix("/memfd:"))
        let data = try PDFContext.data(info: DocumentInfo(userPassword: "u")) { pdf in
            pdf.beginPage()
            pdf.attach(Data("a,b".utf8), name: "data.csv", type: "text/csv", description: "")
        }
        try data.write(to: URL(filePath: path))
        #expect(try PDFFile(path: path, password: "u").pageCount == 1)
    }

    @Test func `page boxes are relative to the upper left corner of the page`() async throws {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage(
                bounds: Rect(x: 0, y: 0, width: 200, height: 100),
                boxes: PageBoxes(crop: Rect(x: 10, y: 20, width: 100, height: 50)))
        }
        #expect(try PDFDocument(path: path).pageSize(at: 0) == PDFDocument.PageSize(width: 100, height: 50))
        #expect(try await run("pdfinfo", "-box", path).contains("10.00    30.00   110.00    80.00"))
    }

    @Test func `an encrypted PDF opens with the user or owner password, and allows only the given permissions`()
        async throws
    {
        let info = DocumentInfo(
            title: "Secret", ownerPassword: "boss", userPassword: "user", permissions: [.printing, .copying])
        try PDFContext.write(to: path, info: info) { $0.beginPage() }
        #expect(throws: RasterError.self) { try PDFDocument(path: path) }
        #expect(try PDFDocument(path: path, password: "user").pageCount == 1)
        let told = try await run("qpdf", "--show-encryption", "--password=user", path)
        #expect(told.contains("print low resolution: allowed"))
        #expect(told.contains("print high resolution: not allowed"))
        #expect(told.contains("extract for any purpose: allowed"))
        #expect(told.contains("modify anything: not allowed"))
        #expect(told.contains("AESv3"))
        #expect(try PDFDocument(path: path, password: "boss").pageCount == 1)
    }

    @Test func `a document in memory can be encrypted`() throws {
        let data = try PDFContext.data(info: DocumentInfo(userPassword: "u")) { $0.beginPage() }
        try data.write(to: URL(filePath: path))
        #expect(throws: RasterError.self) { try PDFDocument(path: path) }
        #expect(try PDFDocument(path: path, password: "u").pageCount == 1)
    }

    @Test(arguments: [(rotate: 0, picture: "RG\nB_"), (90, "BR\n_G"), (180, "_B\nGR"), (270, "G_\nRB")])
    func `an embedded PDF page keeps vector graphics, text and rotation`(
        rotate: Int, picture: String
    ) async throws {
        var other = PDFBuilder()
        other.addPage(width: 120, height: 60) { page in
            page.fill(.red, x: 0, y: 30, width: 60, height: 30)
            page.fill(.green, x: 60, y: 30, width: 60, height: 30)
            page.fill(.blue, x: 0, y: 0, width: 60, height: 30)
            page.text("inside", x: 10, y: 10)
            page.rotate = rotate
        }
        try other.write(to: folder.path("other.pdf"))
        let page = try #require(try PDFFile(path: folder.path("other.pdf")).page(at: 0))
        #expect(page.size.width == (rotate % 180 == 0 ? 120 : 60))
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 120, height: 120)) { pdf in
            for _ in 0..<2 {
                pdf.beginPage()
                page.draw(in: Rect(x: 0, y: 0, width: 120, height: 120))
                pdf.fillColor = .black
                pdf.fill(Rect(x: 50, y: 50, width: 2, height: 2))
            }
        }
        try await check()
        for index in 0..<2 {
            expectPixels(PageSheet(bitmap: try PDFDocument(path: path).render(page: index, dpi: 72)), picture)
        }
        #expect(try await run("pdftotext", path, "-").contains("inside"))
        #expect(try await run("pdfimages", "-list", path).split(separator: "\n").count == 2)
    }

    @Test
    func `clip and alpha apply to an embedded PDF page, and a shape covers the page if it is drawn after the page`()
        async throws
    {
        var other = PDFBuilder()
        other.addPage(width: 40, height: 40) { $0.fill(.black) }
        try other.write(to: folder.path("other.pdf"))
        let page = try #require(try PDFFile(path: folder.path("other.pdf")).page(at: 0))
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 40, height: 10)) { pdf in
            pdf.beginPage()
            pdf.fill(.white, 0, 0, 4, 1)
            pdf.withSavedState { pdf in
                pdf.clip(to: cells(1, 0, 3, 1))
                pdf.alpha = 0.5
                page.draw(in: Rect(x: 0, y: 0, width: 40, height: 10))
            }
            pdf.fill(.red, 3, 0, 1, 1)
        }
        expectPixels(PageSheet(bitmap: try PDFDocument(path: path).render(page: 0, dpi: 72)), "_AAR")
    }

    @Test func `a PDF page can be drawn into a bitmap only with a rasterizer`() throws {
        var other = PDFBuilder()
        other.addPage(width: 20, height: 10) { $0.fill(.red, x: 0, y: 0, width: 10, height: 10) }
        try other.write(to: folder.path("other.pdf"))
        let page = try #require(try PDFFile(path: folder.path("other.pdf")).page(at: 0))
        let context = try BitmapContext(size: Size(width: 20, height: 10), scale: 3)
        context.draw { page.draw(at: .zero) }
        #expect(context.failure?.code == .noRasterizer)
        expectFailure(.noRasterizer) { _ = try context.makeImage() }
        context.pdfRasterizer = PopplerRasterizer()
        context.draw { page.draw(at: .zero) }
        expectPixelsOf(try context.makeImage(), "R_")
    }

    @Test func `a missing, damaged or encrypted PDF file causes an error`() throws {
        expectFailure(.unreadable) { _ = try PDFFile(path: folder.path("none.pdf")) }
        try Data("no PDF".utf8).write(to: URL(filePath: path))
        expectFailure(.damaged) { _ = try PDFFile(path: path) }
        try Data(EncryptedPDF.userPassword).write(to: URL(filePath: path))
        expectFailure(.passwordRequired) { _ = try PDFFile(path: path) }
        #expect(try PDFFile(path: path, password: "secret").page(at: 0)?.size == Size(width: 40, height: 20))
        #expect(try PDFFile(path: path, password: "secret").page(at: 1) == nil)
    }

    @Test func `if a link is added without an open page, 'failure' is '.noPage'`() throws {
        let pdf = try PDFContext()
        pdf.setDestination("x", for: Rect(x: 0, y: 0, width: 1, height: 1))
        #expect(pdf.failure?.code == .noPage)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
