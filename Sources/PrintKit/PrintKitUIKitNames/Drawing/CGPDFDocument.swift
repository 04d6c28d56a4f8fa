// PDF documents whose pages are counted from 1.

public import Foundation
public import PrintKit

/// A PDF whose pages can be drawn.
public final class CGPDFDocument {
    /// The document as PrintGraphics opens it.
    public let file: PDFFile

    /// Opens a PDF file that needs no password; `nil` if it cannot be read.
    public init?(_ url: CFURL) {
        guard let file = try? PDFFile(path: url.path) else { return nil }
        self.file = file
    }

    /// The number of pages.
    public var numberOfPages: Int { file.pageCount }

    /// Returns a page, counted from 1; `nil` if the page does not exist.
    public func page(at pageNumber: Int) -> CGPDFPage? {
        file.page(at: pageNumber - 1).map { CGPDFPage($0, of: self) }
    }
}

/// The boxes of a PDF page.
public enum CGPDFBox: Int32, Hashable, Sendable {
    /// The whole page.
    case mediaBox
    /// The part that PDF readers show.
    case cropBox
    /// The part that is printed before the paper is trimmed.
    case bleedBox
    /// The part that remains after the paper is trimmed.
    case trimBox
    /// The part with the meaningful content.
    case artBox
}

/// A page of a PDF.
public final class CGPDFPage {
    /// The page as PrintGraphics draws it.
    public let page: PDFPage
    /// The document that contains the page.
    public let document: CGPDFDocument?

    init(_ page: PDFPage, of document: CGPDFDocument) { (self.page, self.document) = (page, document) }

    /// The number of the page, from 1.
    public var pageNumber: Int { page.index + 1 }

    /// Returns the rectangle of a box, with the origin at the lower left corner of the shown page.
    ///
    /// The rectangle has the size of the rotated crop box for each box, because `drawPDFPage(_:)` draws this part.
    public func getBoxRect(_ box: CGPDFBox) -> CGRect { CGRect(origin: .zero, size: page.size) }
}
