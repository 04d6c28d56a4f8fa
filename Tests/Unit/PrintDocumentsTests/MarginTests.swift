// Tests the detection of marks in the unprintable margin.

import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

struct MarginTests {
    /// Returns the notices for documents with one page of 120 × 60 points, on paper with a margin of 10 points.
    private func notices(
        _ scaling: PrintScaling = .auto, margin: Double = 10, pages: [(inout PDFBuilder.Page) -> Void]
    ) async throws -> [String] {
        var document = PDFBuilder()
        for page in pages { document.addPage(width: 120, height: 60, page) }
        let sheets = try await PreparedSheets(document, margin: margin) { $0.scaling = scaling }
        let media = Media.custom(width: .points(120), height: .points(60))
        let imposition = Imposition(
            paper: PrintPaper(media: media, margins: .all(.points(margin))), scaling: scaling)
        return DocumentWorker.marginNotices(
            PrepareRequest(documents: [], imposition: imposition, output: sheets.path), sheets.result)
    }

    @Test func `content in the printer margin causes a notice if the page is not scaled`() async throws {
        let notices = try await notices(pages: [
            { $0.fill(.black, x: 20, y: 20, width: 80, height: 20) },
            { $0.fill(.black, x: 2, y: 20, width: 80, height: 20) },
            { $0.fill(.red, x: 20, y: 0, width: 5, height: 5) },
        ])
        #expect(
            notices == [
                "content on 2 of 3 pages is in the unprintable margin and will be cut off; print with '--scaling fit'"
            ])
    }

    @Test func `the notice about the margin uses 'the page' for a single page, and does not count blank backs`()
        async throws
    {
        var document = PDFBuilder()
        document.addPage(width: 120, height: 60) { $0.fill(.black) }
        let sheets = try await PreparedSheets(document, margin: 10) { $0.duplex = .longEdge }
        let imposition = Imposition(
            paper: PrintPaper(media: .custom(width: .points(120), height: .points(60)), margins: .all(.points(10))),
            duplex: .longEdge)
        let notices = DocumentWorker.marginNotices(
            PrepareRequest(documents: [], imposition: imposition, output: sheets.path), sheets.result)
        #expect(sheets.result.impressions == 2)
        #expect(notices.count == 1 && notices.first?.hasPrefix("content on the page is in the ") == true)
    }

    @Test func `the check of the margin also finds damaged images`() async throws {
        var pdf = RawPDF()
        let image = pdf.stream(
            "/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray"
                + " /Filter /JBIG2Decode", "damaged, damaged")
        pdf.page(resources: "/XObject << /I \(image) 0 R >>", content: "q 40 0 0 40 20 10 cm /I Do Q")
        let sheets = try await PreparedSheets(files: [pdf.bytes], paper: (200, 300), margin: 10)
        let imposition = Imposition(
            paper: PrintPaper(media: .custom(width: .points(200), height: .points(300)), margins: .all(.points(10))))
        let notices = DocumentWorker.marginNotices(
            PrepareRequest(documents: [], imposition: imposition, output: sheets.path), sheets.result)
        #expect(notices == ["page 1 may be incomplete because it contains a damaged JBIG2 image"])
    }

    @Test func `a white background in the margin causes no notice`() async throws {
        #expect(try await notices(pages: [{ $0.fill(.white) }]).isEmpty)
    }

    @Test func `content in the margin causes no notice if the page is fitted to the paper or the paper has no margins`()
        async throws
    {
        #expect(try await notices(.fit, pages: [{ $0.fill(.black) }]).isEmpty)
        #expect(try await notices(margin: 0, pages: [{ $0.fill(.black) }]).isEmpty)
    }

    @Test func `content in a margin causes no notice if the margin is narrower than one pixel of the margin check`()
        async throws
    {
        #expect(try await notices(margin: 1, pages: [{ $0.fill(.black) }]).isEmpty)
        #expect(try await notices(margin: 2, pages: [{ $0.fill(.black) }]).count == 1)
    }

    @Test func `converted pages with guaranteed margins are checked only if the job changes the pages`() async throws {
        var document = PDFBuilder()
        document.addPage(width: 120, height: 60) { $0.fill(.black) }
        let sheets = try await PreparedSheets(document, margin: 10)
        let media = Media.custom(width: .points(120), height: .points(60))
        let paper = PrintPaper(media: media, margins: .all(.points(10)))
        func notices(
            keepsMargins: Bool = true, layout: ConversionLayout? = nil, _ change: (inout Imposition) -> Void = { _ in }
        ) -> Int {
            var imposition = Imposition(paper: paper)
            change(&imposition)
            var input = InputDocument(path: sheets.path)
            input.conversion = ConvertedDocument(pageCount: 1, keepsMargins: keepsMargins)
            var request = PrepareRequest(documents: [input], imposition: imposition, output: sheets.path)
            request.conversion = layout
            return DocumentWorker.marginNotices(request, sheets.result).count
        }
        #expect(notices() == 0)
        #expect(notices(keepsMargins: false) == 1)
        #expect(notices { $0.texts = PageTexts(watermark: "DRAFT") } == 1)
        #expect(notices(layout: ConversionLayout(pageSize: Size(width: 60, height: 120), margins: paper.margins)) == 0)
        #expect(notices(layout: ConversionLayout(pageSize: Size(width: 60, height: 60), margins: paper.margins)) == 1)
        #expect(notices(layout: ConversionLayout(pageSize: Size(width: 120, height: 60))) == 1)
    }
}
