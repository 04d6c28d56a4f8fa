// Reads and draws the pages of other PDFs.

import CQPDF
import FoundationEssentials
import SafeFiles

/// A PDF whose pages can be drawn (`CGPDFDocument`).
///
/// The object contains libqpdf objects. Therefore the object stays in the isolation domain that opened the file. The
/// file must not change while its pages are in use.
public final class PDFFile {
    /// The path of the file, which must stay there while its pages are drawn.
    ///
    /// For a PDF from data, it is the path of a file in memory that only this process can open, as long as the object
    /// exists.
    public let path: String
    /// The number of pages in the file.
    public let pageCount: Int
    /// The password that was passed to the initializer, or `nil`.
    public let password: String?
    /// The name of the document in messages.
    package let label: String
    let document: OpaquePointer
    /// The file in memory of a PDF from data.
    private let storage: MemoryFile?

    /// Opens a PDF file.
    ///
    /// The password is used only if the document cannot be opened without a password.
    ///
    /// - Throws: `GraphicsError`: `unreadable`, `damaged` or `passwordRequired`.
    public convenience init(path: String, password: String? = nil) throws(GraphicsError) {
        try self.init(path: path, password: password, label: "'\(path)'", storage: nil)
    }

    /// Opens a PDF from data, such as the result of `PDFContext.data`.
    ///
    ///     let file = try PDFFile(data: renderer.pdfData(on: paper))
    ///
    /// The password is used only if the document cannot be opened without a password.
    ///
    /// - Throws: `GraphicsError`: `damaged`, `passwordRequired`, or `writeFailed` if there is no memory for a copy.
    public convenience init(data: some Collection<UInt8>, password: String? = nil) throws(GraphicsError) {
        let storage = try MemoryFile(data)
        try self.init(path: storage.path, password: password, label: "the PDF data", storage: storage)
    }

    private init(path: String, password: String?, label: String, storage: MemoryFile?) throws(GraphicsError) {
        var status = cqpdf_status()
        guard let document = cqpdf_open(path, password, &status) else { throw .pdf(label, path, status) }
        var count = 0
        guard cqpdf_page_count(document, &count, &status) else {
            cqpdf_close(document)
            throw .pdf(label, path, status)
        }
        (self.path, self.password, self.document, pageCount) = (path, password, document, count)
        (self.label, self.storage) = (label, storage)
    }

    deinit { cqpdf_close(document) }

    /// Returns the page with the given zero-based index; `nil` if the page does not exist.
    public func page(at index: Int) -> PDFPage? {
        (0..<pageCount).contains(index) ? PDFPage(file: self, index: index) : nil
    }

    /// Writes pages into a new PDF.
    ///
    /// The file appears only after all data has been written.
    ///
    ///     try PDFFile(path: "book.pdf").write(pages: [0, 4], to: "excerpt.pdf")
    ///
    /// The pages keep their content, links, other annotations and form fields. Links to pages that are not written are
    /// omitted. The outline, attachments and passwords are not copied.
    ///
    /// - Parameters:
    ///   - pages: The indexes of the pages, counting from 0, in output order.
    ///   - path: The path of the new file. An existing file is replaced.
    /// - Throws: `GraphicsError`: `noPages` if no page is given or a page does not exist; `damaged`; `writeFailed`.
    public func write(pages: [Int], to path: String) throws(GraphicsError) {
        guard !pages.isEmpty, pages.allSatisfy((0..<pageCount).contains) else {
            throw GraphicsError(
                .noPages, "invalid page indexes for \(label); give at least one index from 0 to \(pageCount - 1)")
        }
        let output = try AtomicFile(path: path)
        var status = cqpdf_status()
        guard cqpdf_extract(document, pages, pages.count, output.openPath, &status) else {
            throw status.code == CQPDF_UNWRITABLE
                ? .writeFailed(path, cause: status.text) : .pdf(label, self.path, status)
        }
        try output.finish()
    }
}

/// A page of a PDF, which can be drawn (`CGPDFPage`).
public struct PDFPage {
    /// The file that contains the page.
    public let file: PDFFile
    /// The index of the page, counting from 0.
    public let index: Int

    /// The size of the page in points, which is the size of the rotated crop box.
    public var size: Size {
        let box = cqpdf_page_geometry(file.document, index)
        let upright = Size(
            width: (box.right - box.left) * box.user_unit, height: (box.top - box.bottom) * box.user_unit)
        return box.turns % 2 == 0 ? upright : upright.turned
    }

    /// Draws the page into a rectangle of the current context, upright and stretched to fill the rectangle
    /// (`CGContextDrawPDFPage`).
    ///
    /// A PDF context embeds the page with its text. All other contexts convert the page to pixels with their
    /// `pdfRasterizer`, such as `PopplerRasterizer` in the library product `PDFRendering`.
    public func draw(in rect: Rect) { GraphicsContext.current?.draw(self, in: rect) }

    /// Draws the page at its natural size, with its upper left corner at a point.
    public func draw(at point: Point) { draw(in: Rect(origin: point, size: size)) }
}

/// A converter from PDF pages to pixels.
///
/// The library product `PDFRendering` provides `PopplerRasterizer`.
public protocol PDFPageRasterizer {
    /// Returns an image of an upright page with approximately the given size.
    ///
    /// - Parameters:
    ///   - width: The width in pixels at which the page is drawn.
    ///   - height: The height in pixels at which the page is drawn.
    func image(of page: PDFPage, width: Int, height: Int) throws -> Image
}

extension GraphicsContext {
    /// Draws a page of another PDF into a rectangle, upright and stretched to fill the rectangle.
    ///
    /// A bitmap context without a `pdfRasterizer` draws nothing and sets `failure`.
    public func draw(_ page: PDFPage, in rect: Rect) {
        guard cairo != nil else { return handleDrawingWithoutSurface() }
        guard rect.isFinite, !rect.isEmpty, !state.isDegenerate else { return }
        place(page, in: rect)
    }

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
        "cannot draw a PDF page into pixels without a rasterizer; set the context's pdfRasterizer to"
            + " PopplerRasterizer() from the library product PDFRendering")

    static func pdfPageUnreadable(_ page: PDFPage, cause: String) -> GraphicsError {
        GraphicsError(
            .damaged, "cannot draw page \(page.index + 1) of \(page.file.label); the file may be damaged",
            cause: cause)
    }

    static func pdf(_ label: String, _ path: String, _ status: cqpdf_status) -> GraphicsError {
        switch status.code {
        case CQPDF_UNREADABLE: .unreadable(path, cause: status.text)
        case CQPDF_PASSWORD:
            GraphicsError(.passwordRequired, "\(label) is encrypted; provide the password", cause: status.text)
        default:
            GraphicsError(
                .damaged, "cannot read \(label) as a PDF; check the document in another viewer", cause: status.text)
        }
    }
}
