// Marks that a printer cuts off.

public import PrintModel
import PrintRaster

extension DocumentWorker {
    /// Looks for marks in the margins that a printer cannot print on, and returns a notice when there are any.
    ///
    /// Only pages that keep their size can have such marks. Pages are drawn one after the other for 0.3 seconds; the
    /// rest of a long document is not looked at. What cannot be drawn is left out.
    ///
    /// - Parameters:
    ///   - request: The request that the document was prepared for.
    ///   - document: What was prepared.
    @Sendable
    public static func marginNotices(_ request: PrepareRequest, _ document: PreparedDocument) -> [String] {
        let imposition = request.imposition
        guard !imposition.paper.isBorderless, imposition.scaling != .fit, imposition.numberUp.count == 1,
            let pdf = try? PDFDocument(path: request.output)
        else { return [] }
        let sides = min(pdf.pageCount, document.impressions / max(1, imposition.copies))
        let end = ContinuousClock.now + .milliseconds(300)
        var (seen, cut) = (0, 0)
        for side in 0..<sides where seen == 0 || ContinuousClock.now < end {
            seen += 1
            let isCut = try? pdf.hasMarks(outside: imposition.paper.printableRect, onPage: side)
            if isCut == true { cut += 1 }
        }
        guard cut > 0 else { return [] }
        // Blank backs are no pages.
        let scope =
            if seen < sides { "\(cut) of the first \(seen) pages" } else if document.pages == 1 { "the page" } else {
                "\(cut) of \(document.pages) pages"
            }
        return ["marks on \(scope) lie in the margin that the printer cannot print on; '--scaling fit' keeps them"]
    }
}
