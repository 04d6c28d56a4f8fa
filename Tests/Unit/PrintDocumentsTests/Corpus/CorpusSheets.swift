// Prepares corpus documents for a layout, and defines their expected sides.

import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Documents of the corpus, prepared for a layout.
struct CorpusSheets {
    let layout: CorpusLayout
    let documents: [CorpusDocument]
    /// The results of `prepare` for each document.
    private(set) var results: [PreparedDocument] = []
    private let folder: TemporaryFolder

    /// Prepares documents for a layout.
    init(_ documents: [CorpusDocument], _ layout: CorpusLayout) async throws {
        self.layout = layout
        self.documents = documents
        folder = try TemporaryFolder()
        for (index, document) in documents.enumerated() {
            let original = folder.path("\(document.name).pdf")
            try Data(document.bytes).write(to: URL(fileURLWithPath: original))
            results.append(
                try await DocumentWorker().prepare(
                    PrepareRequest(
                        documents: [InputDocument(path: original)], imposition: layout.imposition, output: path(index)))
            )
        }
    }

    /// Returns the path of a prepared document.
    func path(_ index: Int) -> String { folder.path("\(documents[index].name)-prepared.pdf") }

    /// Returns the sides of each document, drawn by an independent program.
    func drawn(by oracle: Oracle) throws -> [[Thumbnail]] {
        try oracle.draw(
            documents.indices.map {
                Oracle.Document(path: path($0), pages: results[$0].impressions, detail: documents[$0].detail)
            }, size: layout.paper, scale: layout.scale)
    }

    /// Returns the sides of each document as page images, as drawn by a simulated printer.
    func pageImages(monochrome: Bool = false) async throws -> [[Thumbnail]] {
        var images: [[Thumbnail]] = []
        for index in documents.indices {
            images.append(
                try await pageImages(of: InputDocument(path: path(index), format: .pdf), monochrome: monochrome))
        }
        return images
    }

    /// Returns the sides of each document as PWG raster, as sent by printd to printers without PDF support.
    func rasterImages(isGray: Bool = false) async throws -> [[Thumbnail]] {
        let form = PixelForm(
            resolution: try #require(RasterResolution(resolution)), type: isGray ? .gray8 : .color8, isGray: isGray)
        let delivery = DeliveryFormat(format: .pwgRaster, pixels: form)
        var images: [[Thumbnail]] = []
        for (index, result) in results.enumerated() {
            _ = try await DocumentWorker().render(
                RenderRequest(
                    document: path(index), pages: 1...result.impressions, pageCount: result.impressions,
                    delivery: delivery, options: DeviceOptions(paper: layout.imposition.paper)),
                progress: { _ in })
            let file = try #require(delivery.files(of: path(index), pages: result.impressions).first)
            images.append(try await pageImages(of: InputDocument(path: file, format: .pwgRaster), monochrome: false))
        }
        return images
    }

    private var resolution: Int { Int(72 / layout.scale) }

    private func pageImages(of document: InputDocument, monochrome: Bool) async throws -> [Thumbnail] {
        let output = folder.path(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
        // The paper has no margins, so that no content is cut off.
        let paper = PrintPaper(media: layout.imposition.paper.media)
        let result = try await DocumentWorker().rasterize(
            RasterizeRequest(
                document: document, paper: paper, resolution: resolution, monochrome: monochrome, outputFolder: output,
                scaling: .none),
            progress: { _ in })
        return try result.pages.map { page in
            Thumbnail(
                try Bitmap(readingPNG: "\(output)/\(page.file)"),
                width: Thumbnail.cells(layout.paper.width / layout.scale),
                height: Thumbnail.cells(layout.paper.height / layout.scale))
        }
    }
}

extension Thumbnail {
    /// Returns the part of a side where a page of the corpus is expected.
    func page(at place: CorpusLayout.Place, of layout: CorpusLayout) -> Thumbnail {
        let turned = place.turns % 2 != 0
        return part(
            x: place.x / layout.scale, y: place.y / layout.scale,
            width: turned ? CorpusDocument.height : CorpusDocument.width,
            height: turned ? CorpusDocument.width : CorpusDocument.height)
    }
}

extension CorpusDocument {
    /// The documents whose prepared pages must look the same as the original pages drawn by another program.
    static let exact: [CorpusDocument] = [.patterns, .shadings, .transparency, .fonts, .boxes]

    /// The factor by which pdftoppm increases the resolution.
    fileprivate var detail: Double { name == "patterns" || name == "boxes" ? 4 : 1 }
}

/// Images of the original documents, drawn once for all tests.
enum Originals {
    private static let ghostscript = Task { try draw(.ghostscript) }
    private static let pdftoppm = Task { try draw(.pdftoppm) }
    private static let gray = Task { try draw(.ghostscript, isGray: true) }

    /// Returns the images of all pages of the corpus, by document name.
    static func drawn(by oracle: Oracle) async throws -> [String: [Thumbnail]] {
        switch oracle {
        case .ghostscript: try await ghostscript.value
        case .pdftoppm: try await pdftoppm.value
        }
    }

    /// Returns the images of all pages in gray, drawn by Ghostscript, by document name.
    static func drawnInGray() async throws -> [String: [Thumbnail]] { try await gray.value }

    private static func draw(_ oracle: Oracle, isGray: Bool = false) throws -> [String: [Thumbnail]] {
        let folder = try TemporaryFolder()
        let paths = try CorpusDocument.all.map { document in
            let path = folder.path("\(document.name).pdf")
            try Data(document.bytes).write(to: URL(fileURLWithPath: path))
            return Oracle.Document(path: path, pages: document.pages.count, detail: document.detail)
        }
        let images = try oracle.draw(
            paths, size: (CorpusDocument.width, CorpusDocument.height), isGray: isGray)
        return Dictionary(uniqueKeysWithValues: zip(CorpusDocument.all.map(\.name), images))
    }
}
