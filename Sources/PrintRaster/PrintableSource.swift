// A document as a printer accepts it: by its format, then as pages.

import FoundationEssentials
import PrintModel

/// A document opened for printing, whatever its format.
struct PrintableSource {
    /// Where its pages come from.
    private enum Pages { case drawn(PDFDocument), pixels(RasterDocument) }

    private let pages: Pages
    /// Whether its pages lie turned on the paper; nil when each page's size decides.
    let isTurned: Bool?
    /// Whether its pages lie upside down on the paper.
    let isUpsideDown: Bool
    /// How its pages are fitted onto the paper.
    let scaling: PrintScaling

    /// How many pages it has.
    var pageCount: Int {
        switch pages {
        case .drawn(let document): document.pageCount
        case .pixels(let document): document.pages.count
        }
    }

    /// Opens a document of a request: a PDF, pixels, or a JPEG image as one page.
    ///
    /// Throws `documentMissing`, `unsupportedFormat`, `damaged`, `passwordRequired` or `noPages`.
    init(_ input: InputDocument, for request: RasterizeRequest) throws(WorkError) {
        let head = try Self.head(of: input.path)
        let sniffed = DocumentFormat.sniff(head)
        let declared = input.format == .octetStream ? nil : input.format
        do throws(RasterError) {
            switch declared ?? sniffed {
            case .pdf:
                pages = .drawn(try PDFDocument(path: input.path, password: input.password))
                (isTurned, isUpsideDown, scaling) = (nil, false, request.scaling)
            case .jpeg:
                let photo = try JPEGPage(path: input.path, paper: request.paper, orientation: request.orientation)
                pages = .drawn(try PDFDocument(bytes: photo.pdfBytes, madeOf: input.path))
                (isTurned, isUpsideDown) = (photo.isTurned, photo.isUpsideDown)
                // An image that does not say how large it is has the size of its paper.
                scaling =
                    photo.hasSize
                    ? request.scaling
                    : request.scaling.settled(isLarger: true, isBorderless: request.paper.isBorderless)
            case .pwgRaster, .urf:
                pages = .pixels(try Self.pixels(input.path))
                (isTurned, isUpsideDown, scaling) = (false, false, .none)
            case let format:
                throw RasterError(
                    code: .unreadable,
                    message: "'\(input.path)' is \(format.map { "of the format \($0)" } ?? "of no known format"), which"
                        + " this printer does not take; send it a PDF, a JPEG image, PWG raster or Apple raster",
                    cause: nil)
            }
        } catch {
            guard error.code == .unreadable else { throw WorkError(error) }
            let looksRight = sniffed != nil && sniffed == (declared ?? sniffed) && Self.formats.contains(sniffed!)
            throw WorkError(looksRight ? .damaged : .unsupportedFormat, error.message, detail: error.cause)
        }
    }

    private static let formats: Set<DocumentFormat> = [.pdf, .jpeg, .pwgRaster, .urf]

    private static func pixels(_ path: String) throws(RasterError) -> RasterDocument {
        do throws(RasterProblem) {
            return try RasterDocument(path: path)
        } catch {
            throw RasterError(error, in: path)
        }
    }

    /// The size of a page in points, counting from 0.
    func pageSize(at index: Int) throws(RasterError) -> Size {
        switch pages {
        case .drawn(let document):
            let size = try document.pageSize(at: index)
            return Size(width: size.width, height: size.height)
        case .pixels(let document): return document.pages[index].header.size
        }
    }

    /// Draws a page on white paper, and says at which of the page's edges ink lay beyond it.
    ///
    /// - Parameter mirroring: how the page comes mirrored when it is one of pixels and the back of a sheet.
    func render(
        page index: Int, placed placement: PaperPlacement, mirroring: (acrossWidth: Bool, acrossHeight: Bool),
        maximumPixels: Int
    ) throws(RasterError) -> (bitmap: Bitmap, clipped: PageEdges) {
        switch pages {
        case .drawn(let document):
            var bitmap = try document.render(page: index, placed: placement, maximumPixels: maximumPixels)
            bitmap.mirror(acrossWidth: isUpsideDown, acrossHeight: isUpsideDown)
            let lost = placement.overhangs ? try document.edgesBeyondPaper(page: index, placed: placement) : []
            return (bitmap, lost)
        case .pixels(let document):
            return try document.render(
                page: index, placed: placement, mirroring: mirroring, maximumPixels: maximumPixels)
        }
    }

    /// The first bytes of a file.
    private static func head(of path: String) throws(WorkError) -> Data {
        do {
            let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
            return file.prefix(1024)
        } catch {
            throw WorkError(
                .documentMissing, "'\(path)' does not exist or cannot be read; print the document again",
                detail: "\(error)")
        }
    }
}

extension RasterError {
    /// What is wrong with a document of pixels.
    init(_ problem: RasterProblem, in path: String) {
        let words =
            switch problem {
            case .damaged(let words): "is damaged: \(words); send it again"
            case .notTaken(let words): "cannot be printed here: \(words); send black, grey, RGB or CMYK of 8 bits"
            }
        self.init(code: .unreadable, message: "'\(path)' \(words)", cause: nil)
    }
}
