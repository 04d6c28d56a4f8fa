// Draws a page row by row.

import PrintModel

/// A page to draw row by row: a page of a document, or a notice page.
enum PageRows {
    /// A page of a document, counted from 0.
    case page(PDFDocument, Int, PageRendering)
    /// The page that replaces a page that cannot be drawn.
    case notice(NoticePage)

    /// Draws the page at the sheet's size and passes each row to `body` as `0xFFRRGGBB` words, one for each pixel.
    ///
    /// - Parameter fromBelow: Whether the lowest row comes first.
    /// - Returns: The known defect of the drawn page, as a clause that follows "because"; nil if there is none.
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
