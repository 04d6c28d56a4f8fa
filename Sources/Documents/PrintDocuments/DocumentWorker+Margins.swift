// Detects marks that the printer would cut off.

public import PrintModel
import PrintRaster

extension DocumentWorker {
    /// Searches for marks in the unprintable margin.
    ///
    /// Returns a notice if the pages have marks in that margin.
    ///
    /// Only pages that keep their size can have such marks. Pages are drawn one by one for 0.3 seconds. The remaining
    /// pages of a long document are not checked. Pages that cannot be drawn are ignored.
    ///
    /// - Parameters:
    ///   - request: The request for which the document was prepared.
    ///   - document: The prepared document.
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
        // Blank backs do not count as pages.
        let scope =
            if seen < sides { "\(cut) of the first \(seen) pages" } else if document.pages == 1 { "the page" } else {
                "\(cut) of \(document.pages) pages"
            }
        return ["marks on \(scope) lie in the margin that the printer cannot print on; print with '--scaling fit'"]
    }
}
