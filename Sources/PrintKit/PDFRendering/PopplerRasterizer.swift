// PDF pages as images, drawn by poppler.
//
// Poppler is under the GPL. A program that links this module is bound by the GPL.

public import PrintGraphics
import PrintRaster
import Synchronization

/// A rasterizer that draws PDF pages into bitmap contexts with poppler.
///
/// Pages of PDFs, and HTML that a `MarkupTextPrintFormatter` laid out, need a rasterizer in a `BitmapContext`:
///
///     let bitmap = try BitmapContext(size: page.size, scale: 2)
///     bitmap.pdfRasterizer = PopplerRasterizer()
///     bitmap.draw(page, in: Rect(origin: .zero, size: page.size))
///     try bitmap.makeImage().writePNG(to: "page.png")
///
/// A page is drawn on transparent pixels: where the page has no ink, the image shows what lies behind it. Annotations are
/// drawn if they are printed.
///
/// Poppler parses the file in the calling process. For files from strangers, use a process with few rights. Poppler is under
/// the GPL, and a program that links this module may be passed on only under the terms of the GPL.
public struct PopplerRasterizer: PDFPageRasterizer {
    /// The most pixels of an image; a page that would need more is drawn with a lower resolution.
    ///
    /// While a page is drawn, each pixel takes up to 12 bytes of memory.
    public var maximumPixels: Int

    /// Poppler's documents share font libraries, which are not safe to use from several threads at a time.
    private static let oneAtATime = Mutex<Void>(())

    /// Creates a rasterizer.
    ///
    /// - Parameter maximumPixels: The most pixels of an image, at least 1; 100 million by default, which is A3 at 700 dpi.
    public init(maximumPixels: Int = 100_000_000) {
        precondition(maximumPixels > 0, "an image has at least 1 pixel, but maximumPixels is \(maximumPixels)")
        self.maximumPixels = maximumPixels
    }

    /// Returns an image of a page as shown, stretched to the size asked for.
    ///
    /// The file is opened with the password of the page's `PDFFile`.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - width: The width of the image in pixels, unless `maximumPixels` allows less.
    ///   - height: The height of the image in pixels, unless `maximumPixels` allows less.
    /// - Throws: `GraphicsError`: `passwordRequired`, `damaged` when the file or the page cannot be read, or `tooLarge` when
    ///   there is not enough memory. `cause` has poppler's message.
    public func image(of page: PDFPage, width: Int, height: Int) throws -> Image {
        let size = size(width: width, height: height)
        return try Image(width: size.width, height: size.height, rgba: pixels(of: page, size))
    }

    /// Returns the pixels of a page, four bytes each.
    private func pixels(of page: PDFPage, _ size: (width: Int, height: Int)) throws(GraphicsError) -> [UInt8] {
        let pixels: [UInt8]?
        do throws(RasterError) {
            pixels = try Self.oneAtATime.withLock { _ throws(RasterError) in
                let document = try PDFDocument(path: page.file.path, password: page.file.password)
                guard page.index < document.pageCount else { return nil }
                return try document.renderTransparent(page: page.index, width: size.width, height: size.height)
            }
        } catch {
            throw GraphicsError(error, drawing: page)
        }
        // The file has changed since it was opened.
        guard let pixels else {
            throw GraphicsError(
                .damaged,
                "'\(page.file.path)' has no page \(page.index + 1) any more; leave it as it is while it is drawn")
        }
        return pixels
    }

    /// Returns the size of the image: the size asked for, or a smaller one of the same shape.
    private func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let (wide, high) = (Double(max(width, 1)), Double(max(height, 1)))
        let most = Double(PDFDocument.mostPixelsASide)
        let scale = min(1, most / wide, most / high, (Double(maximumPixels) / (wide * high)).squareRoot())
        guard scale < 1 else { return (max(width, 1), max(height, 1)) }
        return (max(1, Int(wide * scale)), max(1, Int(high * scale)))
    }
}

extension GraphicsError {
    /// The same failure as an error of PrintGraphics.
    fileprivate init(_ error: RasterError, drawing page: PDFPage) {
        let code: Code =
            switch error.code {
            case .encrypted: .passwordRequired
            case .tooLarge: .tooLarge
            case .unreadable, .empty, .writeFailed: .damaged
            }
        self.init(
            code, "page \(page.index + 1) of '\(page.file.path)' cannot be drawn into pixels: \(error.message)",
            cause: error.cause)
    }
}
