// Turns documents into printed sides, as a simulated printer prints them.

import FoundationEssentials
public import PrintModel

/// The raster image processor (RIP) of a simulated printer, which turns a document into printed sides.
///
/// `scaling` determines the position of each page on the paper. An unscaled page of the paper's size fills the paper.
/// Any other unscaled page is centered, and cut off at the edges of the paper. The page is turned by 90° if only the
/// turned page fits. Raster pages are not scaled. Everything outside of `paper.printableRect` is white. The processor
/// requires the memory of one page, regardless of the number of pages.
///
///     let result = try RasterImageProcessor().rasterize(request) { progress in
///         print("page \(progress.page) of \(progress.total)")
///     }
///     result.pages.filter { !$0.clipped.isEmpty }    // pages with missing content
public struct RasterImageProcessor: Sendable {
    /// The maximum number of pixels of a page image.
    public var maximumPixels: Int

    /// Creates a processor whose page images have at most the given number of pixels.
    public init(maximumPixels: Int = 200_000_000) {
        self.maximumPixels = maximumPixels
    }

    /// Converts PDF, JPEG and raster documents to page images `page-0001.png`, `page-0002.png` and so on, and
    /// optionally writes the PDF file `sheets`.
    ///
    /// The number in a file name is the number of the side in one copy. `PageImage.page` is the number of the page in
    /// the document. Existing files of these names are replaced atomically. A page that cannot be drawn is replaced by
    /// a notice page, and `RasterizedDocument.notices` reports the page. If the request requires fidelity, the function
    /// throws an error instead. After this error, the images of the preceding pages remain, and `sheets` is not
    /// written.
    ///
    /// If the copies are not collated, each sheet is repeated, including the back of a two-sided sheet.
    ///
    /// - Parameters:
    ///   - request: The documents and the settings. A resolution or a number of copies below 1 is a programming error.
    ///   - progress: A function that is called after each page of one copy.
    /// - Throws: `documentMissing`, `unsupportedFormat`, `damaged`, `passwordRequired`, `noPages`, `outputTooLarge`
    ///   (more pixels than the limit) or `writeFailed`.
    public func rasterize(
        _ request: RasterizeRequest, progress: (WorkProgress) -> Void
    ) throws(WorkError) -> RasterizedDocument {
        precondition(request.resolution >= 1, "the resolution must be at least 1 dpi, not \(request.resolution)")
        precondition(request.copies >= 1, "the number of copies must be at least 1, not \(request.copies)")
        if case .sheets(let documentPages) = request.part {
            do throws(RasterError) {
                return try writeSheets(for: request, documentPages)
            } catch {
                throw WorkError(error)
            }
        }
        var chosen: [(source: PrintableSource, pages: [Int])] = []
        for document in [request.document] + request.others {
            let source = try PrintableSource(document, for: request)
            chosen.append((source, request.pageRanges.pages(of: source.pageCount)))
        }
        guard chosen.contains(where: { !$0.pages.isEmpty }) else {
            throw .noPageChosen(
                request.pageRanges, of: request.document.label,
                pageCount: chosen.map(\.source.pageCount).reduce(0, +))
        }
        do throws(RasterError) {
            return try print(chosen, for: request, progress: progress)
        } catch {
            throw WorkError(error)
        }
    }

    private func print(
        _ chosen: [(source: PrintableSource, pages: [Int])], for request: RasterizeRequest,
        progress: (WorkProgress) -> Void
    ) throws(RasterError) -> RasterizedDocument {
        let order = SideOrder(documents: chosen.map(\.pages.count), of: request)
        let sides = chosen.flatMap { source, pages in
            pages.enumerated().map { index, page in (source: source, page: page, isBack: index % 2 == 1) }
        }
        let wanted = request.images(of: sides.count)
        let maker = SideMaker(request: request, maximumPixels: maximumPixels)
        var sheets: SheetsPDF?
        if let path = request.sheets, wanted.count == sides.count {
            sheets = try SheetsPDF(path: path, resolution: request.resolution)
        }
        // Report that the documents are open.
        progress(WorkProgress(page: wanted.lowerBound - 1, total: sides.count))
        var images: [PageImage] = []
        var notices = chosen.flatMap(\.source.notices)
        for number in wanted {
            let (source, page, isBack) = sides[number - 1]
            let sheet = request.sheet(ofPage: number)
            let name = source.name(ofPage: page, isOnlyDocument: chosen.count == 1)
            // If the fonts of a page crash the worker, another worker draws the page and does not look at its fonts.
            if request.fallbacks[number] == nil { source.readFonts(ofPage: page) }
            let side = try maker.side(
                of: source, page: page, called: name, isBack: isBack, on: sheet, by: request.fallbacks[number])
            let notice = side.notice
            if let notice { notices.append(notice) }
            let pixels = try CompressedPixels(of: side.bitmap)
            let file = Self.fileName(ofSide: number)
            try pixels.writePNG(to: "\(request.outputFolder)/\(file)", dpi: Double(request.resolution))
            try sheets?.add(pixels, paperSize: sheet.size)
            var image = PageImage(
                page: page, file: file, width: pixels.width, height: pixels.height, clipped: side.clipped.named,
                isBlank: side.isBlank)
            if side.isColored { image.isColored = true }
            images.append(image)
            progress(
                WorkProgress(
                    page: number, total: sides.count, outcome: PageOutcome(image: image, notice: notice)))
        }
        try sheets?.finish(order)
        var document = RasterizedDocument(
            pages: images, documentPages: order.documents, impressions: order.sides, sheets: order.sheets,
            notices: notices)
        document.missingFonts = chosen.flatMap(\.source.missingFonts)
        return document
    }

    /// Writes the PDF file `sheets` from the page images that other workers have created.
    private func writeSheets(
        for request: RasterizeRequest, _ documentPages: [Int]
    ) throws(RasterError) -> RasterizedDocument {
        let order = SideOrder(documents: documentPages, of: request)
        if let path = request.sheets {
            let sheets = try SheetsPDF(path: path, resolution: request.resolution)
            for number in 0..<documentPages.reduce(0, +) {
                let image = try CompressedPixels(
                    pngFile: "\(request.outputFolder)/\(Self.fileName(ofSide: number + 1))")
                try sheets.add(image, paperSize: request.sheet(ofPage: number + 1).size)
            }
            try sheets.finish(order)
        }
        return RasterizedDocument(
            pages: [], documentPages: documentPages, impressions: order.sides, sheets: order.sheets)
    }

    private static func fileName(ofSide number: Int) -> String {
        let digits = String(number)
        return "page-" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + ".png"
    }
}

extension RasterizeRequest {
    /// Returns the numbers of the page images to create, from 1 to `count`; an empty range if no page image is
    /// requested.
    fileprivate func images(of count: Int) -> Range<Int> {
        guard case .images(let images) = part else { return 1..<count + 1 }
        let first = max(1, images.lowerBound)
        return first..<max(first, min(images.upperBound, count) + 1)
    }

    /// Returns the sheet size for a page image.
    ///
    /// Page images are numbered from 1.
    fileprivate func sheet(ofPage number: Int) -> Media {
        sheetChanges.last { $0.page <= number }?.media ?? paper.media
    }
}
