// Shows pages of documents that stay open.

import FoundationEssentials
package import PrintModel

/// A view of the pages of open documents, which draws areas of the pages on request.
///
///     let view = try PageView(ViewRequest(documents: [ViewedDocument(InputDocument(path: "report.pdf"))]))
///     try view.answer(.draw(PageTile(wholePage: 1, ofSize: view.pages.sizes[0], resolution: 48)))
///
/// Each document is opened only once. A notice page replaces a page that cannot be drawn, as in the printed output.
package final class PageView {
    /// The maximum number of pixels that one command draws.
    private static let maximumPixelCount = 24_000_000

    /// The sizes and properties of the documents' pages.
    package let pages: OpenedPages
    private let places: [(source: PageSource, index: Int)]

    /// Opens the documents of a request.
    ///
    /// - Throws: `documentMissing`, `damaged`, `passwordRequired`, `noPages` or `outputTooLarge`.
    package init(_ request: ViewRequest) throws(WorkError) {
        var places: [(source: PageSource, index: Int)] = []
        var sizes: [Size] = []
        var counts: [Int] = []
        let latest = LatestPixels()
        for document in request.documents {
            let source = try PageSource(document, latest: latest)
            do throws(RasterError) {
                for index in 0..<source.pageCount { sizes.append(try source.size(ofPage: index)) }
            } catch {
                throw WorkError(error)
            }
            places += (0..<source.pageCount).map { (source, $0) }
            counts.append(source.pageCount)
        }
        self.places = places
        pages = OpenedPages(sizes: sizes, documentPages: counts)
    }

    /// Executes a view command and returns the response.
    ///
    /// - Throws: `noPages` if the documents do not contain the requested page, `outputTooLarge`, or `damaged`.
    package func answer(_ command: ViewCommand) throws(WorkError) -> WorkerLine {
        do throws(RasterError) {
            switch command {
            case .draw(let tile):
                let (bitmap, notice) = try bitmap(of: tile)
                let png = try bitmap.pngBytes(dpi: Double(tile.resolution))
                return .drawn(DrawnTile(png: Data(png).base64EncodedString(), notice: notice))
            case .compare(let command):
                return .compared(try differences(command))
            case .words(let page):
                let page = try requirePage(page)
                return .words(try page.source.words(ofPage: page.index))
            }
        } catch {
            throw WorkError(error)
        }
    }

    /// Draws an area of a page.
    ///
    /// - Returns: The pixels, and a notice if the page was drawn by the second renderer or replaced by a notice page.
    func bitmap(of tile: PageTile) throws(RasterError) -> (bitmap: Bitmap, notice: String?) {
        let page = try requirePage(tile.page)
        guard tile.width > 0, tile.height > 0, tile.x >= 0, tile.y >= 0, tile.resolution > 0,
            tile.width <= Canvas.longestSide, tile.height <= Canvas.longestSide,
            tile.width * tile.height <= Self.maximumPixelCount
        else {
            throw .pageTooLarge(
                tile.page - 1, width: Double(tile.width), height: Double(tile.height), limit: Self.maximumPixelCount)
        }
        let name = "page \(tile.page)"
        let attempts = PageAttempts(
            page: name, fallback: tile.fallback, requiresFidelity: false,
            hasSecondRenderer: page.source.hasSecondRenderer)
        let (bitmap, notice) = try attempts.make(
            usual: { () throws(RasterError) in try page.source.draw(tile, ofPage: page.index, with: .cairo) },
            second: { () throws(RasterError) in try page.source.draw(tile, ofPage: page.index, with: .splash).made },
            notice: { way throws(RasterError) in
                let dpi = Double(tile.resolution)
                let size = PageTile.pixels(of: pages.sizes[tile.page - 1], resolution: tile.resolution)
                return try NoticePage(page: name, reason: way.reason, dotsPerInch: (dpi, dpi))
                    .bitmap(width: size.width, height: size.height, part: tile)
            })
        return (page.source.finished(bitmap, tile, ofPage: page.index), notice)
    }

    private func differences(_ command: ComparisonCommand) throws(RasterError) -> [SideDifference] {
        _ = try requirePage(command.page)
        _ = try requirePage(command.printed)
        let (expected, _) = try bitmap(of: wholePage(command.page, command.resolution))
        let (printed, _) = try bitmap(of: wholePage(command.printed, command.resolution))
        return SideComparison(
            expected: expected, printed: printed, printableArea: command.printableArea, resolution: command.resolution
        ).differences
    }

    private func wholePage(_ page: Int, _ resolution: Int) -> PageTile {
        PageTile(wholePage: page, ofSize: pages.sizes[page - 1], resolution: resolution)
    }

    private func requirePage(_ number: Int) throws(RasterError) -> (source: PageSource, index: Int) {
        guard places.indices.contains(number - 1) else {
            throw RasterError(
                code: .empty, message: "there is no page \(number); the documents have \(places.count) pages",
                cause: nil)
        }
        return places[number - 1]
    }
}

extension NoticePage {
    /// Draws the area `tile` of a notice page that has the given width and height in pixels.
    func bitmap(width: Int, height: Int, part tile: PageTile) throws(RasterError) -> Bitmap {
        guard let canvas = Canvas(width: tile.width, height: tile.height) else {
            throw RasterError(
                code: .tooLarge, message: "not enough memory for a notice of \(tile.width) × \(tile.height) pixels",
                cause: nil)
        }
        try draw(on: canvas, left: tile.x, top: tile.y, width: width, height: height)
        var packer = PixelPacker(width: tile.width, height: tile.height)
        try packer.append(canvas, rows: tile.height)
        return packer.bitmap
    }
}
