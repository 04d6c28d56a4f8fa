// Renders prepared PDF files in the pixel formats of printers.

import FoundationEssentials
import Glibc
public import PrintModel
import SafeFiles

/// A renderer that converts prepared PDF pages to PWG raster (PWG 5102.4), Apple raster, or JPEG images.
///
/// The pages already have the size of the paper and are drawn on the whole paper. The printer omits content in the
/// unprintable margins. The renderer draws, packs and writes raster pages in bands, so a page of any size requires the
/// memory of one band. A JPEG image requires the memory of its page.
///
///     try PageRenderer().render(request) { progress in
///         print("page \(progress.page) of \(progress.total)")
///     }
public struct PageRenderer: Sendable {
    /// The maximum number of pixels of a page.
    ///
    /// A page with more pixels has an invalid size.
    private static let maximumPixelCount = 2_000_000_000.0

    /// The maximum number of pixels that are drawn at a time.
    package var pixelsPerBand = Canvas.largestBand

    /// Creates a renderer, which keeps no state between calls.
    public init() {}

    /// Renders the pages of a request, and appends the rendered pages to the output file.
    ///
    /// A page that cannot be drawn is replaced by a notice page, and `RenderedDocument.notices` reports the page. If
    /// the request requires fidelity, the function throws an error instead.
    ///
    /// - Throws: `unsupportedFormat` if the printer accepts PDF, `damaged`, `outputTooLarge` (more pixels than the
    ///   limit), or `writeFailed`.
    public func render(
        _ request: RenderRequest, progress: (WorkProgress) -> Void
    ) throws(WorkError) -> RenderedDocument {
        guard let form = request.delivery.pixels else {
            throw WorkError(.unsupportedFormat, "cannot draw page images for a printer that accepts PDF; send the PDF")
        }
        do throws(RasterError) {
            let document = try PDFDocument(path: request.document, password: nil, label: "the prepared document")
            document.pixelsPerBand = pixelsPerBand
            // Smooth edges would be dithered to dots in 1-bit formats.
            document.isAntialiased = form.type.bitsPerColor > 1
            guard request.pages.upperBound <= document.pageCount else {
                throw RasterError.unreadable(
                    document.label,
                    cause: "page \(request.pages.upperBound) is requested, but the last page is page "
                        + "\(document.pageCount)")
            }
            progress(WorkProgress(page: request.pages.lowerBound - 1, total: request.pageCount))
            let sheet = try RenderedSheet(request, form, maximumPixelCount: Self.maximumPixelCount)
            return request.delivery.format == .jpeg
                ? try images(of: document, sheet, request, progress)
                : try raster(of: document, sheet, request, progress)
        } catch {
            throw WorkError(error)
        }
    }

    private func raster(
        of document: PDFDocument, _ sheet: RenderedSheet, _ request: RenderRequest, _ progress: (WorkProgress) -> Void
    ) throws(RasterError) -> RenderedDocument {
        let file = try ContinuedFile(path: request.partFile ?? request.files[0], offset: request.offset)
        let header = RasterHeaderWriter(request, sheet)
        if request.pages.lowerBound == 1 { try file.append(header.ofFile) }
        var notices: [String] = []
        for page in request.pages {
            let mirroring = sheet.form.sheetBack.mirroring(page % 2 == 0 ? request.options.duplex : .none)
            let start = file.length
            let notice = try make(page, of: document, sheet, request) { (rows: PageRows) throws(RasterError) in
                try file.rewind(to: start)
                try file.append(header.ofPage(mirroring: mirroring))
                var lines = PixelLines(sheet.form, width: sheet.width, isReversed: mirroring.acrossWidth)
                let defect = try rows.draw(on: sheet, fromBelow: mirroring.acrossHeight) {
                    row throws(RasterError) in
                    lines.add(row)
                    if lines.isFull { try lines.takePacked { packed throws(RasterError) in try file.append(packed) } }
                }
                lines.finish()
                try lines.takePacked { packed throws(RasterError) in try file.append(packed) }
                return defect
            }
            if let notice { notices.append(notice) }
            progress(
                WorkProgress(
                    page: page, total: request.pageCount, outcome: PageOutcome(bytes: file.length, notice: notice)))
        }
        return RenderedDocument(bytes: file.length, notices: notices)
    }

    private func images(
        of document: PDFDocument, _ sheet: RenderedSheet, _ request: RenderRequest, _ progress: (WorkProgress) -> Void
    ) throws(RasterError) -> RenderedDocument {
        let files = request.files
        var bytes = 0
        var notices: [String] = []
        for page in request.pages {
            var packed: [UInt8] = []
            let notice = try make(page, of: document, sheet, request) { (rows: PageRows) throws(RasterError) in
                var image = JPEGWriter(sheet)
                let defect = try rows.draw(on: sheet, fromBelow: false) { row throws(RasterError) in
                    image.add(row)
                }
                packed = try image.packed()
                return defect
            }
            if let notice { notices.append(notice) }
            let file = try AtomicFile<RasterError>(path: files[page - 1])
            try file.append(packed)
            try file.finish()
            bytes += packed.count
            progress(WorkProgress(page: page, total: request.pageCount, outcome: PageOutcome(notice: notice)))
        }
        return RenderedDocument(bytes: bytes, notices: notices)
    }

    /// Draws a page with the first renderer, with the second renderer, or as a notice page.
    ///
    /// - Parameter write: A function that writes the rows of the page, and returns the page's known defect. The
    ///   function is called once for each attempt.
    /// - Returns: The notice about the page; nil if the page was drawn normally.
    private func make(
        _ page: Int, of document: PDFDocument, _ sheet: RenderedSheet, _ request: RenderRequest,
        write: (PageRows) throws(RasterError) -> PageDefect?
    ) throws(RasterError) -> String? {
        let name = "page \(page)"
        let attempts = PageAttempts(
            page: name, fallback: request.fallbacks[page], requiresFidelity: request.requiresFidelity)
        return try attempts.make(
            usual: { () throws(RasterError) in ((), try write(.page(document, page - 1, .cairo))) },
            second: { () throws(RasterError) in _ = try write(.page(document, page - 1, .splash)) },
            notice: { way throws(RasterError) in
                let notice = NoticePage(page: name, reason: way.reason, dotsPerInch: sheet.dotsPerInch)
                _ = try write(.notice(notice))
            }
        ).notice
    }
}

/// The pixel format and the size of a printed side.
struct RenderedSheet {
    let form: PixelForm
    let width: Int
    let height: Int

    /// The horizontal and vertical resolution in pixels per inch.
    var dotsPerInch: (across: Double, along: Double) {
        (Double(form.resolution.crossFeed), Double(form.resolution.feed))
    }

    /// Computes the size of the printed side for a request's pages.
    ///
    /// - Throws: `tooLarge`.
    init(_ request: RenderRequest, _ form: PixelForm, maximumPixelCount: Double) throws(RasterError) {
        self.form = form
        (width, height) = form.resolution.pixels(of: request.options.paper.media)
        let isImage = request.delivery.format == .jpeg
        let (longest, most) =
            isImage ? (JPEGWriter.longestSide, JPEGWriter.maximumPixelCount) : (Canvas.longestSide, maximumPixelCount)
        guard width <= longest, !isImage || height <= longest, Double(width) * Double(height) <= most else {
            throw RasterError(
                code: .tooLarge,
                message: "a page of \(request.options.paper.media.localizedName) has too many pixels at "
                    + "\(form.resolution) (\(width) × \(height)); print the page on smaller paper",
                cause: nil)
        }
    }
}

/// An output file to which the parts of a document are appended one after another.
private final class ContinuedFile {
    private let path: String
    private let descriptor: Int32
    private var offset: Int

    /// Opens the output file, and truncates it to `offset` bytes.
    ///
    /// - Throws: `writeFailed`.
    init(path: String, offset: Int) throws(RasterError) {
        self.path = path
        self.offset = offset
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, OutputFileMode.mode)
        guard descriptor >= 0 else { throw .writeFailed(path, cause: String(cString: strerror(errno))) }
        guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            throw .writeFailed(path, cause: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: some Collection<UInt8>) throws(RasterError) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch {
            throw .writeFailed(path, cause: error.description)
        }
        offset += bytes.count
    }

    /// Truncates the output file to `length` bytes.
    func rewind(to length: Int) throws(RasterError) {
        guard length < offset else { return }
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
            throw .writeFailed(path, cause: String(cString: strerror(errno)))
        }
        offset = length
    }

    /// The current length of the file in bytes.
    var length: Int { offset }
}
