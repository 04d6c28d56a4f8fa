// Documents become sheets.
//
// A document comes in as a file from anywhere; out comes what it is (`inspect`), one PDF whose pages are the sides of
// the sheets to print (`prepare`), or images of what a printer would make of it (`rasterize`). Each step may not know
// the others' business:
//
//   PrintRaster  PixelPages            makes pages of a PDF of documents of pixels
//   PrintModel   SheetSequence         which page lands on which side of which sheet
//                SideLayout            where on the side it lands, and how large
//   CQPDF        cqpdf_impose          carries that plan out on PDF objects; no page is drawn anew
//   PrintRaster  RasterImageProcessor  draws pages, where images are wanted
//
// Work is done where it is called, in the process that calls: hostile documents belong in a `print-worker`.

public import PrintModel

/// Reads and prepares documents in this process.
///
///     let worker = DocumentWorker()
///     try await worker.inspect(InputDocument(path: "report.pdf")).pageCount
public struct DocumentWorker: Sendable {
    /// A worker, which keeps nothing between calls.
    public init() {}

    /// Says what a document is.
    ///
    /// - Throws: `WorkError` when the file is missing, is of no format that is printed, is damaged beyond repair, needs a
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

    /// Imposes documents into one PDF.
    ///
    /// The file appears whole or not at all: it is written under another name in the same folder and renamed. It is not
    /// flushed to disk, because a spooler that crashes prepares the job again from the document it has.
    ///
    /// - Throws: `WorkError` for what `inspect` throws, when the ranges choose no page of a document, and when the
    ///   output cannot be written.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(WorkError) -> PreparedDocument {
        do throws(WorkError) {
            return try impose(request, progress)
        } catch {
            // What libqpdf cannot copy page by page, the renderer may still be able to draw.
            guard error.code == .damaged, !request.requiresFidelity else { throw error }
            do throws(WorkError) { return try impose(request, redrawingAfter: error, progress) } catch _ { throw error }
        }
    }

    /// Imposes documents.
    ///
    /// - Parameter failure: Why imposing failed, when every document is drawn again; otherwise those that cannot be opened
    ///   are.
    private func impose(
        _ request: PrepareRequest, redrawingAfter failure: WorkError? = nil,
        _ progress: @escaping @Sendable (WorkProgress) -> Void
    ) throws(WorkError) -> PreparedDocument {
        var documents: [OpenDocument] = []
        var chosen: [[Int]] = []
        for document in request.documents {
            let pdf = try open(document, for: request, redrawingAfter: failure)
            let count = try pdf.readPages()
            if request.requiresFidelity, pdf.missingPages > 0 { throw .missingPages(in: pdf) }
            let pages = request.imposition.pageRanges.pages(of: count)
            guard !pages.isEmpty else {
                throw .noChosenPages(of: count, in: document, ranges: request.imposition.pageRanges)
            }
            documents.append(pdf)
            chosen.append(pages)
        }
        guard !documents.isEmpty else {
            throw WorkError(.noPages, "the job has no document; submit at least one file")
        }
        let overlays = AnnotationOverlays(documents, pages: chosen, beside: request.output)
        guard let sides = SheetSequence.sideCount(pages: chosen.map(\.count), imposition: request.imposition),
            sides <= Self.largestSideCount
        else { throw .tooManySides(imposition: request.imposition) }
        let plan = ImpositionPlan(
            documents: documents, overlays: overlays.documents, pages: chosen, imposition: request.imposition)
        guard !plan.sequence.order.isEmpty else { throw .nothingFrom(request.imposition.firstImpression) }
        try plan.write(to: request.output, progress: progress)
        return PreparedDocument(
            impressions: plan.sequence.order.count, sheets: plan.sequence.sheets,
            pages: chosen.reduce(0) { $0 + $1.count }, blankBacks: plan.sequence.blankBacks,
            notices: documents.flatMap(\.notices) + overlays.notices)
    }

    /// Opens a document whose pages can be read; one that libqpdf cannot read is drawn again by the renderer.
    private func open(
        _ document: InputDocument, for request: PrepareRequest, redrawingAfter failure: WorkError?
    ) throws(WorkError) -> OpenDocument {
        let output = request.output
        if let pages = try PixelDocument.pages(of: document, requiresFidelity: request.requiresFidelity) {
            return try PixelDocument.open(
                pages, of: document, ranges: request.imposition.pageRanges, beside: output)
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

    /// More sides than this come from a mistyped number of copies, and would fill the disk.
    static let largestSideCount = 2_000_000
}
