// Embeds pages of other PDFs. Cairo writes a marker image, and libqpdf replaces the image with the page.

import CCairo
import FoundationEssentials

/// A namespace for marker images, which libqpdf replaces with pages of other PDFs.
///
/// A marker image has 2 × 2 pixels, and its data contains a unique name.
enum FormMarker {
    /// Returns a minimal JPEG without image data: a comment that contains the name, followed by a frame header.
    static func jpeg(_ name: String) -> [UInt8] {
        let text = Array(name.utf8)
        return [0xFF, 0xD8, 0xFF, 0xFE, 0, UInt8(text.count + 2)] + text
            + [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 2, 1, 1, 0x11, 0] + [0xFF, 0xD9]
    }
}

extension PDFContext {
    /// The same page always has the same marker.
    func drawMarker(of page: PDFPage, in rect: Rect) {
        if let known = extras.forms.first(where: { $0.page.file === page.file && $0.page.index == page.index }) {
            return draw(known.image, in: rect)
        }
        do throws(GraphicsError) {
            let name = "printgraphics-page-\(UUID().uuidString)"
            let content = try ImageContent(jpeg: ImageBytes(Data(FormMarker.jpeg(name))), width: 2, height: 2)
            let image = Image(content: content, scale: 1)
            extras.forms.append((name, page, image))
            draw(image, in: rect)
        } catch {
            note(error)
        }
    }
}
