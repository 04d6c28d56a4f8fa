// A document that comes as pixels: PWG raster (PWG 5102.4) or Apple raster.

import PrintModel

/// The pages of a document of pixels, in a file.
///
/// Opening it reads all of it once, so that a damaged page is known before anything is printed. Whatever it says of its
/// size, it takes the memory of one line and of one page image.
final class RasterDocument {
    /// The pages, and where their lines begin.
    private(set) var pages: [(header: RasterPageHeader, offset: Int)] = []
    private let stream: RasterStream

    /// Opens a document and finds its pages.
    init(path: String) throws(RasterProblem) {
        stream = try RasterStream(path: path)
        while let header = try stream.header() {
            pages.append((header, stream.offset))
            try stream.lines(of: header) { _, _ in }
        }
        guard !pages.isEmpty else { throw .damaged("it has no pages") }
    }

    /// Draws a page on white paper; what lies beyond the paper is cut.
    ///
    /// - Parameter mirroring: how the page comes mirrored, because it is the back of a sheet.
    /// - Returns: the paper, and the edges at which ink was cut.
    func render(
        page index: Int, placed placement: PaperPlacement, mirroring: (acrossWidth: Bool, acrossHeight: Bool),
        maximumPixels: Int
    ) throws(RasterError) -> (bitmap: Bitmap, clipped: PageEdges) {
        let (header, offset) = pages[index]
        let box = placement.pageBox
        let paper = (width: placement.exactWidth, height: placement.exactHeight)
        for (width, height) in [(box.size.width, box.size.height), paper] where width * height > Double(maximumPixels) {
            throw .pageTooLarge(index, width: width, height: height, limit: maximumPixels)
        }
        var scaler = BoxScaler(
            header, width: max(Int(box.size.width.rounded()), 1), height: max(Int(box.size.height.rounded()), 1))
        stream.seek(to: offset)
        do throws(RasterProblem) {
            try stream.lines(of: header) { line, times in scaler.add(line, times: times) }
        } catch {
            throw RasterError(code: .unreadable, message: "page \(index + 1) cannot be read again", cause: "\(error)")
        }
        var page = scaler.bitmap
        page.mirror(acrossWidth: mirroring.acrossWidth, acrossHeight: mirroring.acrossHeight)
        guard page.width != Int(paper.width) || page.height != Int(paper.height) else { return (page, []) }
        return page.placed(
            x: Int(box.origin.x), y: Int(box.origin.y), width: Int(paper.width), height: Int(paper.height))
    }
}
