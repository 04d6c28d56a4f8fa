// Opens documents of all formats that can be shown.

import CPoppler
import CSplash
import FoundationEssentials
import PrintModel

/// The pixels of the most recently displayed page of a raster or JPEG document.
final class LatestPixels {
    var page: (key: String, bitmap: Bitmap)?
}

/// A document whose pages are displayed: a PDF, a JPEG image, raster data, or a page image of a simulated printer.
final class PageSource {
    private enum Pages { case drawn(PDFDocument), raster(RasterDocument), image(path: String, width: Int, height: Int) }

    private let document: ViewedDocument
    private let pages: Pages
    private let latest: LatestPixels

    /// The maximum number of pixels of a page in memory; larger raster pages are scaled down.
    private static let maximumPixelCount = 40_000_000

    /// Opens a document for display.
    ///
    /// - Parameter latest: The pixels of the most recently displayed page, which all documents of a view share.
    init(_ document: ViewedDocument, latest: LatestPixels) throws(WorkError) {
        self.document = document
        self.latest = latest
        let input = document.document
        if let size = document.imageSize {
            pages = .image(path: input.path, width: Int(size.width), height: Int(size.height))
            return
        }
        let head = try input.head(advice: "check its name and permissions")
        do throws(RasterError) {
            if let size = Self.pngSize(head) {
                pages = .image(path: input.path, width: size.width, height: size.height)
                return
            }
            switch DocumentFormat.sniff(head) {
            case .jpeg:
                let photo = try JPEGPage(input)
                pages = .drawn(try PDFDocument(bytes: photo.pdfBytes, madeOf: input.path, label: input.label))
            case .pwgRaster, .urf:
                do throws(RasterProblem) {
                    pages = .raster(try RasterDocument(path: input.path, largestPage: 4 << 30))
                } catch {
                    throw RasterError(error, in: input.label)
                }
            default: pages = .drawn(try PDFDocument(path: input.path, password: input.password, label: input.label))
            }
        } catch {
            throw WorkError(error)
        }
    }

    /// Returns the size that the header of a PNG file declares (ISO/IEC 15948 §11.2.2); nil if the file is not a PNG.
    private static func pngSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
        guard head.count >= 24, DocumentFormat.sniff(head) == .png else { return nil }
        func number(_ start: Int) -> Int { head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(16), number(20))
        return width > 0 && height > 0 ? (width, height) : nil
    }

    /// The number of pages in the document.
    var pageCount: Int {
        switch pages {
        case .drawn(let document): document.pageCount
        case .raster(let document): document.pages.count
        case .image: 1
        }
    }

    /// Whether a second renderer can draw the pages.
    var hasSecondRenderer: Bool { if case .drawn = pages { true } else { false } }

    /// Returns the size of the page with the given zero-based index, in points.
    ///
    /// A damaged page of a PDF has the size A4, like its notice page.
    func size(ofPage index: Int) throws(RasterError) -> Size {
        switch pages {
        case .drawn(let document):
            guard let size = try? document.pageSize(at: index) else { return PrintPaper(media: .a4).paperSize }
            return Size(width: size.width, height: size.height)
        case .raster(let document): return document.pages[index].header.size
        case .image(_, let width, let height):
            if let size = self.document.shownSize { return size }
            let dpi = Double(max(1, self.document.imageResolution ?? 72))
            return Size(width: Double(width) * 72 / dpi, height: Double(height) * 72 / dpi)
        }
    }

    /// Returns the words of the page with the given zero-based index; empty if the page consists of pixels.
    func words(ofPage index: Int) throws(RasterError) -> [PageWord] {
        if case .drawn(let document) = pages { try document.words(at: index) } else { [] }
    }

    /// Draws an area of the page with the given zero-based index.
    ///
    /// - Returns: The pixels, and the page's known defect; nil if no defect is known.
    func draw(
        _ tile: PageTile, ofPage index: Int, with renderer: PageRendering
    ) throws(RasterError) -> (made: Bitmap, defect: PageDefect?) {
        switch pages {
        case .drawn(let document):
            switch renderer {
            case .cairo:
                let (bitmap, defect) = try PageDefect.found { () throws(RasterError) in
                    try document.render(tile, ofPage: index)
                }
                return (bitmap, defect)
            case .splash: return (try document.renderWithSplash(tile, ofPage: index), nil)
            }
        case .raster(let document):
            let pixels = try pixels(ofPage: index) { () throws(RasterError) in
                try document.bitmap(ofPage: index, maximumPixels: Self.maximumPixelCount)
            }
            return (pixels.part(tile, ofPage: try size(ofPage: index)), nil)
        case .image(let path, _, _):
            let pixels = try pixels(ofPage: index) { () throws(RasterError) in
                try Bitmap(readingPNG: path, maximumPixels: Self.maximumPixelCount)
            }
            return (pixels.part(tile, ofPage: try size(ofPage: index)), nil)
        }
    }

    private func pixels(ofPage index: Int, _ read: () throws(RasterError) -> Bitmap) throws(RasterError) -> Bitmap {
        let key = "\(index) \(document.document.path)"
        if let page = latest.page, page.key == key { return page.bitmap }
        latest.page = nil
        let bitmap = try read()
        latest.page = (key, bitmap)
        return bitmap
    }

    /// Returns the pixels of an area with the printer's restrictions: gray for a monochrome printer, and white outside
    /// of the printable area.
    func finished(_ bitmap: Bitmap, _ tile: PageTile, ofPage index: Int) -> Bitmap {
        var bitmap = bitmap
        if document.isGray { bitmap.convertToGray() }
        guard let area = document.printableArea, let size = try? size(ofPage: index) else { return bitmap }
        let pixels = PageTile.pixels(of: size, resolution: tile.resolution)
        var printable = PixelRect(
            touching: area,
            scale: (x: Double(pixels.width) / size.width, y: Double(pixels.height) / size.height))
        printable.x -= tile.x
        printable.y -= tile.y
        bitmap.clip(to: printable)
        return bitmap
    }
}

extension PDFDocument {
    /// Draws an area of a page on white with the first renderer.
    ///
    /// The pixels are identical to the pixels of this area in a drawing of the whole page at the same resolution.
    func render(_ tile: PageTile, ofPage index: Int) throws(RasterError) -> Bitmap {
        let size = try pageSize(at: index)
        let unit = userUnit(at: index)
        let pixels = PageTile.pixels(
            of: Size(width: size.width, height: size.height), resolution: tile.resolution)
        let matrix = cairo_matrix_t(
            xx: Double(pixels.width) / size.width * unit, yx: 0, xy: 0,
            yy: Double(pixels.height) / size.height * unit, x0: -Double(tile.x), y0: -Double(tile.y))
        return try draw(page: index, by: matrix, width: tile.width, height: tile.height)
    }

    /// Draws an area of a page on white with the second renderer.
    func renderWithSplash(_ tile: PageTile, ofPage index: Int) throws(RasterError) -> Bitmap {
        let size = try pageSize(at: index)
        let unit = userUnit(at: index)
        let pixels = PageTile.pixels(
            of: Size(width: size.width, height: size.height), resolution: tile.resolution)
        let area = csplash_area(
            scale_x: Double(pixels.width) / size.width * unit, scale_y: Double(pixels.height) / size.height * unit,
            turns: 0, x: Int32(tile.x), y: Int32(tile.y), width: Int32(tile.width), height: Int32(tile.height),
            antialiased: true)
        var bitmap = Bitmap(width: tile.width, height: tile.height)
        try splashBands(ofPage: index, area, fromBelow: false) { pixels, rows throws(RasterError) in
            for row in rows {
                let source = pixels.baseAddress! + (row - rows.lowerBound) * tile.width * 3
                bitmap.withMutableRow(row) { $0.update(from: source, count: tile.width * 3) }
            }
        }
        if bitmap.isGray { bitmap.convertToGray() }
        return bitmap
    }
}

extension RasterDocument {
    /// Returns the image of a page, scaled down to at most the given number of pixels.
    fileprivate func bitmap(ofPage index: Int, maximumPixels: Int) throws(RasterError) -> Bitmap {
        let header = pages[index].header
        let factor = min(1, (Double(maximumPixels) / Double(header.width * header.height)).squareRoot())
        var scaler = BoxScaler(
            header, width: max(1, Int(Double(header.width) * factor)),
            height: max(1, Int(Double(header.height) * factor)))
        try readLines(ofPage: index) { line, times in scaler.add(line, times: times) }
        return scaler.bitmap
    }
}

extension Bitmap {
    /// Returns the pixels of an area of a page; this bitmap contains the whole page.
    ///
    /// Pixels are averaged if the result has a lower resolution than the bitmap, and repeated if the result has a
    /// higher resolution.
    fileprivate func part(_ tile: PageTile, ofPage size: Size) -> Bitmap {
        let (pageWidth, pageHeight) = PageTile.pixels(of: size, resolution: tile.resolution)
        let step = format.bytesPerPixel
        func ranges(_ start: Int, _ count: Int, _ whole: Int, _ own: Int) -> [Range<Int>] {
            (start..<start + count).map { place in
                let first = min(place * own / whole, own - 1)
                return first..<min(max(first + 1, (place + 1) * own / whole), own)
            }
        }
        let columns = ranges(tile.x, tile.width, pageWidth, width)
        let rows = ranges(tile.y, tile.height, pageHeight, height)
        let rowBytes = width * step
        let bytes = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: tile.width * tile.height * step) { target, count in
                guard let pixels = source.baseAddress, var place = target.baseAddress else { return }
                // These loops run for each pixel of the page; while loops are also fast in debug builds.
                for row in rows {
                    let first = pixels + row.lowerBound * rowBytes
                    for column in columns {
                        let (rowCount, lineBytes) = (row.count, column.count * step)
                        let area = rowCount * column.count
                        var channel = 0
                        while channel < step {
                            var (sum, y) = (area / 2, 0)
                            while y < rowCount {
                                let start = first + (y &* rowBytes &+ column.lowerBound &* step)
                                var x = channel
                                while x < lineBytes {
                                    sum = sum &+ Int(start[x])
                                    x = x &+ step
                                }
                                y = y &+ 1
                            }
                            place.pointee = UInt8(truncatingIfNeeded: sum / area)
                            place += 1
                            channel += 1
                        }
                    }
                }
                count = tile.width * tile.height * step
            }
        }
        return Bitmap(width: tile.width, height: tile.height, format: format, bytes: bytes)
    }
}
