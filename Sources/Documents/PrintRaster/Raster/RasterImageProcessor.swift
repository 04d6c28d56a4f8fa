// What a printer does with a document: pages onto paper, paper out in order.

import FoundationEssentials
public import PrintModel

/// The part of a simulated printer that turns a document into printed sides; printers call it their RIP.
///
/// Each page is put on the paper as `scaling` says; unscaled, one of the paper's size fills it, any other is centred,
/// turned by 90° if it fits no other way, and cut where it reaches beyond the paper. Pixels are never scaled. What cannot be printed, outside of
/// `paper.printableRect`, is white. A page takes the memory of one page, however many there are.
///
///     let result = try RasterImageProcessor().rasterize(request) { progress in
///         print("page \(progress.page) of \(progress.total)")
///     }
///     result.pages.filter { !$0.clipped.isEmpty }    // what did not fit
public struct RasterImageProcessor: Sendable {
    /// The most pixels of an image.
    public var maximumPixels: Int

    /// A processor whose images have at most the given number of pixels.
    public init(maximumPixels: Int = 200_000_000) {
        self.maximumPixels = maximumPixels
    }

    /// Prints PDFs, JPEG images and documents of pixels, one after the other: writes `page-0001.png` … and, if asked for, `sheets`.
    ///
    /// The files' names count the sides of one copy; `PageImage.page` is the page's number in the document. Files of
    /// these names are replaced, each whole or not at all. A page that cannot be drawn comes out as a notice, and
    /// `RasterizedDocument.notices` says so; if the request requires fidelity the work fails, the pages before it stay and
    /// `sheets` does not appear.
    ///
    /// With copies that are not collated, each sheet comes out several times in a row, two-sided ones with their back.
    ///
    /// - Parameters:
    ///   - request: What to print. A resolution or a number of copies below 1 is a programming error.
    ///   - progress: Called after each page of one copy.
    /// - Throws: `documentMissing`, `unsupportedFormat`, `damaged`, `passwordRequired`, `noPages`, `outputTooLarge`
    ///   (more pixels than allowed) or `writeFailed`.
    public func rasterize(
        _ request: RasterizeRequest, progress: (WorkProgress) -> Void
    ) throws(WorkError) -> RasterizedDocument {
        precondition(request.resolution >= 1, "a resolution is at least 1 dpi, but \(request.resolution) was given")
        precondition(request.copies >= 1, "at least 1 copy is printed, but \(request.copies) were asked for")
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
        // The documents are open.
        progress(WorkProgress(page: wanted.lowerBound - 1, total: sides.count))
        var images: [PageImage] = []
        var notices = chosen.flatMap(\.source.notices)
        for number in wanted {
            let (source, page, isBack) = sides[number - 1]
            let sheet = request.sheet(ofPage: number)
            let name = source.name(ofPage: page, isOnlyDocument: chosen.count == 1)
            let side = try maker.side(
                of: source, page: page, called: name, isBack: isBack, on: sheet, by: request.detours[number])
            let notice = side.detour?.notice(of: name)
            if let notice { notices.append(notice) }
            let pixels = try CompressedPixels(of: side.bitmap)
            let file = Self.fileName(ofSide: number)
            try pixels.writePNG(to: "\(request.outputFolder)/\(file)", dpi: Double(request.resolution))
            try sheets?.add(pixels, paperSize: sheet.size)
            let image = PageImage(
                page: page, file: file, width: pixels.width, height: pixels.height, clipped: side.clipped.named,
                isBlank: side.isBlank)
            images.append(image)
            progress(
                WorkProgress(
                    page: number, total: sides.count, outcome: PageOutcome(image: image, notice: notice)))
        }
        try sheets?.finish(order)
        return RasterizedDocument(
            pages: images, documentPages: order.documents, impressions: order.sides, sheets: order.sheets,
            notices: notices)
    }

    /// Writes `sheets` from the page images of other parts.
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
    /// The numbers of the page images to make, of so many in all; the range is empty when there are none.
    fileprivate func images(of count: Int) -> Range<Int> {
        guard case .images(let images) = part else { return 1..<count + 1 }
        let first = max(1, images.lowerBound)
        return first..<max(first, min(images.upperBound, count) + 1)
    }

    /// The size of the sheet that a page image comes out on, counted from 1.
    fileprivate func sheet(ofPage number: Int) -> Media {
        sheetChanges.last { $0.page <= number }?.media ?? paper.media
    }
}
