// A prepared PDF as the pixels that a printer takes.

import FoundationEssentials
import Glibc
public import PrintModel

/// Makes pages of a prepared PDF into PWG raster (PWG 5102.4), Apple raster, or JPEG images.
///
/// The pages have the paper's size already, and are drawn onto all of it; what a printer cannot reach it leaves out by
/// itself. Lines are drawn in bands, packed and written as they come, so that a page of any size takes the memory of one
/// band; a JPEG image takes that of its page.
///
///     try PageRenderer().render(request) { progress in print("page \(progress.page) of \(progress.total)") }
public struct PageRenderer: Sendable {
    /// The most pixels of a page: more are a mistake in its size.
    private static let mostPixels = 2_000_000_000.0

    /// The most pixels that are drawn at a time.
    package var pixelsPerBand = Canvas.largestBand

    /// A renderer, which keeps nothing between calls.
    public init() {}

    /// Renders the pages of a request, and writes them after those of the parts before it.
    ///
    /// A page that cannot be drawn comes out as a notice, and `RenderedDocument.notices` says so; the work fails if the request
    /// requires fidelity.
    ///
    /// - Throws: `documentMissing`, `damaged`, `outputTooLarge` for pages of more pixels than are made, `writeFailed`.
    public func render(
        _ request: RenderRequest, progress: (WorkProgress) -> Void
    ) throws(WorkError) -> RenderedDocument {
        guard let form = request.delivery.pixels else {
            throw WorkError(.unsupportedFormat, "a PDF is not rendered for a printer that takes it")
        }
        do throws(RasterError) {
            let document = try PDFDocument(path: request.document, password: nil, label: "the prepared document")
            document.pixelsPerBand = pixelsPerBand
            // Shades at the edges would become a screen of dots.
            document.isAntialiased = form.type.bitsPerColor > 1
            guard request.pages.upperBound <= document.pageCount else {
                throw RasterError.unreadable(document.label, cause: "it has \(document.pageCount) pages")
            }
            progress(WorkProgress(page: request.pages.lowerBound - 1, total: request.pageCount))
            let sheet = try RenderedSheet(request, form, mostPixels: Self.mostPixels)
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
        let header = RasterHeader(request, sheet)
        if request.pages.lowerBound == 1 { try file.append(header.ofFile) }
        var notices: [String] = []
        for page in request.pages {
            let mirroring = sheet.form.sheetBack.mirroring(page % 2 == 0 ? request.options.duplex : .none)
            let start = file.length
            let notice = try make(page, of: document, sheet, request) { (rows: PageRows) throws(RasterError) in
                try file.rewind(to: start)
                try file.append(header.ofPage(mirroring: mirroring))
                var lines = PixelLines(sheet.form, width: sheet.width, isReversed: mirroring.acrossWidth)
                let shortcoming = try rows.draw(on: sheet, fromBelow: mirroring.acrossHeight) {
                    row throws(RasterError) in
                    lines.add(row)
                    if lines.isFull { try file.append(lines.takePacked()) }
                }
                lines.finish()
                try file.append(lines.takePacked())
                return shortcoming
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
                let shortcoming = try rows.draw(on: sheet, fromBelow: false) { row throws(RasterError) in
                    image.add(row)
                }
                packed = try image.packed()
                return shortcoming
            }
            if let notice { notices.append(notice) }
            let file = try FileReplacement(path: files[page - 1])
            try file.append(packed)
            try file.finish()
            bytes += packed.count
            progress(WorkProgress(page: page, total: request.pageCount, outcome: PageOutcome(notice: notice)))
        }
        return RenderedDocument(bytes: bytes, notices: notices)
    }

    /// Has a page made of rows, which come from the usual renderer, from the second one, or from a notice.
    ///
    /// - Parameter write: makes the page of its rows, as often as it is drawn, and passes on what is wrong with them.
    /// - Returns: what is to be said about the page.
    private func make(
        _ page: Int, of document: PDFDocument, _ sheet: RenderedSheet, _ request: RenderRequest,
        write: (PageRows) throws(RasterError) -> String?
    ) throws(RasterError) -> String? {
        let name = "page \(page)"
        let attempts = PageAttempts(
            page: name, detour: request.detours[page], requiresFidelity: request.requiresFidelity)
        let (_, detour) = try attempts.make(
            usual: { () throws(RasterError) in ((), try write(.page(document, page - 1, .cairo))) },
            second: { () throws(RasterError) in _ = try write(.page(document, page - 1, .splash)) },
            notice: { way throws(RasterError) in
                let notice = NoticePage(page: name, reason: way.reason, dotsPerInch: sheet.dotsPerInch)
                _ = try write(.notice(notice))
            })
        return detour?.notice(of: name)
    }
}

/// A side of paper as pixels.
struct RenderedSheet {
    let form: PixelForm
    let width: Int
    let height: Int

    /// Pixels per inch.
    var dotsPerInch: (across: Double, along: Double) {
        (Double(form.resolution.crossFeed), Double(form.resolution.feed))
    }

    /// The side that a request's pages are drawn onto; throws `tooLarge`.
    init(_ request: RenderRequest, _ form: PixelForm, mostPixels: Double) throws(RasterError) {
        self.form = form
        (width, height) = form.resolution.pixels(of: request.options.paper.media)
        let isImage = request.delivery.format == .jpeg
        let (longest, most) =
            isImage ? (JPEGWriter.longestSide, JPEGWriter.mostPixels) : (Canvas.longestSide, mostPixels)
        guard width <= longest, !isImage || height <= longest, Double(width) * Double(height) <= most else {
            throw RasterError(
                code: .tooLarge,
                message: "a page of \(request.options.paper.media.localizedName) has \(width) × \(height) pixels at "
                    + "\(form.resolution), which is more than is made for a printer; print it on smaller paper",
                cause: nil)
        }
    }
}

/// A file that parts of a document are written to, one after the other.
private final class ContinuedFile {
    private let path: String
    private let descriptor: Int32
    private var offset: Int

    /// Goes on after so many bytes, and takes away what follows them; throws `writeFailed`.
    init(path: String, offset: Int) throws(RasterError) {
        self.path = path
        self.offset = offset
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .writeFailed(path, cause: String(cString: strerror(errno))) }
        guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            throw .writeFailed(path, cause: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(RasterError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writeFailed(path, cause: String(cString: strerror(errno))) }
            written += count
        }
        offset += bytes.count
    }

    /// Takes away what follows so many bytes.
    func rewind(to length: Int) throws(RasterError) {
        guard length < offset else { return }
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
            throw .writeFailed(path, cause: String(cString: strerror(errno)))
        }
        offset = length
    }

    /// How long the file is now.
    var length: Int { offset }
}
