// Makes PDFs from the content of a job.

import FoundationEssentials

/// A builder of the documents of a job.
///
/// All documents are complete before the first document is sent.
struct JobDocuments {
    struct Document {
        var path: String
        /// The number of pages; 0 if the destination converts the document.
        var pageCount: Int
        /// Whether the pages were drawn for the paper and have the size of the paper.
        var isDrawn: Bool
        /// The type of a document that the destination converts to pages; `nil` for a PDF.
        var type: DocumentType?
    }

    let paper: PrintPaper
    let info: PrintInfo
    let title: String
    let folder: ScratchFolder
    let printer: Printer

    /// Returns the document that is sent for an item.
    ///
    /// An item that is a PDF stays unchanged, and an image becomes one page. If the destination converts documents, a
    /// document of another type also stays unchanged.
    ///
    /// - Throws: `unknownImageFormat` when the type of the document is unknown or the destination does not convert the
    ///   document. `noContent` for a PDF without pages. `jobFailed` when the item cannot be read or its image cannot be
    ///   drawn.
    func document(of item: PrintingItem) throws(PrintError) -> Document {
        switch try OpenedItem(item, in: folder, types: printer.destination.documentTypes) {
        case .pdf(let path, let pageCount): return Document(path: path, pageCount: pageCount, isDrawn: false)
        case .convertible(let path, let type):
            guard printer.destination.convertsDocuments else { throw .notConverted(type, on: printer) }
            return Document(path: path, pageCount: 0, isDrawn: false, type: type)
        case .image(let image):
            let renderer = ImagePage(image, fills: info.outputType.isPhoto && paper.isBorderless)
            let path = folder.newPath("image.pdf")
            try renderer.write(
                to: path, on: paper, orientation: renderer.orientation(on: paper), info: DocumentInfo(title: title))
            return Document(path: path, pageCount: 1, isDrawn: true)
        }
    }

    /// The method checks the time limit and task cancellation between pages.
    ///
    /// - Throws: `CancellationError`, or a `PrintError`.
    nonisolated(nonsending) func document(
        of renderer: PrintPageRenderer, pages: PageRanges, timeLimit: Duration
    ) async throws -> Document {
        let path = folder.newPath("pages.pdf")
        let time = DrawingTime(limit: timeLimit)
        renderer.use(paper, orientation: info.orientation)
        renderer.drawingTime = time
        defer { renderer.drawingTime = nil }
        let (count, _) = try await PageRecording.record(
            renderer, pages: pages, to: path, info: DocumentInfo(title: title)
        ) {
            try Task.checkCancellation()
            try time.check()
        }
        return Document(path: path, pageCount: count, isDrawn: true)
    }
}

/// A renderer with one page that shows an image as large as possible.
private final class ImagePage: PrintPageRenderer {
    private let image: Image
    private let fills: Bool

    init(_ image: Image, fills: Bool) { (self.image, self.fills) = (image, fills) }

    /// Returns the orientation for the image: portrait if the image and the paper are both tall or both wide, otherwise
    /// landscape.
    func orientation(on paper: PrintPaper) -> Orientation {
        image.size.isLandscape == paper.paperSize.isLandscape ? .portrait : .landscape
    }

    override var numberOfPages: Int { 1 }

    override func drawContentForPage(at index: Int, in contentRect: Rect) {
        let room = fills ? paperRect : contentRect
        let (wide, high) = (room.width / image.size.width, room.height / image.size.height)
        let scale = fills ? max(wide, high) : min(wide, high)
        let (width, height) = (image.size.width * scale, image.size.height * scale)
        image.draw(in: Rect(x: room.midX - width / 2, y: room.midY - height / 2, width: width, height: height))
    }
}
