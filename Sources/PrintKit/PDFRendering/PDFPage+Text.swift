// Reads the text of PDFs with poppler, which knows the encodings and the reading order of text.

public import PrintGraphics
import PrintRaster

extension PDFPage {
    /// Returns the text of the page in reading order, with a newline after each line; empty if the page has no text.
    ///
    /// The function is in the module `PDFRendering`, because poppler reads the text: codes of glyphs become characters
    /// only with the encodings, maps and widths of all kinds of fonts. Poppler is under the GPL (`PopplerRasterizer`).
    ///
    /// - Throws: `GraphicsError`: `passwordRequired`, or `damaged` if the file or the page cannot be read.
    public func text() throws(GraphicsError) -> String {
        try PopplerRasterizer.withDocument(of: self) { document throws(RasterError) in
            try document.texts(ofPages: index..<index + 1)[0]
        }
    }
}

extension PDFFile {
    /// Returns the text of each page, as `PDFPage.text()` does.
    ///
    /// - Throws: `GraphicsError`: `passwordRequired`, or `damaged` if the file or a page cannot be read.
    public func text() throws(GraphicsError) -> [String] {
        guard let first = page(at: 0) else { return [] }
        return try PopplerRasterizer.withDocument(of: first) { document throws(RasterError) in
            try document.texts(ofPages: 0..<document.pageCount)
        }
    }
}
