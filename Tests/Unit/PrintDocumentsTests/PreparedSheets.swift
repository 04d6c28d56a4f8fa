// Prepares a document and returns the printed sides for checks.

import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// One side as pixels at 72 dpi.
struct SidePixels: PixelSheet {
    let bitmap: Bitmap
    var width: Int { bitmap.width }
    var height: Int { bitmap.height }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = bitmap[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}

/// The result of `prepare` for some documents.
struct PreparedSheets {
    let result: PreparedDocument
    let path: String
    let pdf: PDFDocument
    private let folder: TemporaryFolder

    /// Prepares documents for a paper with the given size in points.
    ///
    /// The default has no margins.
    init(
        _ documents: PDFBuilder..., paper: (width: Double, height: Double) = (120, 60), margin: Double = 0,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Imposition) throws -> Void = { _ in }
    ) async throws {
        try await self.init(
            files: documents.map(\.bytes), paper: paper, margin: margin, sourceLocation: sourceLocation, change)
    }

    init(
        files: [[UInt8]], format: DocumentFormat? = nil, paper: (width: Double, height: Double) = (120, 60),
        margin: Double = 0, requiresFidelity: Bool = false, cover: CoverText? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout Imposition) throws -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        var inputs: [InputDocument] = []
        for (index, bytes) in files.enumerated() {
            let path = folder.path("document-\(index + 1).pdf")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            inputs.append(InputDocument(path: path, format: format))
        }
        path = folder.path("prepared.pdf")
        let media = Media.custom(width: .points(paper.width), height: .points(paper.height))
        var imposition = Imposition(paper: PrintPaper(media: media, margins: .all(.points(margin))), scaling: .none)
        try change(&imposition)
        var request = PrepareRequest(
            documents: inputs, imposition: imposition, output: path, requiresFidelity: requiresFidelity)
        request.cover = cover
        result = try await DocumentWorker().prepare(request)
        let check = try run("qpdf", "--check", path)
        #expect(check.status == 0, "\(check.output)", sourceLocation: sourceLocation)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasSuffix(".pdf") },
            sourceLocation: sourceLocation)
        pdf = try PDFDocument(path: path)
        #expect(pdf.pageCount == result.impressions, sourceLocation: sourceLocation)
    }

    /// Returns a side, counted from 0.
    func side(_ index: Int) throws -> SidePixels { SidePixels(bitmap: try pdf.render(page: index, dpi: 72)) }

    /// Returns the words on all sides.
    ///
    /// The words of a side are joined by `+`, and the sides are joined by spaces. `-` stands for a side without words.
    func words() throws -> String {
        try (0..<pdf.pageCount).map { index in
            let words = try pdf.text(at: index).split(whereSeparator: \.isWhitespace)
            return words.isEmpty ? "-" : words.joined(separator: "+")
        }.joined(separator: " ")
    }

    /// Returns the PDF as uncompressed text.
    func source() throws -> String {
        try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output
    }
}
