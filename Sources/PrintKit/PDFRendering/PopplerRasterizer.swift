// Draws PDF pages as images with poppler.
//
// Poppler is licensed under the GPL. Programs that link this module must comply with the GPL.

public import PrintGraphics
import PrintRaster
import Synchronization

/// A rasterizer that draws PDF pages into bitmap contexts with poppler.
///
/// A `BitmapContext` needs a rasterizer for pages of PDFs and for HTML that a `MarkupTextPrintFormatter` laid out:
///
///     let bitmap = try BitmapContext(size: page.size, scale: 2)
///     bitmap.pdfRasterizer = PopplerRasterizer()
///     bitmap.draw(page, in: Rect(origin: .zero, size: page.size))
///     try bitmap.makeImage().writePNG(to: "page.png")
///
/// A page is drawn on transparent pixels, so the background shows where the page has no ink. Only annotations with the
/// print flag are drawn.
///
/// Poppler parses the file in the calling process. For untrusted files, use a sandboxed process. Poppler is licensed
/// under the GPL. Programs that link this module can be distributed only under the terms of the GPL.
public struct PopplerRasterizer: PDFPageRasterizer {
    /// The maximum number of pixels of an image.
    ///
    /// Pages that need more pixels are drawn at a lower resolution.
    ///
    /// While a page is drawn, each pixel takes up to 12 bytes of memory.
    public var maximumPixels: Int

    /// A lock for calls to poppler: only one thread at a time can use poppler.
    ///
    /// Poppler's documents share font libraries that are not thread-safe.
    private static let oneAtATime = Mutex<Void>(())

    /// Creates a rasterizer.
    ///
    /// - Parameter maximumPixels: The maximum number of pixels of an image, at least 1. The default is 100 million,
    ///   which is A3 at 700 dpi.
    public init(maximumPixels: Int = 100_000_000) {
        precondition(maximumPixels > 0, "maximumPixels must be at least 1, but is \(maximumPixels)")
        self.maximumPixels = maximumPixels
    }

    /// Returns an image of an upright page, stretched to the given size.
    ///
    /// The file is opened with the password of the page's `PDFFile`.
    ///
    /// - Parameters:
    ///   - width: The width of the image in pixels. `maximumPixels` can reduce the width.
    ///   - height: The height of the image in pixels. `maximumPixels` can reduce the height.
    /// - Throws: `GraphicsError`: `passwordRequired`; `damaged` if the file or the page cannot be read; `tooLarge` if
    ///   there is not enough memory. `cause` contains poppler's message.
    public func image(of page: PDFPage, width: Int, height: Int) throws -> Image {
        let size = size(width: width, height: height)
        return try Image(width: size.width, height: size.height, rgba: pixels(of: page, size))
    }

    /// Returns the pixels of a page.
    ///
    /// Each pixel has four bytes.
    private func pixels(of page: PDFPage, _ size: (width: Int, height: Int)) throws(GraphicsError) -> [UInt8] {
        try Self.withDocument(of: page) { document throws(RasterError) in
            try document.renderTransparent(page: page.index, width: size.width, height: size.height)
        }
    }

    /// Runs the body with poppler's document of a page, while no other thread uses poppler.
    static func withDocument<Value: Sendable>(
        of page: PDFPage, _ body: (PDFDocument) throws(RasterError) -> Value
    ) throws(GraphicsError) -> Value {
        let value: Value?
        do throws(RasterError) {
            value = try oneAtATime.withLock { _ throws(RasterError) in
                let document = try PDFDocument(path: page.file.path, password: page.file.password)
                return page.index < document.pageCount ? try body(document) : nil
            }
        } catch {
            throw GraphicsError(error, reading: page)
        }
        // The file has changed since it was opened.
        guard let value else {
            throw GraphicsError(
                .damaged,
                "page \(page.index + 1) of \(page.file.label) no longer exists; do not change the file during use")
        }
        return value
    }

    /// Returns the given size in pixels, reduced to the limits of the rasterizer.
    ///
    /// A reduced size has the same aspect ratio. The limits are `maximumPixels` and poppler's limit for each side.
    private func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let (wide, high) = (Double(max(width, 1)), Double(max(height, 1)))
        let most = Double(PDFDocument.mostPixelsASide)
        let scale = min(1, most / wide, most / high, (Double(maximumPixels) / (wide * high)).squareRoot())
        guard scale < 1 else { return (max(width, 1), max(height, 1)) }
        return (max(1, Int(wide * scale)), max(1, Int(high * scale)))
    }
}

extension GraphicsError {
    fileprivate init(_ error: RasterError, reading page: PDFPage) {
        let code: Code =
            switch error.code {
            case .encrypted: .passwordRequired
            case .tooLarge: .tooLarge
            case .unreadable, .empty, .writeFailed: .damaged
            }
        self.init(
            code, "cannot read page \(page.index + 1) of \(page.file.label): \(error.message)",
            cause: error.cause)
    }
}
