// Draws form fields and annotations that have no appearance.

import PrintModel
import PrintRaster

/// Pages with the annotations that have no appearance, to be laid over the original pages.
///
/// A field with a value but no appearance, or a highlight without an appearance, is drawn as in viewers: libqpdf
/// extracts these annotations from their pages, poppler draws them into a PDF, and its pages become overlays.
struct AnnotationOverlays {
    /// The overlay documents.
    ///
    /// They follow the documents of the job, in this order.
    private(set) var documents: [OpenDocument] = []
    /// Messages about annotations that could not be drawn, one sentence each.
    private(set) var notices: [String] = []

    /// Creates overlays for the chosen pages of documents, and registers them in the documents.
    ///
    /// - Parameter output: The output file. Scratch files are written to its folder.
    init(_ originals: [OpenDocument], pages: [[Int]], beside output: String) {
        for (original, chosen) in zip(originals, pages) {
            let lacking = original.pagesLackingAppearances(among: Set(chosen).sorted())
            guard !lacking.isEmpty else { continue }
            notices += lacking.compactMap { page in
                original.undrawableAnnotation(ofPage: page).map {
                    "page \(page) of \(original.name) has a \($0) annotation without an appearance, which is not printed"
                }
            }
            do {
                let overlay = try Self.overlay(of: original, pages: lacking, beside: output)
                for (index, page) in lacking.enumerated() {
                    original.setOverlay(ofPage: page, document: originals.count + documents.count, page: index + 1)
                }
                documents.append(overlay)
            } catch {
                let list = lacking.prefix(5).map(String.init).joined(separator: ", ") + (lacking.count > 5 ? " …" : "")
                notices.append("annotations without an appearance on page \(list) of \(original.name) are not printed")
            }
        }
    }

    private static func overlay(
        of original: OpenDocument, pages: [Int], beside output: String
    ) throws -> OpenDocument {
        let (bare, drawn) = (ScratchFile(beside: output), ScratchFile(beside: output))
        return try withExtendedLifetime((bare, drawn)) {
            try original.writeAnnotations(ofPages: pages, to: bare.path)
            _ = try PDFDocument(path: bare.path).redraw(to: drawn.path)
            let overlay = try OpenDocument(InputDocument(path: drawn.path, format: .pdf, name: original.name))
            guard try overlay.readPages() == pages.count else { throw WorkError(.damaged, "overlay pages missing") }
            return overlay
        }
    }
}
