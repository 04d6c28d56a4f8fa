// Documents of pixels: PWG raster, Apple raster, and JPEG images.

import PrintModel
import PrintRaster

/// Documents of pixels, whose pages become pages of a PDF before they are imposed.
enum PixelDocument {
    /// Opens a document of pixels; nil when the document is of another format.
    ///
    /// - Throws: `WorkError` when there is no such file, or it is a damaged document of pixels.
    static func pages(
        of document: InputDocument, requiresFidelity: Bool = false
    ) throws(WorkError) -> PixelPages? {
        guard let format = try document.sniffedFormat(), PixelPages.formats.contains(format) else { return nil }
        return try PixelPages(document.named, format: format, requiresFidelity: requiresFidelity)
    }

    /// Makes a PDF of a document of pixels, and opens the PDF.
    ///
    /// - Parameters:
    ///   - ranges: The pages that will be printed; the others come out empty.
    ///   - output: The file beside which the PDF is written; it is removed at once.
    static func open(
        _ pages: PixelPages, of document: InputDocument, ranges: PageRanges, beside output: String
    ) throws(WorkError) -> OpenDocument {
        let scratch = ScratchFile(beside: output)
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            try pages.writePDF(to: scratch.path, pages: ranges)
            return try OpenDocument(
                InputDocument(path: scratch.path, format: .pdf, name: WorkError.name(of: document)),
                notices: pages.notices, hasSize: pages.hasSize)
        }
    }
}

extension InputDocument {
    /// The document with the name that people know it by.
    fileprivate var named: InputDocument {
        var document = self
        document.name = WorkError.name(of: self)
        return document
    }
}

extension Imposition {
    /// The same for an image that does not say how large it is: by default it is as large as its paper allows.
    ///
    /// PWG 5100.13 §5.2 has `auto` enlarge nothing, and thus requires a size; an image without one has none to keep. So it
    /// counts as larger than the paper: it is fitted to the printable area, and fills borderless paper, as printers do
    /// with the photos of cameras. Printed straight on a simulated printer it comes out the same.
    var fittingImages: Imposition {
        var fitting = self
        // Pages that share a side are fitted to their cells anyway.
        if numberUp.count == 1 { fitting.scaling = scaling.settled(isLarger: true, isBorderless: paper.isBorderless) }
        return fitting
    }
}
