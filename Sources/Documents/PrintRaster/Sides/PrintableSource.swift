// A document as a printer accepts it: by its format, then as pages.

import FoundationEssentials
import PrintModel

/// A document opened for printing, whatever its format.
struct PrintableSource {
    /// Where its pages come from.
    private enum Pages { case drawn(PDFDocument), pixels(RasterDocument) }

    private let pages: Pages
    /// What messages call the document.
    private let label: String
    /// Whether its pages lie turned on the paper; nil when each page's size decides.
    let isTurned: Bool?
    /// Whether its pages lie upside down on the paper.
    let isUpsideDown: Bool
    /// How its pages are fitted onto the paper.
    let scaling: PrintScaling
    /// What of the document is missing or wrong, a sentence each.
    private(set) var notices: [String] = []

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
        label = input.label
        let head = try Self.head(of: input)
        let sniffed = DocumentFormat.sniff(head)
        let declared = input.format == .octetStream ? nil : input.format
        do throws(RasterError) {
            switch declared ?? sniffed {
            case .pdf:
                pages = .drawn(try PDFDocument(path: input.path, password: input.password, label: label))
                (isTurned, isUpsideDown, scaling) = (nil, false, request.scaling)
            case .jpeg:
                let photo = try JPEGPage(input, requiresFidelity: request.requiresFidelity)
                notices = photo.notice.map { [$0] } ?? []
                pages = .drawn(try PDFDocument(bytes: photo.pdfBytes, madeOf: input.path, label: label))
                isTurned = photo.isTurned(on: request.paper, request.orientation)
                isUpsideDown = request.orientation == .reversePortrait || request.orientation == .reverseLandscape
                // An image that does not say how large it is has the size of its paper.
                scaling =
                    photo.hasSize
                    ? request.scaling
                    : request.scaling.settled(isLarger: true, isBorderless: request.paper.isBorderless)
            case .pwgRaster, .urf:
                pages = .pixels(try Self.pixels(input))
                (isTurned, isUpsideDown, scaling) = (false, false, .none)
            case let format:
                throw RasterError(
                    code: .unreadable,
                    message: "\(label) is \(format.map { "of the format \($0)" } ?? "of no known format"), which"
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

    private static func pixels(_ input: InputDocument) throws(RasterError) -> RasterDocument {
        do throws(RasterProblem) {
            return try RasterDocument(path: input.path)
        } catch {
            throw RasterError(error, in: input.label)
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

    /// What people call a page, counted from 1.
    func name(ofPage number: Int, isOnlyDocument: Bool) -> String {
        isOnlyDocument ? "page \(number)" : "page \(number) of \(label)"
    }

    /// Whether a second renderer can draw its pages: pixels are not drawn.
    var hasSecondRenderer: Bool {
        if case .drawn = pages { true } else { false }
    }

    /// A page on white paper.
    typealias Rendered = (
        /// The paper.
        bitmap: Bitmap,
        /// The page's edges at which ink lay beyond the paper.
        clipped: PageEdges,
        /// What is wrong with the page, as it follows "because"; nil if nothing is known to be.
        shortcoming: String?
    )

    /// Draws a page on white paper.
    ///
    /// - Parameter mirroring: how the page comes mirrored when it is one of pixels and the back of a sheet.
    func render(
        page index: Int, placed placement: PaperPlacement, mirroring: (acrossWidth: Bool, acrossHeight: Bool),
        maximumPixels: Int, with renderer: PageRendering
    ) throws(RasterError) -> Rendered {
        switch pages {
        case .drawn(let document):
            var (bitmap, shortcoming) = try document.render(
                page: index, placed: placement, maximumPixels: maximumPixels, with: renderer)
            bitmap.mirror(acrossWidth: isUpsideDown, acrossHeight: isUpsideDown)
            let lost =
                placement.overhangs ? try document.edgesBeyondPaper(page: index, placed: placement, with: renderer) : []
            return (bitmap, lost, shortcoming)
        case .pixels(let document):
            let (bitmap, clipped) = try document.render(
                page: index, placed: placement, mirroring: mirroring, maximumPixels: maximumPixels)
            return (bitmap, clipped, nil)
        }
    }

    /// The first bytes of a file.
    private static func head(of input: InputDocument) throws(WorkError) -> Data {
        do {
            let file = try Data(contentsOf: URL(fileURLWithPath: input.path), options: .mappedIfSafe)
            return file.prefix(1024)
        } catch {
            throw WorkError(
                .documentMissing, "\(input.label) does not exist or cannot be read; print the document again",
                detail: "'\(input.path)': \(error)")
        }
    }
}

extension RasterError {
    /// What is wrong with a document of pixels.
    init(_ problem: RasterProblem, in document: String) {
        let (code, words): (Code, String) =
            switch problem {
            case .damaged(let words): (.unreadable, "is damaged: \(words); send it again")
            case .notTaken(let words):
                (.unreadable, "cannot be printed here: \(words); send black, grey, RGB or CMYK of 8 bits")
            case .tooLarge(let words): (.tooLarge, "is too large: \(words); send smaller pages, or fewer")
            }
        self.init(code: code, message: "\(document) \(words)", cause: nil)
    }
}

extension InputDocument {
    /// What messages call the document: its name, never its path.
    var label: String { name.map { "'\($0)'" } ?? "the document" }
}
