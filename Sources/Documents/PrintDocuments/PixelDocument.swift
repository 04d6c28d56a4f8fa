// Raster documents: PWG raster, Apple raster, and JPEG images.

import DocumentFiles
import PrintModel
import PrintRaster

/// A namespace for functions that open raster documents.
///
/// The pages of a raster document are converted to pages of a PDF before imposition.
enum PixelDocument {
    /// Opens a raster document.
    ///
    /// Returns nil if the document has another format.
    ///
    /// - Throws: `WorkError` when the file does not exist or is damaged.
    static func pages(
        of document: InputDocument, requiresFidelity: Bool = false
    ) throws(WorkError) -> PixelPages? {
        guard let format = try document.sniffedFormat(), PixelPages.formats.contains(format) else { return nil }
        return try PixelPages(document.named, format: format, requiresFidelity: requiresFidelity)
    }

    /// Converts a raster document to a PDF, and opens the PDF.
    ///
    /// - Parameters:
    ///   - ranges: The pages to print. Other pages are left empty.
    ///   - output: The output file. The PDF is written to the same folder, and removed immediately.
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
    /// The document with its display name.
    fileprivate var named: InputDocument {
        var document = self
        document.name = WorkError.name(of: self)
        return document
    }
}

extension Imposition {
    /// The imposition for an image without a stated size.
    ///
    /// By default, the image is as large as the paper allows.
    ///
    /// PWG 5100.13 §5.2 does not let `auto` enlarge a page, which requires a known size. An image without a size
    /// therefore counts as larger than the paper: it is fitted to the printable area, or fills borderless paper, as
    /// printers do with photos from cameras. The same image printed directly on a simulated printer gives the same
    /// result.
    var fittingImages: Imposition {
        var fitting = self
        // Pages that share a side are always fitted to their cells.
        if numberUp.count == 1 { fitting.scaling = scaling.settled(isLarger: true, isBorderless: paper.isBorderless) }
        return fitting
    }
}
