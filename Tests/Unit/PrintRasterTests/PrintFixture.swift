// Sets up a printer with a small paper, a folder and a document for one test.

import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport

/// A fixture that prints test documents at 72 dpi, so that one point is one pixel.
///
/// The paper has 120 × 60 points by default.
struct PrintFixture {
    let folder: TemporaryFolder
    var request: RasterizeRequest

    init(_ pdf: PDFBuilder, width: Double = 120, height: Double = 60, margin: Double = 0) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
        try pdf.write(to: folder.path("document.pdf"))
        let media = Media.custom(width: .points(width), height: .points(height))
        request = RasterizeRequest(
            document: InputDocument(path: folder.path("document.pdf"), format: .pdf),
            paper: PrintPaper(media: media, margins: .all(.points(margin))), resolution: 72,
            outputFolder: folder.path("out"), sheets: folder.path("sheets.pdf"), scaling: PrintScaling.none)
    }

    /// Creates a document of one page and draws the page.
    init(
        page: PDFBuilder.Size, width: Double = 120, height: Double = 60, margin: Double = 0,
        _ draw: (inout PDFBuilder.Page) -> Void
    ) throws {
        var pdf = PDFBuilder()
        pdf.addPage(page, draw)
        try self.init(pdf, width: width, height: height, margin: margin)
    }

    /// Creates a document with one page for each color, filled with the color.
    init(inks: [PDFBuilder.Ink]) throws {
        var pdf = PDFBuilder()
        for ink in inks {
            pdf.addPage(width: 120, height: 60) { $0.fill(ink) }
        }
        try self.init(pdf)
    }

    func rasterize(_ progress: (WorkProgress) -> Void = { _ in }) throws -> RasterizedDocument {
        try RasterImageProcessor().rasterize(request, progress: progress)
    }

    /// Returns the printed image of a side.
    func side(_ number: Int = 1) throws -> Bitmap {
        try Bitmap(readingPNG: folder.path("out/page-000\(number).png"))
    }

    /// Returns the names of the files in the output folder, sorted.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    }

    /// Returns the colors of the pages of `sheets.pdf`, one letter for each page.
    func sheetColors() throws -> String {
        let sheets = try PDFDocument(path: folder.path("sheets.pdf"))
        return try (0..<sheets.pageCount).map { index in
            pixelLetters(of: try sheets.render(page: index, dpi: 72), columns: 1, rows: 1)
        }.joined()
    }
}
