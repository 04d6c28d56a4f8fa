// What a printer would make of a document, as images.

import FoundationEssentials
import Glibc
public import PrintModel
import PrintRaster

extension DocumentWorker {
    /// Turns a PDF into page images, as a printer would put them on its paper.
    ///
    /// A page that fits the paper stays as it is, a larger one is made to fit the printable area (`auto-fit`): what was
    /// prepared for this paper is not touched again. Outside of the printable area nothing is printed.
    ///
    /// - Throws: `WorkError` for what `inspect` throws, when the ranges choose no page, when a page cannot be drawn, and
    ///   when a file cannot be written.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(WorkError) -> RasterizedDocument {
        let document = try OpenDocument(request.document)
        let count = try document.readPages()
        guard count > 0 else { throw .noPages(in: document) }
        let pages = request.pageRanges.pages(of: count)
        guard !pages.isEmpty else {
            throw .noChosenPages(of: count, in: request.document.path, ranges: request.pageRanges)
        }
        let sides = try write(pages, of: document, onto: request)
        let images = try draw(pages, of: document, onto: request, progress: progress)
        return RasterizedDocument(pages: images, impressions: sides.order.count, sheets: sides.sheets)
    }

    /// Writes all sides of all copies as they come out, if that is wanted.
    private func write(
        _ pages: [Int], of document: OpenDocument, onto request: RasterizeRequest
    ) throws(WorkError) -> SheetSequence {
        let imposition = Imposition(
            paper: request.paper, copies: request.copies, collated: request.collated, scaling: .autoFit,
            duplex: request.duplex)
        guard let sides = SheetSequence.sideCount(pages: [pages.count], imposition: imposition),
            sides <= Self.largestSideCount
        else { throw .tooManySides(imposition: imposition) }
        let plan = ImpositionPlan(
            documents: [document], pages: [pages], imposition: imposition, isPrinted: true, isGray: request.monochrome)
        if let sheets = request.sheets { try plan.write(to: sheets) { _ in } }
        return plan.sequence
    }

    /// Draws each page once.
    private func draw(
        _ pages: [Int], of document: OpenDocument, onto request: RasterizeRequest,
        progress: @escaping @Sendable (WorkProgress) -> Void
    ) throws(WorkError) -> [PageImage] {
        let path = "\(request.outputFolder)/.sides-\(UUID().uuidString).pdf"
        defer { unlink(path) }
        try ImpositionPlan(
            documents: [document], pages: [pages], imposition: Imposition(paper: request.paper, scaling: .autoFit)
        ).write(to: path) { _ in }
        let sides: PDFDocument
        do {
            sides = try PDFDocument(path: path)
        } catch {
            throw .drawing(document.name, page: nil, error)
        }
        var images: [PageImage] = []
        for (index, page) in pages.enumerated() {
            guard !Task.isCancelled else { throw WorkError(.canceled, "the work was canceled") }
            do {
                images.append(try image(ofSide: index, of: sides, page: page, request))
            } catch {
                throw .drawing(document.name, page: page, error)
            }
            progress(WorkProgress(page: index + 1, total: pages.count))
        }
        return images
    }

    private func image(
        ofSide index: Int, of sides: PDFDocument, page: Int, _ request: RasterizeRequest
    ) throws(RasterError) -> PageImage {
        let dpi = Double(max(1, request.resolution))
        var bitmap = try sides.render(page: index, dpi: dpi)
        let lost = bitmap.clip(to: PixelRect(request.paper.printableRect, dpi: dpi))
        if request.monochrome { bitmap.convertToGray() }
        let digits = String(page)
        let file = "page-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".png"
        try bitmap.writePNG(to: "\(request.outputFolder)/\(file)", dpi: dpi)
        return PageImage(
            page: page, file: file, width: bitmap.width, height: bitmap.height, clipped: lost.names,
            isBlank: bitmap.isBlank)
    }
}

extension PixelRect {
    /// All pixels that a rectangle in points touches, so that what ends at its edge is not taken for lost.
    fileprivate init(_ rect: Rect, dpi: Double) {
        let scale = dpi / 72
        let (left, top) = ((rect.minX * scale).rounded(.down), (rect.minY * scale).rounded(.down))
        self.init(
            x: Int(left), y: Int(top), width: Int((rect.maxX * scale).rounded(.up) - left),
            height: Int((rect.maxY * scale).rounded(.up) - top))
    }
}

extension PageEdges {
    fileprivate var names: [PageImage.Edge] {
        let all: [(PageEdges, PageImage.Edge)] = [(.top, .top), (.left, .left), (.bottom, .bottom), (.right, .right)]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension WorkError {
    /// A page could not be drawn, or its image not be written.
    fileprivate static func drawing(_ name: String, page: Int?, _ error: RasterError) -> WorkError {
        let what = page.map { "page \($0) of \(name)" } ?? name
        return switch error.code {
        case .unreadable, .encrypted, .empty:
            WorkError(
                .damaged, "\(what) cannot be drawn; open it in a viewer and save it again", detail: "\(error)")
        case .tooLarge:
            WorkError(
                .outputTooLarge, "\(what) has too many pixels to draw; choose a lower resolution", detail: "\(error)")
        case .writeFailed:
            WorkError(.writeFailed, error.message, detail: error.cause)
        }
    }
}
