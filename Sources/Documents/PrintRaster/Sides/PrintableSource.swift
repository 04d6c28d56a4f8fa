// Opens documents of all formats that the printer accepts.

import FoundationEssentials
import PrintModel
import SafeFiles

/// A document of any supported format that is opened for printing.
struct PrintableSource {
    /// The reader of the pages, which depends on the document's format.
    private enum Pages { case drawn(PDFDocument), pixels(RasterDocument) }

    private let pages: Pages
    /// The name of the document in messages.
    private let label: String
    /// Whether the pages are turned by 90° on the paper; nil if the size of each page determines the rotation.
    let isTurned: Bool?
    /// Whether the pages are turned by 180° on the paper.
    let isUpsideDown: Bool
    /// The scaling of the pages on the paper.
    let scaling: PrintScaling
    /// The missing or damaged parts of the document, one sentence each.
    private(set) var notices: [String] = []
    /// The search for fonts that are not embedded; nil if the document has no fonts.
    private var fonts: MissingFonts?

    /// The number of pages in the document.
    var pageCount: Int {
        switch pages {
        case .drawn(let document): document.pageCount
        case .pixels(let document): document.pages.count
        }
    }

    /// Opens a document of a request: a PDF, raster data, or a JPEG image as one page.
    ///
    /// - Throws: `documentMissing`, `unsupportedFormat`, `damaged`, `passwordRequired`, `noPages` or `outputTooLarge`.
    init(_ input: InputDocument, for request: RasterizeRequest) throws(WorkError) {
        label = input.label
        let sniffed = DocumentFormat.sniff(try input.head(advice: "print the document again"))
        let declared = input.format == .octetStream ? nil : input.format
        do throws(RasterError) {
            switch declared ?? sniffed {
            case .pdf:
                pages = .drawn(try PDFDocument(path: input.path, password: input.password, label: label))
                (isTurned, isUpsideDown, scaling) = (nil, false, request.scaling)
                if case .drawn(let document) = pages { fonts = MissingFonts(of: document) }
            case .jpeg:
                let photo = try JPEGPage(input, requiresFidelity: request.requiresFidelity)
                notices = photo.notice.map { [$0] } ?? []
                pages = .drawn(try PDFDocument(bytes: photo.pdfBytes, madeOf: input.path, label: label))
                isTurned = photo.isTurned(on: request.paper, request.orientation)
                isUpsideDown = request.orientation == .reversePortrait || request.orientation == .reverseLandscape
                // An image without a declared size is scaled to the paper.
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
                    message: "\(label) has \(format.map { "the unsupported format \($0)" } ?? "an unknown format");"
                        + " send a PDF, a JPEG image, PWG raster or Apple raster",
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

    /// Looks for fonts that are not embedded, up to the page with the given number.
    func readFonts(ofPage number: Int) { fonts?.read(pages: number) }

    /// The names of the fonts that the pages that were read use, but the document does not contain.
    var missingFonts: [String] { fonts?.names ?? [] }

    /// Returns the size of the page with the given zero-based index, in points.
    func pageSize(at index: Int) throws(RasterError) -> Size {
        switch pages {
        case .drawn(let document):
            let size = try document.pageSize(at: index)
            return Size(width: size.width, height: size.height)
        case .pixels(let document): return document.pages[index].header.size
        }
    }

    /// Returns the name of a page for messages; the page number counts from 1.
    func name(ofPage number: Int, isOnlyDocument: Bool) -> String {
        isOnlyDocument ? "page \(number)" : "page \(number) of \(label)"
    }

    /// Whether a second renderer can draw the pages.
    ///
    /// The value is false for raster data, which needs no renderer.
    var hasSecondRenderer: Bool {
        if case .drawn = pages { true } else { false }
    }

    /// The bitmap of a page on white paper.
    typealias Rendered = (
        /// The bitmap of the paper.
        bitmap: Bitmap,
        /// The edges at which the content of the page extends beyond the paper.
        clipped: PageEdges,
        /// The known defect of the page; nil if no defect is known.
        defect: PageDefect?
    )

    /// Draws a page on white paper.
    ///
    /// - Parameter mirroring: The directions in which a raster page is mirrored because it is the back of a sheet.
    func render(
        page index: Int, placed placement: PaperPlacement, mirroring: (acrossWidth: Bool, acrossHeight: Bool),
        maximumPixels: Int, with renderer: PageRendering
    ) throws(RasterError) -> Rendered {
        switch pages {
        case .drawn(let document):
            var (bitmap, defect) = try document.render(
                page: index, placed: placement, maximumPixels: maximumPixels, with: renderer)
            bitmap.mirror(acrossWidth: isUpsideDown, acrossHeight: isUpsideDown)
            let lost =
                placement.overhangs ? try document.edgesBeyondPaper(page: index, placed: placement, with: renderer) : []
            return (bitmap, lost, defect)
        case .pixels(let document):
            let (bitmap, clipped) = try document.render(
                page: index, placed: placement, mirroring: mirroring, maximumPixels: maximumPixels)
            return (bitmap, clipped, nil)
        }
    }
}

extension RasterError {
    /// Creates a document error from an error of a raster file.
    init(_ problem: RasterProblem, in document: String) {
        let (code, message): (Code, String) =
            switch problem {
            case .damaged(let cause): (.unreadable, "is damaged: \(cause); send the document again")
            case .notTaken(let cause):
                (.unreadable, "cannot be printed: \(cause); send gray, RGB or CMYK pixels of 8 bits")
            case .tooLarge(let cause): (.tooLarge, "is too large: \(cause); send smaller or fewer pages")
            }
        self.init(code: code, message: "\(document) \(message)", cause: nil)
    }
}

extension InputDocument {
    /// The name of the document in messages, without its path.
    var label: String { name.map { "'\($0)'" } ?? "the document" }

    /// Returns the first bytes of the file, which identify its format.
    ///
    /// - Parameter advice: The end of the error message, which does not contain the path.
    /// - Throws: `documentMissing`.
    func head(advice: String) throws(WorkError) -> [UInt8] {
        do throws(SystemFailure) { return try FileBytes.read(path, count: 1024) } catch {
            throw WorkError(
                .documentMissing, "\(label) does not exist or cannot be read; \(advice)", detail: "'\(path)': \(error)")
        }
    }
}
