// Pages of other PDFs.

import CQPDF
import FoundationEssentials

/// A PDF whose pages can be drawn (`CGPDFDocument`).
///
/// It holds libqpdf's objects, so it stays in the isolation domain that opened it. The file must stay as it is while it is
/// drawn.
public final class PDFFile {
    /// Where it lies.
    public let path: String
    /// How many pages it has.
    public let pageCount: Int
    /// The password that it was opened with, if any.
    public let password: String?
    let document: OpaquePointer

    /// Opens a PDF.
    ///
    /// The password is tried only when the document does not open without one.
    ///
    /// - Throws: `unreadable`, `damaged` or `passwordRequired`.
    public init(path: String, password: String? = nil) throws(GraphicsError) {
        var status = cqpdf_status()
        guard let document = cqpdf_open(path, password, &status) else { throw .pdf(path, status) }
        var count = 0
        guard cqpdf_page_count(document, &count, &status) else {
            cqpdf_close(document)
            throw .pdf(path, status)
        }
        (self.path, self.password, self.document, pageCount) = (path, password, document, count)
    }

    deinit { cqpdf_close(document) }

    /// A page, counting from 0; `nil` when there is none of that number.
    public func page(at index: Int) -> PDFPage? {
        (0..<pageCount).contains(index) ? PDFPage(file: self, index: index) : nil
    }

    /// Writes some of the pages into a new PDF, which appears whole or not at all.
    ///
    ///     try PDFFile(path: "book.pdf").write(pages: [0, 4], to: "excerpt.pdf")
    ///
    /// Pages stay as they are, with their links, other annotations and form fields. A link to a page that is not among them is
    /// left out. Outline, attachments and a password stay behind.
    ///
    /// - Parameters:
    ///   - pages: The pages by their numbers, counting from 0, in the order in which they are written.
    ///   - path: The new file; a file of that name is replaced.
    /// - Throws: `noPages` when no page is named, or one that does not exist; `damaged`; `writeFailed`.
    public func write(pages: [Int], to path: String) throws(GraphicsError) {
        guard !pages.isEmpty, pages.allSatisfy((0..<pageCount).contains) else {
            throw GraphicsError(
                .noPages, "the pages are not in '\(self.path)'; name some of its pages, from 0 to \(pageCount - 1)")
        }
        let output = try OutputFile(path: path)
        var status = cqpdf_status()
        guard cqpdf_extract(document, pages, pages.count, output.temporaryPath, &status) else {
            throw status.code == CQPDF_UNWRITABLE
                ? .writeFailed(path, cause: status.text) : .pdf(self.path, status)
        }
        try output.finish()
    }
}

/// A page of a PDF, which can be drawn (`CGPDFPage`).
public struct PDFPage {
    /// The file it belongs to.
    public let file: PDFFile
    /// Its number, counting from 0.
    public let index: Int

    /// Its size as shown: the crop box, turned by its rotation, in points.
    public var size: Size {
        let box = cqpdf_page_geometry(file.document, index)
        let upright = Size(
            width: (box.right - box.left) * box.user_unit, height: (box.top - box.bottom) * box.user_unit)
        return box.turns % 2 == 0 ? upright : upright.turned
    }

    /// Draws the page into a rectangle of the current context, upright and stretched to fill it (`CGContextDrawPDFPage`).
    ///
    /// In a PDF it stays what it is, also its text. Elsewhere the context's `pdfRasterizer` makes pixels of it, such as
    /// `PopplerRasterizer` of the library product `PDFRendering`.
    public func draw(in rect: Rect) { GraphicsContext.current?.draw(self, in: rect) }

    /// Draws the page in its own size, its upper left corner at a point.
    public func draw(at point: Point) { draw(in: Rect(origin: point, size: size)) }
}

/// A PDF renderer for contexts of pixels.
///
/// The library product `PDFRendering` has one, `PopplerRasterizer`.
public protocol PDFPageRasterizer {
    /// An image of a page as shown, of about the size asked for.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - width: How many pixels wide it will be seen.
    ///   - height: How many pixels high it will be seen.
    func image(of page: PDFPage, width: Int, height: Int) throws -> Image
}

extension GraphicsContext {
    /// Draws a page of another PDF into a rectangle, upright and stretched to fill it.
    ///
    /// In a context of pixels without a `pdfRasterizer` nothing is drawn, and `failure` says so.
    public func draw(_ page: PDFPage, in rect: Rect) {
        guard cairo != nil else { return noteNothingOpen() }
        guard rect.isFinite, !rect.isEmpty, !state.isDegenerate else { return }
        place(page, in: rect)
    }

    /// Draws a page by way of the port.
    func rasterize(_ page: PDFPage, in rect: Rect) {
        guard let pdfRasterizer else { return note(.noRasterizer) }
        let fineness = resolution * abs(state.transform.determinant).squareRoot()
        func pixels(_ length: Double) -> Int { Int(max(1, min(length * fineness, 20_000)).rounded(.up)) }
        do {
            draw(try pdfRasterizer.image(of: page, width: pixels(rect.width), height: pixels(rect.height)), in: rect)
        } catch {
            note((error as? GraphicsError) ?? .pdfPageUnreadable(page, cause: "\(error)"))
        }
    }
}

extension GraphicsError {
    static let noRasterizer = GraphicsError(
        .noRasterizer,
        "a PDF page was drawn into pixels without a rasterizer; set the context's pdfRasterizer to PopplerRasterizer() of the"
            + " library product PDFRendering")

    static func pdfPageUnreadable(_ page: PDFPage, cause: String) -> GraphicsError {
        GraphicsError(
            .damaged, "page \(page.index + 1) of '\(page.file.path)' cannot be drawn; the file may be damaged",
            cause: cause)
    }

    fileprivate static func pdf(_ path: String, _ status: cqpdf_status) -> GraphicsError {
        switch status.code {
        case CQPDF_UNREADABLE: .unreadable(path, cause: status.text)
        case CQPDF_PASSWORD:
            GraphicsError(.passwordRequired, "'\(path)' is encrypted; give its password", cause: status.text)
        default:
            GraphicsError(
                .damaged, "'\(path)' cannot be read as a PDF; check that it opens in another viewer", cause: status.text
            )
        }
    }
}
