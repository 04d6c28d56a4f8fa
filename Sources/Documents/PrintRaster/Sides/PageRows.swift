// Where the rows of a page come from.

import PrintModel

/// A page that is about to be drawn row by row: by one of the renderers, or as a notice.
enum PageRows {
    /// A page of a document, counted from 0.
    case page(PDFDocument, Int, PageRendering)
    /// The page that takes its place.
    case notice(NoticePage)

    /// Draws the page onto so many pixels, and lends out its rows, a `0xFFRRGGBB` word a pixel.
    ///
    /// - Parameter fromBelow: whether the lowest row comes first.
    /// - Returns: what is wrong with the page, as it follows "because"; nil if nothing is known to be.
    func draw(
        on sheet: RenderedSheet, fromBelow: Bool, _ body: (UnsafePointer<UInt32>) throws(RasterError) -> Void
    ) throws(RasterError) -> String? {
        switch self {
        case .page(let document, let index, let renderer):
            return try document.rows(
                ofPage: index, width: sheet.width, height: sheet.height, fromBelow: fromBelow, with: renderer, body)
        case .notice(let notice):
            try notice.rows(width: sheet.width, height: sheet.height, fromBelow: fromBelow, body)
            return nil
        }
    }
}
