import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct RasterImageProcessorErrorTests {
    /// Prints a document with the given bytes, and returns the error.
    private func error(
        _ bytes: [UInt8], format: DocumentFormat? = nil, password: String? = nil,
        _ change: (inout RasterizeRequest) throws -> Void = { _ in }
    ) throws -> WorkError {
        var fixture = try PrintFixture(inks: [.red])
        let path = fixture.folder.path("document.pdf")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        fixture.request.document = InputDocument(path: path, format: format, password: password, name: "report.pdf")
        try change(&fixture.request)
        let error = #expect(throws: WorkError.self) { try fixture.rasterize() }
        #expect(try fixture.files() == [])
        // Messages must not contain internal paths, except for a path that cannot be written.
        #expect(error?.code == .writeFailed || error?.message.contains(fixture.folder.path) == false)
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted()
        #expect(left == ["document.pdf", "out"])
        return try #require(error)
    }

    @Test func `a document is reported as missing if its file does not exist`() throws {
        let error = try error([]) { $0.document.path += ".gone" }
        #expect(error.code == .documentMissing)
        #expect(error.message.contains("'report.pdf' does not exist"))
        #expect(error.detail?.contains("document.pdf.gone") == true)
    }

    @Test(arguments: [nil, DocumentFormat.octetStream, .pdf])
    func `data of an unknown format is rejected`(format: DocumentFormat?) throws {
        #expect(try error(Array("hello".utf8), format: format).code == .unsupportedFormat)
        #expect(try error([], format: format).code == .unsupportedFormat)
    }

    @Test func `the error for an unsupported format names the format`() throws {
        let error = try error(Array("%!PS-Adobe-3.0\n".utf8))
        #expect(error.code == .unsupportedFormat)
        #expect(error.message.contains("application/postscript"))
    }

    @Test func `the error code for a truncated PDF is 'damaged'`() throws {
        let whole = PDFBuilder.numbered(pages: 1).bytes
        #expect(try error(Array(whole.prefix(100)), format: .pdf).code == .damaged)
    }

    @Test func `an encrypted document without a password is rejected`() throws {
        #expect(try error(EncryptedPDF.userPassword).code == .passwordRequired)
        #expect(try error(EncryptedPDF.userPassword, password: "wrong").code == .passwordRequired)
    }

    @Test func `an encrypted document with the correct password is printed`() throws {
        var fixture = try PrintFixture(inks: [.red])
        try Data(EncryptedPDF.userPassword).write(to: URL(fileURLWithPath: fixture.request.document.path))
        fixture.request.document.password = "secret"
        #expect(try fixture.rasterize().pages.count == 1)
    }

    @Test func `the error for page ranges outside of the document contains the number of pages`() throws {
        let error = try error(PDFBuilder.numbered(pages: 2).bytes) { $0.pageRanges = try PageRanges("3-5") }
        #expect(error.code == .noPages)
        #expect(error.message.contains("has 2 pages"))
        #expect(error.message.contains("3-5"))
        #expect(try self.error(PDFBuilder().bytes).code == .noPages)
    }

    @Test func `if the paper has too many pixels at the requested resolution, the job is rejected before drawing`()
        throws
    {
        let error = try error(PDFBuilder.numbered(pages: 1).bytes) { request in
            request.paper = PrintPaper(media: .a3)
            request.resolution = 2400
        }
        #expect(error.code == .outputTooLarge)
        #expect(error.message.contains("choose a lower resolution"))
    }

    @Test func `if the output folder is missing, the error names the path of the page image`() throws {
        let error = try error(PDFBuilder.numbered(pages: 1).bytes) { $0.outputFolder += "/missing" }
        #expect(error.code == .writeFailed)
        #expect(error.message.contains("missing/page-0001.png"))
    }

    @Test func `if a notice page would have too many pixels, the error names the page`() throws {
        var fixture = try PrintFixture(inks: [.red, .green, .blue])
        fixture.request.fallbacks[1] = RenderingFallback(.notice, because: "the worker crashed")
        fixture.request.pageRanges = try PageRanges("3")
        let processor = RasterImageProcessor(maximumPixels: 100)
        let error = #expect(throws: WorkError.self) { try processor.rasterize(fixture.request) { _ in } }
        #expect(error?.message.hasPrefix("page 3 would have 120 × 60 pixels") == true, "\(error?.message ?? "")")
    }
}
