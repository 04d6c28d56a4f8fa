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

    @Test func `marks in the margin of a page that is not scaled are reported`() async throws {
        let notices = try await notices(pages: [
            { $0.fill(.black, x: 20, y: 20, width: 80, height: 20) },
            { $0.fill(.black, x: 2, y: 20, width: 80, height: 20) },
            { $0.fill(.red, x: 20, y: 0, width: 5, height: 5) },
        ])
        #expect(
            notices == [
                "marks on 2 of 3 pages lie in the margin that the printer cannot print on; print with '--scaling fit'"
            ])
    }

    @Test func `the notice about marks says 'the page' for a single page, and blank backs are not counted`()
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
        #expect(notices.count == 1 && notices.first?.hasPrefix("marks on the page lie in the margin") == true)
    }

    @Test func `a white background in the margin causes no notice`() async throws {
        #expect(try await notices(pages: [{ $0.fill(.white) }]).isEmpty)
    }

    @Test func `fitted pages and paper without margins cause no notice`() async throws {
        #expect(try await notices(.fit, pages: [{ $0.fill(.black) }]).isEmpty)
        #expect(try await notices(margin: 0, pages: [{ $0.fill(.black) }]).isEmpty)
    }
}
