// Form fields and annotations without an appearance, drawn by the renderer.

import PrintModel
import PrintRaster

/// Pages that show the annotations which lack an appearance, laid over the pages that they belong to.
///
/// A field with a value and no appearance, or a highlight without one, is drawn as viewers draw it: libqpdf takes these
/// annotations out of their pages, poppler draws them into a PDF, and its pages become overlays.
struct AnnotationOverlays {
    /// The documents of the overlays, in the order in which they follow the job's documents.
    private(set) var documents: [OpenDocument] = []
    /// What could not be drawn, a sentence each.
    private(set) var notices: [String] = []

    /// Makes overlays for the chosen pages of documents, and tells the documents of them.
    ///
    /// - Parameter output: The file beside which scratch files are written.
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
            guard try overlay.readPages() == pages.count else { throw WorkError(.damaged, "an overlay lacks pages") }
            return overlay
        }
    }
}
