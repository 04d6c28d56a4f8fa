import FoundationEssentials
import PrintRaster
import PrintTestSupport
import Testing

struct RenderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func document(_ pdf: PDFBuilder) throws -> PDFDocument {
        try pdf.write(to: folder.path("test.pdf"))
        return try PDFDocument(path: folder.path("test.pdf"))
    }

    private func page(_ draw: (inout PDFBuilder.Page) -> Void) throws -> PDFDocument {
        var pdf = PDFBuilder()
        pdf.addPage(width: 120, height: 60, draw)
        return try document(pdf)
    }

    @Test func `rectangles are drawn at the positions and in the colors that the PDF specifies`() throws {
        let document = try page { page in
            page.fill(.red, x: 10, y: 20, width: 40, height: 30)
            page.fill(.blue, x: 70, y: 20, width: 40, height: 30)
            page.fill(.black, x: 0, y: 0, width: 120, height: 10)
        }
        expectPixels(
            try document.render(page: 0, dpi: 72),
            """
            ____________
            _RRRR__BBBB_
            _RRRR__BBBB_
            _RRRR__BBBB_
            ____________
            KKKKKKKKKKKK
            """)
    }

    @Test func `text is drawn at the position that the PDF specifies, with antialiased edges`() throws {
        let bitmap = try page { $0.text("gray", x: 60, y: 20, size: 24) }.render(page: 0, dpi: 72)
        expectPixels(bitmap, "_._#\n_._#")
        #expect(Set(bitmap.bytes).count > 10)
    }

    @Test(arguments: [
        (rotate: 0, picture: "RG\nB_"), (90, "BR\n_G"), (180, "_B\nGR"), (270, "G_\nRB"),
    ])
    func `a page with a Rotate entry is rotated clockwise`(rotate: Int, picture: String) throws {
        let document = try page { page in
            page.fill(.red, x: 0, y: 30, width: 60, height: 30)
            page.fill(.green, x: 60, y: 30, width: 60, height: 30)
            page.fill(.blue, x: 0, y: 0, width: 60, height: 30)
            page.rotate = rotate
        }
        let bitmap = try document.render(page: 0, dpi: 72)
        #expect(bitmap.width == (rotate % 180 == 0 ? 120 : 60))
        expectPixels(bitmap, picture)
    }

    @Test func `only the content in the crop box of a page is drawn`() throws {
        let document = try page { page in
            page.fill(.red, x: 0, y: 0, width: 60, height: 60)
            page.fill(.blue, x: 60, y: 0, width: 60, height: 60)
            page.cropBox = .init(x: 40, y: 10, width: 80, height: 40)
        }
        let bitmap = try document.render(page: 0, dpi: 72)
        #expect((bitmap.width, bitmap.height) == (80, 40))
        expectPixels(bitmap, "RBBB\nRBBB")
    }

    @Test func `a page is drawn at its size multiplied by its user unit`() throws {
        let document = try page { page in
            page.fill(.green, x: 60, y: 0, width: 60, height: 60)
            page.userUnit = 2
        }
        let bitmap = try document.render(page: 0, dpi: 36)
        #expect((bitmap.width, bitmap.height) == (120, 60))
        expectPixels(bitmap, "_G")
    }

    @Test func `the size of a page in pixels is rounded, and a filled page covers all pixels`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100.3, height: 50.4) { $0.fill(.black) }
        let bitmap = try document(pdf).render(page: 0, dpi: 100)
        #expect((bitmap.width, bitmap.height) == (139, 70))
        #expect(bitmap == Bitmap(width: 139, height: 70, format: .gray8, bytes: .init(repeating: 0, count: 139 * 70)))
    }

    @Test func `a page without color is rendered as a gray bitmap`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 50, height: 50) { $0.fill(.gray, x: 0, y: 0, width: 25, height: 50) }
        pdf.addPage(width: 50, height: 50) { $0.fill(.gray, x: 0, y: 25, width: 50, height: 25) }
        pdf.addPage(width: 50, height: 50) { page in
            page.fill(.gray, x: 0, y: 25, width: 50, height: 25)
            page.fill(.red, x: 45, y: 0, width: 5, height: 5)
        }
        let document = try document(pdf)
        #expect(try (0..<3).map { try document.render(page: $0, dpi: 72).format } == [.gray8, .gray8, .rgb24])
        // The canvas is reused and must not contain parts of an earlier page.
        expectPixels(try document.render(page: 0, dpi: 72), "A_\nA_")
        expectPixels(try document.render(page: 1, dpi: 72), "AA\n__")
    }

    @Test func `a link annotation without a visible border is not drawn`() throws {
        let document = try page { page in
            page.link(to: "https://example.com/", x: 10, y: 10, width: 50, height: 20)
            page.link(toPage: 0, x: 60, y: 10, width: 50, height: 20)
        }
        #expect(try document.render(page: 0, dpi: 72).isBlank)
    }

    @Test(arguments: [(flags: 4, picture: "_R"), (0, "__"), (6, "__")])
    func `an annotation is drawn if the print flag is set and the hidden flag is not set`(flags: Int, picture: String)
        throws
    {
        let document = try page { page in
            page.annotations.append(
                "<< /Type /Annot /Subtype /Square /F \(flags) /Rect [60 0 120 60] /IC [1 0 0] /C [1 0 0] >>")
        }
        expectPixels(try document.render(page: 0, dpi: 72), picture)
    }

    @Test func `a page with too many pixels is rejected, and the error names the limit`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 14400, height: 14400)
        let document = try document(pdf)
        let error = #expect(throws: RasterError.self) { try document.render(page: 0, dpi: 600) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("200000000") == true)
        let wide = #expect(throws: RasterError.self) {
            try document.render(page: 0, dpi: 600, maximumPixels: .max)
        }
        #expect(wide?.code == .tooLarge)
        #expect(throws: RasterError.self) { try document.render(page: 0, dpi: 1, maximumPixels: 39_999) }
        #expect(try document.render(page: 0, dpi: 1, maximumPixels: 40_000).isBlank)
    }

    @Test
    func `if a page exceeds cairo's limit for the image height, the page is drawn in bands without visible seams`()
        throws
    {
        var pdf = PDFBuilder()
        pdf.addPage(width: 10, height: 10000) { page in
            page.fill(.red, x: 0, y: 0, width: 5, height: 10000)
            page.fill(.black, x: 5, y: 0, width: 5, height: 2500)
        }
        let bitmap = try document(pdf).render(page: 0, dpi: 288)
        #expect(bitmap.height == 40000)
        expectPixels(bitmap, "R_\nR_\nR_\nRK")
        #expect((32_760..<32_775).allSatisfy { bitmap[19, $0] == .fullRed })
    }

    @Test func `the valid part of a page with damaged content is drawn`() throws {
        let bitmap = try page { page in
            page.fill(.red, x: 0, y: 0, width: 60, height: 60)
            page.content += "<< /nonsense ( } Do 7 re f\n"
        }.render(page: 0, dpi: 72)
        expectPixels(bitmap, "R_")
    }
}
