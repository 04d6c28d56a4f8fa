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
    /// these names are replaced, each whole or not at all. When a page fails, those before it stay and `sheets` does not
    /// appear.
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
        var chosen: [(source: PrintableSource, pages: [Int])] = []
        for document in [request.document] + request.others {
            let source = try PrintableSource(document, for: request)
            chosen.append((source, request.pageRanges.pages(of: source.pageCount)))
        }
        guard chosen.contains(where: { !$0.pages.isEmpty }) else {
            throw .noPageChosen(
                request.pageRanges, of: request.document.path,
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
        let total = order.documents.reduce(0, +)
        var sheets: SheetsPDF?
        if let path = request.sheets {
            sheets = try SheetsPDF(path: path, resolution: request.resolution)
        }
        var images: [PageImage] = []
        for (source, pages) in chosen {
            for (index, number) in pages.enumerated() {
                let sheet = request.sheet(ofPage: images.count + 1)
                let side = try side(of: source, page: number, isBack: index % 2 == 1, on: sheet, for: request)
                let pixels = try CompressedPixels(of: side.bitmap)
                let file = fileName(ofSide: images.count + 1)
                try pixels.writePNG(to: "\(request.outputFolder)/\(file)", dpi: Double(request.resolution))
                try sheets?.add(pixels, paperSize: sheet.size)
                images.append(
                    PageImage(
                        page: number, file: file, width: pixels.width, height: pixels.height,
                        clipped: side.clipped.named, isBlank: side.isBlank))
                progress(WorkProgress(page: images.count, total: total))
            }
        }
        try sheets?.finish(order)
        return RasterizedDocument(
            pages: images, documentPages: order.documents, impressions: order.sides, sheets: order.sheets)
    }

    /// One side as it comes out, and the page's edges at which something is missing.
    private func side(
        of source: PrintableSource, page number: Int, isBack: Bool, on sheet: Media, for request: RasterizeRequest
    ) throws(RasterError) -> (bitmap: Bitmap, clipped: PageEdges, isBlank: Bool) {
        let placement = PaperPlacement(
            page: try source.pageSize(at: number - 1), paper: request.paper, resolution: request.resolution,
            isTurned: source.isTurned, isUpsideDown: source.isUpsideDown, scaling: source.scaling)
        var (bitmap, clipped) = try source.render(
            page: number - 1, placed: placement,
            mirroring: request.sheetBack.mirroring(isBack ? request.duplex : .none), maximumPixels: maximumPixels)
        if request.monochrome {
            bitmap.convertToGray()
        }
        var edges = bitmap.clip(to: placement.printableArea)
        let isBlank = bitmap.isBlank
        if request.overlay, !request.paper.isBorderless {
            bitmap.drawDashes(around: placement.printableArea, resolution: request.resolution)
        }
        if !sheet.hasSameSize(as: request.paper.media) {
            edges.formUnion(bitmap.moveOnto(sheet, resolution: request.resolution))
        }
        clipped.formUnion(placement.edgesOfPage(source.isUpsideDown ? edges.turnedOver : edges))
        return (bitmap, clipped, isBlank)
    }

    private func fileName(ofSide number: Int) -> String {
        let digits = String(number)
        return "page-" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + ".png"
    }
}

extension RasterizeRequest {
    /// The size of the sheet that a page image comes out on, counted from 1.
    fileprivate func sheet(ofPage number: Int) -> Media {
        sheetChanges.last { $0.page <= number }?.media ?? paper.media
    }
}

extension Bitmap {
    /// Puts what was made for one paper onto a sheet of another size, as it is fed: guided to the middle, its upper edge
    /// first.
    ///
    /// - Returns: the edges of the paper at which ink has missed the sheet.
    fileprivate mutating func moveOnto(_ sheet: Media, resolution: Int) -> PageEdges {
        func pixels(_ length: Length) -> Int { max(Int((length.points * Double(resolution) / 72).rounded()), 1) }
        let (sheetWidth, sheetHeight) = (pixels(sheet.width), pixels(sheet.height))
        let (moved, lost) = placed(x: (sheetWidth - width) / 2, y: 0, width: sheetWidth, height: sheetHeight)
        self = moved
        return lost
    }
}

extension PageEdges {
    /// The edges of the same page upside down.
    fileprivate var turnedOver: PageEdges {
        var turned: PageEdges = []
        if contains(.left) { turned.insert(.right) }
        if contains(.right) { turned.insert(.left) }
        if contains(.top) { turned.insert(.bottom) }
        if contains(.bottom) { turned.insert(.top) }
        return turned
    }

    /// The edges as the model names them, in its order.
    fileprivate var named: [PageImage.Edge] {
        PageImage.Edge.allCases.filter { edge in
            switch edge {
            case .top: contains(.top)
            case .left: contains(.left)
            case .bottom: contains(.bottom)
            case .right: contains(.right)
            }
        }
    }
}
