// Converts documents to sheets.
//
// The input is an untrusted file. The output is a description of the document (`inspect`), one PDF whose pages are the
// sides of the sheets (`prepare`), or images of the printed pages (`rasterize`). The steps are independent:
//
//   PrintRaster  PixelPages            converts raster documents to pages of a PDF
//   PrintModel   SheetSequence         assigns pages to the sides of sheets
//                SideLayout            computes the position and size of a page on a side
//   CQPDF        cqpdf_impose          applies the plan to PDF objects without drawing the pages
//   PrintRaster  RasterImageProcessor  draws pages if images are required
//
// The work is done in the calling process. Untrusted documents must be processed in a `print-worker`.

public import PrintModel

/// A worker that inspects and prepares documents in the calling process.
///
///     let worker = DocumentWorker()
///     try await worker.inspect(InputDocument(path: "report.pdf")).pageCount
public struct DocumentWorker: Sendable {
    /// Creates a worker, which keeps no state between calls.
    public init() {}

    /// Returns the format, page count and other properties of a document.
    ///
    /// - Throws: `WorkError` when the file is missing, has an unsupported format, is damaged beyond repair, requires a
    ///   password, or has no pages.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        if let pages = try PixelDocument.pages(of: document) {
            return DocumentSummary(
                format: pages.format, pageCount: pages.pageCount, firstPageSize: pages.firstPageSize,
                notices: pages.notices)
        }
        let (pdf, count): (OpenDocument, Int)
        do throws(WorkError) {
            pdf = try OpenDocument(document)
            count = try pdf.statedPageCount()
            guard count > 0 else { throw .noPages(in: pdf) }
        } catch {
            guard let summary = RedrawnDocument.summary(of: document, after: error) else { throw error }
            return summary
        }
        return DocumentSummary(
            format: .pdf, pageCount: count, firstPageSize: try pdf.firstPageSize(), isEncrypted: pdf.isEncrypted,
            title: pdf.title, notices: pdf.notices)
    }

    /// Imposes the pages of documents on the sides of one PDF.
    ///
    /// The function writes the file under a temporary name in the same folder, and then renames the file atomically.
    /// The file is not flushed to disk, because after a crash the spooler prepares the job again from the original
    /// document.
    ///
    /// - Throws: `WorkError` for the errors of `inspect`, for page ranges that contain no page of a document, and for
    ///   output that cannot be written.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(WorkError) -> PreparedDocument {
        do throws(WorkError) {
            return try impose(request, progress)
        } catch {
            // If libqpdf cannot copy the pages, the renderer may still be able to draw them.
            guard error.code == .damaged, !request.requiresFidelity else { throw error }
            do throws(WorkError) { return try impose(request, redrawingAfter: error, progress) } catch _ { throw error }
        }
    }

    /// Imposes documents, and draws unreadable documents with poppler first.
    ///
    /// - Parameter failure: The error of an earlier imposition. If `failure` is not nil, poppler draws every document.
    ///   If `failure` is nil, poppler draws only the documents that libqpdf cannot open.
    private func impose(
        _ request: PrepareRequest, redrawingAfter failure: WorkError? = nil,
        _ progress: @escaping @Sendable (WorkProgress) -> Void
    ) throws(WorkError) -> PreparedDocument {
        var documents: [OpenDocument] = []
        for document in request.documents {
            let pdf = try open(document, for: request, redrawingAfter: failure)
            _ = try pdf.readPages()
            if request.requiresFidelity, pdf.missingPages > 0 { throw .missingPages(in: pdf) }
            documents.append(pdf)
        }
        guard !documents.isEmpty else {
            throw WorkError(.noPages, "the job has no document; submit at least one file")
        }
        let chosen = try chosenPages(of: documents, for: request)
        let overlays = AnnotationOverlays(documents, pages: chosen, beside: request.output)
        var imposition = request.imposition
        let pieces = RollPieces(
            pages: zip(documents, chosen).map { pdf, pages in
                pages.map { pdf.hasSize ? pdf.geometry(ofPage: $0).size : nil }
            }, imposition: imposition)
        if let pieces { imposition.paper = pieces.paper }
        let counts = pieces?.counts.map { $0.reduce(0, +) } ?? chosen.map(\.count)
        guard let sides = SheetSequence.sideCount(pages: counts, imposition: imposition),
            sides <= Self.largestSideCount
        else { throw .tooManySides(imposition: imposition) }
        let plan = try ImpositionPlan(
            documents: documents, overlays: overlays.documents, pages: chosen, imposition: imposition, on: pieces,
            cover: request.cover ?? CoverText(), beside: request.output)
        guard !plan.sequence.order.isEmpty else { throw .nothingFrom(imposition.firstImpression) }
        try plan.write(to: request.output, progress: progress)
        var prepared = PreparedDocument(
            impressions: plan.sequence.order.count, sheets: plan.sequence.sheets,
            pages: chosen.reduce(0) { $0 + $1.count }, blankBacks: plan.sequence.blankBacks,
            notices: documents.flatMap(\.notices) + overlays.notices + plan.scaleNotices)
        prepared.pieces = pieces
        return prepared
    }

    /// Returns the pages to print from each document.
    ///
    /// - Throws: `noPages` if a document or, if the documents are joined, the sequence of all pages has no page in the
    ///   ranges; or if `page-set` selects no side.
    private func chosenPages(
        of documents: [OpenDocument], for request: PrepareRequest
    ) throws(WorkError) -> [[Int]] {
        var ranges = request.imposition
        ranges.pageSet = nil
        let counts = documents.map(\.pageCount)
        let inRange = ranges.pages(of: counts)
        let isJoined = ranges.documentJoining != nil
        let missing = isJoined ? (inRange.allSatisfy(\.isEmpty) ? 0 : nil) : inRange.firstIndex(where: \.isEmpty)
        if let missing {
            throw .noChosenPages(
                of: isJoined ? counts.reduce(0, +) : counts[missing], in: request.documents[missing],
                ranges: ranges.pageRanges)
        }
        guard let pageSet = request.imposition.pageSet else { return inRange }
        let chosen = request.imposition.pages(of: counts)
        guard chosen.contains(where: { !$0.isEmpty }) else {
            throw WorkError(.noPages, "the job has no \(pageSet.rawValue) sides (page-set=\(pageSet.rawValue))")
        }
        return chosen
    }

    /// Opens a document and checks that its pages can be read.
    ///
    /// If libqpdf cannot read the document, poppler draws the document into a new PDF.
    private func open(
        _ document: InputDocument, for request: PrepareRequest, redrawingAfter failure: WorkError?
    ) throws(WorkError) -> OpenDocument {
        let output = request.output
        if let pages = try PixelDocument.pages(of: document, requiresFidelity: request.requiresFidelity) {
            return try PixelDocument.open(
                pages, of: document,
                ranges: request.imposition.documentJoining == nil ? request.imposition.pageRanges : .all, beside: output
            )
        }
        if let failure { return try RedrawnDocument.open(document, after: failure, beside: output) }
        do throws(WorkError) {
            let pdf = try OpenDocument(document)
            guard try pdf.readPages() > 0 else { throw .noPages(in: pdf) }
            return pdf
        } catch {
            guard RedrawnDocument.mayHelp(after: error) else { throw error }
            do throws(WorkError) {
                return try RedrawnDocument.open(document, after: error, beside: output)
            } catch _ {
                throw error
            }
        }
    }

    /// The maximum number of printed sides.
    ///
    /// A greater number is probably the result of a mistyped number of copies. The output of such a job would fill the
    /// disk.
    static let largestSideCount = 2_000_000
}
