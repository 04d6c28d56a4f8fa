import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintRaster

/// Tests of pages that cairo cannot draw, so that Splash draws the pages.
struct SecondRendererTests {
    /// A dash pattern of zeros.
    ///
    /// After the pattern, cairo draws nothing.
    static let undrawable = "[0 0] 0 d 1 0 0 rg 0 0 60 60 re f"

    private func fixture(_ contents: String..., entries: String = "") throws -> PrintFixture {
        var pdf = SharedResourcePDF(width: 120, height: 60, entries: entries, content: "")
        pdf.contents = contents
        let fixture = try PrintFixture(PDFBuilder.numbered(pages: 1))
        try pdf.write(to: fixture.request.document.path)
        return fixture
    }

    @Test func `if cairo cannot draw a page, Splash draws the page, and the result contains a notice`() throws {
        let fixture = try fixture("0 0 1 rg 60 0 60 60 re f", Self.undrawable)
        let result = try fixture.rasterize()
        expectPixels(try fixture.side(1), "_B")
        expectPixels(try fixture.side(2), "R_")
        #expect(
            result.notices == [
                "page 2 was drawn with another renderer because the first renderer failed"
                    + " (invalid value for a dash setting)"
            ])
    }

    @Test(
        arguments: [("/Type1", "/FontFile"), ("/TrueType", "/FontFile2"), ("/Type1", "/FontFile3")],
        ["Helvetica", "Optima-Bold"])
    func `if a font is damaged, Splash draws the text in a replacement font`(
        font: (type: String, file: String), name: String
    ) throws {
        let fixture = try fixture("")
        let pdf = SharedResourcePDF(
            width: 120, height: 60, resources: "/Font << /X 4 0 R >>",
            objects: [
                "<< /Type /Font /Subtype \(font.type) /BaseFont /ABCDEF+\(name) /FirstChar 65 /LastChar 65"
                    + " /Widths [700] /Encoding /WinAnsiEncoding /FontDescriptor 5 0 R >>",
                "<< /Type /FontDescriptor /FontName /ABCDEF+\(name) /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0"
                    + " /Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 \(font.file) 6 0 R >>",
                SharedResourcePDF.stream("/Length1 8 /Subtype /Type1C", "damaged!"),
            ],
            content: "0 0 1 rg 60 0 60 60 re f BT 1 0 0 rg /X 60 Tf 5 5 Td (A) Tj ET")
        try pdf.write(to: fixture.request.document.path)
        let result = try fixture.rasterize()
        expectPixels(try fixture.side(), "#B")
        #expect(
            result.notices == [
                "page 1 was drawn with another renderer because the page has text in a font that "
                    + "the first renderer cannot use"
            ])
    }

    @Test(arguments: [
        "0 1 0 rg 0 0 1 1 re f", "BI /W 1 /H 1 /BPC 8 /CS /RGB /F /AHx ID 00FF00> EI",
    ]) func `Splash draws the glyphs of a Type 3 font that have colors`(glyph: String) throws {
        let fixture = try fixture("")
        let content = "BT /X 60 Tf 60 0 Td (a) Tj ET"
        var pdf = SharedResourcePDF(
            width: 120, height: 60, resources: "/Font << /X 4 0 R >>",
            objects: [
                "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97"
                    + " /Widths [1] /Encoding << /Type /Encoding /Differences [97 /a] >> /CharProcs << /a 5 0 R >>"
                    + " /Resources << >> >>",
                SharedResourcePDF.stream("", "1 0 d0 \(glyph)"),
            ], content: content)
        pdf.contents.append(content)
        try pdf.write(to: fixture.request.document.path)
        let result = try fixture.rasterize()
        // A font keeps the glyphs of the first page for the other pages.
        for side in 1...2 { expectPixels(try fixture.side(side), "_G") }
        #expect(result.notices.count == 2)
        #expect(result.notices.allSatisfy { $0.contains(" was drawn with another renderer because ") })
    }

    @Test func `text in a font that is not installed is not drawn with a font of symbols`() throws {
        let fixture = try fixture("")
        // Fontconfig replaces fonts of the family "fantasy" with D050000L, in which the letter is a large circle.
        let pdf = SharedResourcePDF(
            width: 120, height: 60, resources: "/Font << /X 4 0 R >>",
            objects: [
                "<< /Type /Font /Subtype /TrueType /BaseFont /Impact /FirstChar 108 /LastChar 108 /Widths [700]"
                    + " /Encoding /WinAnsiEncoding /FontDescriptor 5 0 R >>",
                "<< /Type /FontDescriptor /FontName /Impact /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0"
                    + " /Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 >>",
            ],
            content: "BT /X 60 Tf 5 5 Td (l) Tj ET")
        try pdf.write(to: fixture.request.document.path)
        _ = try fixture.rasterize()
        let dark = try fixture.side().bytes.count { $0 < 128 }
        #expect((100..<800).contains(dark), "\(dark)")
    }

    /// Creates a document with a blue half, and an image on the other half.
    private func image(_ entries: String, _ data: String) throws -> PrintFixture {
        let fixture = try fixture("")
        let pdf = SharedResourcePDF(
            width: 120, height: 60, resources: "/XObject << /I 4 0 R >>",
            objects: [SharedResourcePDF.stream("/Type /XObject /Subtype /Image /BitsPerComponent 1 \(entries)", data)],
            content: "0 0 1 rg 60 0 60 60 re f 0 g q 60 0 0 60 0 0 cm /I Do Q")
        try pdf.write(to: fixture.request.document.path)
        return fixture
    }

    @Test(arguments: ["/ColorSpace /DeviceGray", "/ImageMask true"], [(8, 33_000), (33_000, 8)])
    func `if an image has more rows or columns than cairo can draw, Splash draws the page`(
        kind: String, size: (width: Int, height: Int)
    ) throws {
        let fixture = try image(
            "/Width \(size.width) /Height \(size.height) \(kind)",
            String(repeating: "\0", count: (size.width + 7) / 8 * size.height))
        let result = try fixture.rasterize()
        expectPixels(try fixture.side(), "#B")
        #expect(
            result.notices == [
                "page 1 was drawn with another renderer because the page has an image that is too large for the first "
                    + "renderer"
            ])
    }

    @Test(arguments: [
        ("/JBIG2Decode", "JBIG2 image"), ("/JPXDecode", "JPEG 2000 image"), ("/DCTDecode", "JPEG image"),
        ("/CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 >>", "fax image"),
        ("/FlateDecode", "compressed image or text"), ("/LZWDecode", "compressed image or text"),
    ]) func `a notice names an image that no renderer can decode`(filter: String, kind: String) throws {
        // Zeros are an invalid code of fax images.
        let data = kind == "fax image" ? String(repeating: "\0\u{1}", count: 20) : "damaged, damaged, damaged"
        let fixture = try image(
            "/Width 8 /Height 8 /ColorSpace /DeviceGray /Filter \(filter)", data)
        let result = try fixture.rasterize()
        #expect(result.notices == ["page 1 may be incomplete because it contains a damaged \(kind)"])
        // LZW data is decoded up to the damage.
        if filter != "/LZWDecode" { expectPixels(try fixture.side(), "_B") }
        let form = PixelForm(resolution: RasterResolution(72)!, type: .color8, isGray: false)
        let request = RenderRequest(
            document: fixture.request.document.path, pages: 1...1, pageCount: 1,
            delivery: DeliveryFormat(format: .pwgRaster, pixels: form),
            options: DeviceOptions(paper: fixture.request.paper))
        #expect(try PageRenderer().render(request) { _ in }.notices == result.notices)
    }

    @Test(arguments: [DocumentFormat.pwgRaster, .jpeg])
    func `if cairo cannot draw a page for PWG raster or JPEG, Splash draws the page`(format: DocumentFormat) throws {
        let fixture = try fixture(Self.undrawable, "0 0 1 rg 60 0 60 60 re f")
        let form = PixelForm(resolution: RasterResolution(72)!, type: .color8, isGray: false)
        let request = RenderRequest(
            document: fixture.request.document.path, pages: 1...2, pageCount: 2,
            delivery: DeliveryFormat(format: format, pixels: form),
            options: DeviceOptions(paper: fixture.request.paper))
        let rendered = try PageRenderer().render(request) { _ in }
        #expect(rendered.notices.count == 1)
        #expect(rendered.notices.first?.hasPrefix("page 1 was drawn with another renderer") == true)
        var printing = fixture
        let files = request.files.map { InputDocument(path: $0, format: format) }
        printing.request.document = files[0]
        printing.request.others = Array(files.dropFirst())
        _ = try printing.rasterize()
        expectPixels(try printing.side(1), "R_")
        expectPixels(try printing.side(2), "_B")
    }

    @Test(arguments: [0, 90, 180, 270], [PrintScaling.none, .fit, .fill])
    func `Splash and cairo draw a page at the same position`(rotate: Int, scaling: PrintScaling) throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 70) { page in
            page.fill(.red, x: 10, y: 10, width: 40, height: 25)
            page.fill(.blue, x: 50, y: 10, width: 40, height: 25)
            page.fill(.green, x: 10, y: 35, width: 40, height: 25)
            page.cropBox = .init(x: 10, y: 10, width: 80, height: 50)
            page.userUnit = 1.25
            page.rotate = rotate
        }
        let fixture = try PrintFixture(pdf)
        let document = try PDFDocument(path: fixture.request.document.path)
        let size = try document.pageSize(at: 0)
        // Test upright and turned pages on larger and smaller paper.
        for (width, height) in [(120.0, 60.0), (60, 120), (50, 40), (300, 200)] {
            let media = Media.custom(width: .points(width), height: .points(height))
            let placement = PaperPlacement(
                page: Size(width: size.width, height: size.height), paper: PrintPaper(media: media), resolution: 144,
                scaling: scaling)
            let usual = try document.render(page: 0, placed: placement, maximumPixels: 1_000_000)
            let second = try document.renderWithSplash(page: 0, placed: placement, maximumPixels: 1_000_000)
            #expect((usual.width, usual.height) == (second.width, second.height))
            // Edges are rounded to whole pixels.
            let difference = usual.difference(from: second, tolerance: 8).pixelCount
            #expect(difference <= 4 * (usual.width + usual.height), "on \(width) × \(height) points")
            #expect(pixelLetters(of: usual, columns: 6, rows: 4) == pixelLetters(of: second, columns: 6, rows: 4))
        }
    }

    @Test(arguments: [(flags: 4, picture: "RB"), (36, "RB"), (0, "R_"), (6, "R_")])
    func `Splash draws an annotation if the print flag is set and the hidden flag is not set`(
        flags: Int, picture: String
    ) throws {
        let fixture = try fixture(
            Self.undrawable,
            entries:
                "/Annots [<< /Type /Annot /Subtype /Square /F \(flags) /Rect [60 0 120 60] /IC [0 0 1] /C [0 0 1] >>"
                + " << /Type /Annot /Subtype /Link /F 4 /Border [0 0 40] /C [0 1 0] /Rect [0 0 120 60] >>]")
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), picture)
    }

    @Test func `Splash does not draw hidden layers`() throws {
        var fixture = try fixture("")
        let layered = SharedResourcePDF(
            width: 120, height: 60, resources: "/Properties << /L 4 0 R >>",
            objects: ["<< /Type /OCG /Name (Layer) >>"],
            content: Self.undrawable + " /OC /L BDC 0 0 1 rg 60 0 60 60 re f EMC")
        let text = String(decoding: layered.bytes, as: UTF8.self)
            .replacing(
                "/Type /Catalog", with: "/Type /Catalog /OCProperties << /OCGs [4 0 R] /D << /OFF [4 0 R] >> >>")
        // The changed file has incorrect offsets. PDF readers repair the offsets.
        try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.request.document.path))
        fixture.request.sheets = nil
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), "R_")
    }

    // MARK: - Notices

    /// Creates a document with a red, a blue and a green page, and changes the dictionary of the second page.
    private func document(secondPage change: (String) -> String) throws -> PrintFixture {
        var fixture = try fixture("1 0 0 rg 0 0 120 60 re f", "0 0 1 rg 0 0 120 60 re f", "0 1 0 rg 0 0 120 60 re f")
        let path = fixture.request.document.path
        var objects = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            .split(separator: "endobj\n", omittingEmptySubsequences: false).map(String.init)
        let changed = change(objects[5])
        #expect(changed != objects[5])
        objects[5] = changed
        // The changed file has incorrect offsets. PDF readers repair the offsets.
        try Data(objects.joined(separator: "endobj\n").utf8).write(to: URL(fileURLWithPath: path))
        fixture.request.document.name = "report.pdf"
        return fixture
    }

    /// Creates a document whose second page has an infinite width.
    private func damaged() throws -> PrintFixture {
        let endless = String(repeating: "9", count: 400)
        return try document { $0.replacing("/MediaBox [0 0 120.0", with: "/MediaBox [0 0 \(endless)") }
    }

    @Test func `if poppler cannot read a page, all other pages are still printed`() throws {
        let fixture = try document { $0.replacing("/Contents", with: "/Contents (none) /Formerly") }
        let result = try fixture.rasterize()
        expectPixels(try fixture.side(1), "R")
        expectPixels(try fixture.side(2), "#")
        expectPixels(try fixture.side(3), "G")
        #expect(result.notices.count == 1)
    }

    @Test func `if a page cannot be drawn, a notice replaces the page, and all other pages are printed`() throws {
        let fixture = try damaged()
        let result = try fixture.rasterize()
        #expect(result.pages.count == 3)
        expectPixels(try fixture.side(1), "R")
        expectPixels(try fixture.side(2), "#")
        expectPixels(try fixture.side(3), "G")
        #expect(result.pages[1].isBlank == false)
        #expect(result.notices.count == 1)
        #expect(
            result.notices.first?.hasPrefix("page 2 could not be drawn and was replaced by a notice because") == true)
    }

    @Test
    func `if a page cannot be drawn, a job that requires fidelity fails, and the error names the page but no path`()
        throws
    {
        var fixture = try damaged()
        fixture.request.requiresFidelity = true
        let error = #expect(throws: WorkError.self) { try fixture.rasterize() }
        #expect(error?.code == .damaged)
        #expect(error?.message.hasPrefix("page 2 cannot be drawn") == true)
        #expect(error?.message.contains("/") == false)
    }

    @Test func `in a job with several documents, the notice about a page names the document`() throws {
        var fixture = try damaged()
        fixture.request.others = [fixture.request.document]
        fixture.request.others[0].name = "second.pdf"
        let notices = try fixture.rasterize().notices
        #expect(notices.map { $0.prefix(24) } == ["page 2 of 'report.pdf' c", "page 2 of 'second.pdf' c"])
    }

    @Test func `in raster data, a notice replaces a page if the page cannot be drawn`() throws {
        let fixture = try damaged()
        let form = PixelForm(resolution: RasterResolution(144)!, type: .gray8, isGray: true)
        var request = RenderRequest(
            document: fixture.request.document.path, pages: 1...3, pageCount: 3,
            delivery: DeliveryFormat(format: .urf, pixels: form),
            options: DeviceOptions(paper: PrintPaper(media: .a4)))
        let rendered = try PageRenderer().render(request) { _ in }
        #expect(rendered.notices.count == 1)
        var printing = fixture
        printing.request.paper = PrintPaper(media: .a4)
        printing.request.document = InputDocument(path: request.files[0], format: .urf)
        _ = try printing.rasterize()
        expectPixels(
            try printing.side(2),
            """
            ______
            _####_
            ______
            ______
            ______
            ______
            ______
            """)
        request.requiresFidelity = true
        let error = #expect(throws: WorkError.self) { try PageRenderer().render(request) { _ in } }
        #expect(error?.message.hasPrefix("page 2 cannot be drawn because") == true)
    }
}
