// Detects marks that the printer would cut off, and damaged data in pages.

public import PrintModel
import PrintRaster

extension DocumentWorker {
    /// Searches for content in the unprintable margins, and returns a notice if a page has content there, and one about
    /// the first page with damaged data.
    ///
    /// The function draws one page after the other, and stops after 0.3 seconds. The function ignores pages that cannot
    /// be drawn. The function draws no pages if the pages are scaled to the printable area, or if a side has several
    /// pages. The function also draws no pages if the margins are narrower than a pixel, or if the document converters
    /// kept the margins free.
    ///
    /// - Parameters:
    ///   - request: The request for which the document was prepared.
    ///   - document: The prepared document.
    @Sendable
    public static func marginNotices(_ request: PrepareRequest, _ document: PreparedDocument) -> [String] {
        let imposition = request.imposition
        let paper = document.pieces?.paper ?? imposition.paper
        guard paper.hasVisibleMargins, imposition.scaling != .fit || imposition.scalePercent != nil,
            imposition.numberUp.count == 1, !request.keepsMargins, let pdf = try? PDFDocument(path: request.output)
        else { return [] }
        let sides = min(pdf.pageCount, document.impressions / max(1, imposition.copies))
        let end = ContinuousClock.now + .milliseconds(300)
        var (seen, cut) = (0, 0)
        var damage: String?
        for side in 0..<sides where seen == 0 || ContinuousClock.now < end {
            seen += 1
            guard let found = try? pdf.review(page: side, outside: paper.printableRect) else { continue }
            if found.hasMarks { cut += 1 }
            damage = damage ?? found.notice
        }
        let notices = damage.map { [$0] } ?? []
        guard cut > 0 else { return notices }
        // Blank backs do not count as pages.
        let scope =
            if seen < sides { "\(cut) of the first \(seen) pages" } else if document.pages == 1 { "the page" } else {
                "\(cut) of \(document.pages) pages"
            }
        return notices + [
            "content on \(scope) is in the unprintable margin and will be cut off; print with '--scaling fit'"
        ]
    }
}

extension PrintPaper {
    /// Whether the widest margin covers at least one pixel at the resolution at which `hasMarks` draws pages.
    fileprivate var hasVisibleMargins: Bool { margins.widest.points >= 72 / PDFDocument.marginResolution }
}

extension PrepareRequest {
    /// Whether the pages keep the margins of the paper free.
    ///
    /// The value is true if the converters made the pages for this paper and its margins, and the imposition does not
    /// change the pages.
    fileprivate var keepsMargins: Bool {
        guard !documents.isEmpty, documents.allSatisfy({ $0.conversion?.keepsMargins == true }),
            imposition.booklet == nil, imposition.poster == nil, imposition.texts == nil
        else { return false }
        let layout = conversion ?? ConversionLayout(paper: imposition.paper)
        let (page, paper) = (layout.pageSize, imposition.paper.paperSize)
        // A converter may have turned the page.
        return layout.margins.widest >= imposition.paper.margins.widest
            && (page.isClose(to: paper) || page.turned.isClose(to: paper))
    }
}

extension Size {
    fileprivate func isClose(to other: Size) -> Bool {
        abs(width - other.width) < 0.1 && abs(height - other.height) < 0.1
    }
}
