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
    /// Returns nil if the document is not a raster document.
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
    ///   - ranges: The pages to print. The function leaves all other pages empty.
    ///   - output: The output file of the preparation, which this function does not write. The PDF is a temporary file
    ///     in the same folder, and is deleted as soon as it is open.
    static func open(
        _ pages: PixelPages, of document: InputDocument, ranges: PageRanges, beside output: String
    ) throws(WorkError) -> OpenDocument {
        let scratch = ScratchFile(beside: output)
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            try pages.writePDF(to: scratch.path, pages: ranges)
            return try OpenDocument(
                InputDocument(path: scratch.path, format: .pdf, name: document.nameInMessages),
                notices: pages.notices, hasSize: pages.hasSize, isImage: true)
        }
    }
}

extension InputDocument {
    /// A copy of this document, in which `name` is the display name for messages.
    fileprivate var named: InputDocument {
        var document = self
        document.name = nameInMessages
        return document
    }
}

extension Imposition {
    /// The imposition for an image without a stated size.
    ///
    /// By default, the image is scaled to the largest size that fits the paper.
    ///
    /// The scaling `auto` enlarges no page whose size is known (PWG 5100.13 §5.2). An image without a size is treated
    /// as larger than the paper. Therefore the image is scaled to fit the printable area, or to fill the paper if the
    /// paper is borderless. A simulated printer produces the same result if it receives the image directly.
    var fittingImages: Imposition {
        var fitting = self
        // Pages that share a side are always fitted to their cells.
        if numberUp.count == 1 { fitting.scaling = scaling.settled(isLarger: true, isBorderless: paper.isBorderless) }
        return fitting
    }
}
