// Draws a page row by row.

import PrintModel

/// A page that is drawn row by row: a page of a document, or a notice page.
enum PageRows {
    /// A page of a document, selected by its zero-based index.
    case page(PDFDocument, Int, PageRendering)
    /// A notice page, which replaces a page that cannot be drawn.
    case notice(NoticePage)

    /// Draws the page at the sheet's size and passes each row to `body`.
    ///
    /// - Parameter fromBelow: Whether the rows are passed from bottom to top.
    /// - Returns: The known defect of the drawn page; nil if the page has no known defect.
    func draw(
        on sheet: RenderedSheet, fromBelow: Bool, _ body: (PixelRow) throws(RasterError) -> Void
    ) throws(RasterError) -> PageDefect? {
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
