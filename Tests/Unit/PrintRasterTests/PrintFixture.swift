// A printer of a test's own: a small paper, a folder, a document.

import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport

/// Prints made documents at 72 dpi, so that a point is a pixel, on paper of 120 × 60 points unless told otherwise.
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

    /// One page, drawn on.
    init(
        page: PDFBuilder.Size, width: Double = 120, height: Double = 60, margin: Double = 0,
        _ draw: (inout PDFBuilder.Page) -> Void
    ) throws {
        var pdf = PDFBuilder()
        pdf.addPage(page, draw)
        try self.init(pdf, width: width, height: height, margin: margin)
    }

    /// A document of one page filled with each colour in turn.
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

    /// The image of a side, after printing.
    func side(_ number: Int = 1) throws -> Bitmap {
        try Bitmap(readingPNG: folder.path("out/page-000\(number).png"))
    }

    /// The files in the output folder, in order.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    }

    /// Each page of `sheets.pdf` as the letter of its colour.
    func sheetColors() throws -> String {
        let sheets = try PDFDocument(path: folder.path("sheets.pdf"))
        return try (0..<sheets.pageCount).map { index in
            pixelLetters(of: try sheets.render(page: index, dpi: 72), columns: 1, rows: 1)
        }.joined()
    }
}
