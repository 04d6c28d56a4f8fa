// Draws form fields and annotations that have no appearance.

import PrintModel
import PrintRaster

/// A generator of overlay pages for annotations without an appearance.
///
/// A form field or a highlight can lack an appearance, but PDF viewers still display such annotations. libqpdf copies
/// such annotations into a separate PDF, and poppler draws the annotations. The drawn pages are laid over the original
/// pages.
struct AnnotationOverlays {
    /// The overlay documents, in the order of the imposition plan.
    ///
    /// In the plan, the overlay documents follow the documents of the job.
    private(set) var documents: [OpenDocument] = []
    /// Messages about annotations that could not be drawn, one sentence each.
    private(set) var notices: [String] = []

    /// Creates overlays for the chosen pages of documents, and registers the overlays in the documents.
    ///
    /// - Parameter output: The output file, whose folder receives the scratch files.
    init(_ originals: [OpenDocument], pages: [[Int]], beside output: String) {
        for (original, chosen) in zip(originals, pages) {
            let lacking = original.pagesLackingAppearances(among: Set(chosen).sorted())
            guard !lacking.isEmpty else { continue }
            notices += lacking.compactMap { page in
                original.undrawableAnnotation(ofPage: page).map {
                    "a \($0) annotation without an appearance on page \(page) of \(original.name) is not printed"
                }
            }
            do {
                let overlay = try Self.overlay(of: original, pages: lacking, beside: output)
                for (index, page) in lacking.enumerated() {
                    original.setOverlay(ofPage: page, document: originals.count + documents.count, page: index + 1)
                }
                documents.append(overlay)
            } catch {
                notices.append(Self.notice(ofPages: lacking, of: original.name))
            }
        }
    }

    /// Returns the notice about pages whose annotations are not printed.
    ///
    /// The notice contains at most five page numbers.
    static func notice(ofPages pages: [Int], of document: String) -> String {
        let list = pages.prefix(5).map(String.init).joined(separator: ", ") + (pages.count > 5 ? " …" : "")
        let noun = pages.count == 1 ? "page" : "pages"
        return "annotations without an appearance on \(noun) \(list) of \(document) are not printed"
    }

    private static func overlay(
        of original: OpenDocument, pages: [Int], beside output: String
    ) throws -> OpenDocument {
        let (bare, drawn) = (ScratchFile(beside: output), ScratchFile(beside: output))
        return try withExtendedLifetime((bare, drawn)) {
            try original.writeAnnotations(ofPages: pages, to: bare.path)
            _ = try PDFDocument(path: bare.path).redraw(to: drawn.path)
            let overlay = try OpenDocument(InputDocument(path: drawn.path, format: .pdf, name: original.name))
            guard try overlay.readPages() == pages.count else {
                throw WorkError(.damaged, "some pages with annotation overlays could not be read")
            }
            return overlay
        }
    }
}
