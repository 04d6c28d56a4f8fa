// Reads documents in PWG raster (PWG 5102.4) or Apple raster.

import PrintModel

/// The pages of a PWG raster or Apple raster file.
///
/// The initializer reads the whole file once, so a damaged page is found before printing starts. Reading and drawing
/// require the memory of one line and one page image, regardless of the sizes that the file declares.
final class RasterDocument {
    /// The header of each page, and the file offset of the page's lines.
    private(set) var pages: [(header: RasterPageHeader, offset: Int)] = []
    private let stream: RasterReader

    /// The maximum number of pages of a document.
    ///
    /// The limit exists because the list of pages is kept in memory.
    static let mostPages = 100_000

    /// Opens a document and finds its pages.
    ///
    /// - Parameter largestPage: The maximum size of a page's unpacked lines, in bytes.
    init(path: String, largestPage: Int = .max) throws(RasterProblem) {
        stream = try RasterReader(path: path)
        var edges = EdgeBits()
        while let header = try stream.header() {
            guard pages.count < Self.mostPages else {
                throw .tooLarge("the file has more than \(Self.mostPages) pages")
            }
            guard header.byteCount <= largestPage else {
                throw .tooLarge("page \(pages.count + 1) has \(header.width) × \(header.height) pixels")
            }
            pages.append((header, stream.offset))
            var row = 0
            try stream.lines(of: header) { line, times, sent in
                if header.isAmbiguous { edges.add(line, of: header, at: row, times: times, sent: sent) }
                row += times
            }
        }
        guard !pages.isEmpty else { throw .damaged("the file has no pages") }
        guard !edges.areMostlyOne else { return }
        pages = pages.map { header, offset in
            (header.isAmbiguous ? RasterPageHeader(header, colors: .black) : header, offset)
        }
    }

    /// Reads the lines of the page with the given zero-based index; see `RasterReader.lines`.
    func readLines(ofPage index: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) throws(RasterError) {
        let (header, offset) = pages[index]
        stream.seek(to: offset)
        do throws(RasterProblem) {
            try stream.lines(of: header) { line, times, _ in body(line, times) }
        } catch {
            throw RasterError(code: .unreadable, message: "cannot read page \(index + 1)", cause: "\(error)")
        }
    }

    /// Draws a page on white paper and cuts off the parts beyond the paper.
    ///
    /// - Parameter mirroring: The directions in which the sender has mirrored the page because it is the back of a
    ///   sheet.
    /// - Returns: The paper, and the edges at which ink was cut off.
    func render(
        page index: Int, placed placement: PaperPlacement, mirroring: (acrossWidth: Bool, acrossHeight: Bool),
        maximumPixels: Int
    ) throws(RasterError) -> (bitmap: Bitmap, clipped: PageEdges) {
        let header = pages[index].header
        let box = placement.pageBox
        let paper = (width: placement.exactWidth, height: placement.exactHeight)
        for (width, height) in [(box.size.width, box.size.height), paper] where width * height > Double(maximumPixels) {
            throw .pageTooLarge(index, width: width, height: height, limit: maximumPixels)
        }
        var scaler = BoxScaler(
            header, width: max(Int(box.size.width.rounded()), 1), height: max(Int(box.size.height.rounded()), 1))
        try readLines(ofPage: index) { line, times in scaler.add(line, times: times) }
        var page = scaler.bitmap
        page.mirror(acrossWidth: mirroring.acrossWidth, acrossHeight: mirroring.acrossHeight)
        guard page.width != Int(paper.width) || page.height != Int(paper.height) else { return (page, []) }
        return page.placed(
            x: Int(box.origin.x), y: Int(box.origin.y), width: Int(paper.width), height: Int(paper.height))
    }
}

/// The bits at the edges of a document's 1-bit pages.
///
/// The edges of nearly every page are white. Therefore, if the header does not define which bit value means white, the
/// bits at the edges determine this bit value.
private struct EdgeBits {
    private var ones = 0
    private var count = 0

    /// Whether the bit value 1 means white.
    ///
    /// The value is true if at least three quarters of the bits at the edges are 1. Otherwise the bit value 0 means
    /// white, as in Ghostscript's default output.
    var areMostlyOne: Bool { ones * 4 >= count * 3 }

    /// Counts the bits of a line that belong to the edges of the page.
    ///
    /// The edges are all bits of the first and last lines, and the first and last bits of the lines between them.
    ///
    /// - Parameters:
    ///   - row: The index of the line, from 0.
    ///   - times: The number of repetitions of the line.
    ///   - sent: The number of bytes that the file contains for the line.
    mutating func add(
        _ line: UnsafeBufferPointer<UInt8>, of header: RasterPageHeader, at row: Int, times: Int, sent: Int
    ) {
        let isEdge = row == 0 || row + times >= header.height
        let pixels = isEdge ? Array(0..<header.width) : [0, header.width - 1]
        for pixel in pixels where pixel >> 3 < sent {
            count += 1
            if line[pixel >> 3] & (0x80 >> (pixel & 7)) != 0 { ones += 1 }
        }
    }
}
