// A graphics context that draws into the pages of a PDF.

import CCairo
public import FoundationEssentials
import SafeFiles

/// A context whose pages become a PDF in a file or in memory (`UIGraphicsBeginPDFContextToFile`).
///
///     try PDFContext.write(to: "report.pdf", info: DocumentInfo(title: "Report")) { pdf in
///         pdf.beginPage()
///         Color.blue.setFill()
///         BezierPath(rect: Rect(x: 72, y: 72, width: 200, height: 100)).fill()
///     }
///
/// No page is open initially. Drawing before the first `beginPage()` is an error, which `close()` throws. Every page
/// starts with a new graphics state. The file appears under its final name when the context is closed. A context that
/// is released without `close()` leaves no file.
///
/// Each page is written when the page ends, so that memory use does not grow with the number of pages. A document with
/// a password stays in memory until it is encrypted.
public final class PDFContext: GraphicsContext {
    /// The default page size: US Letter.
    public static let defaultPageSize = Size(width: 612, height: 792)

    /// The metadata and protection of the document.
    public let info: DocumentInfo
    /// The default bounds of pages, in points.
    public let bounds: Rect
    /// The bounds of the open page, or of the last page if no page is open.
    ///
    /// Before the first page, the value is the default bounds.
    public private(set) var pageBounds: Rect
    /// The number of pages so far, including the open page.
    public private(set) var pageCount = 0

    private let surface: OpaquePointer
    private let sink: PDFSink
    private var isClosed = false
    var extras: PDFExtras
    /// The open tags; `nil` for a tag that is not written.
    var openTags: [PDFTag?] = []
    var artifactDepth = 0
    /// The image surfaces on the open page; the key is the identifier of the image content.
    ///
    /// Each element retains its image content, so that the identifier stays unique.
    private var surfacesOfPage: [ObjectIdentifier: (surface: ImageSurface, content: ImageContent)] = [:]
    private var needsPixels = false

    /// Creates a PDF file.
    ///
    /// - Parameters:
    ///   - path: The path of the file. An existing file is replaced when the context is closed.
    ///   - bounds: The default bounds of pages; an empty rectangle means 612 × 792 points.
    ///   - origin: The corner of the pages that is the origin of the coordinates.
    /// - Throws: `GraphicsError`: `writeFailed` if no file can be created in the folder; `invalidGeometry` for bounds
    ///   that are not finite; `nonconforming` for settings that the conformance does not allow.
    public convenience init(
        path: String, bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(), origin: Origin = .topLeft
    ) throws(GraphicsError) {
        let sink = try PDFSink(file: AtomicFile(path: path), isProtected: info.isProtected)
        try self.init(sink: sink, bounds: bounds, info: info, origin: origin)
    }

    /// Creates a PDF in memory.
    ///
    /// `closedData()` returns the document.
    ///
    /// - Parameters:
    ///   - bounds: The default bounds of pages; an empty rectangle means 612 × 792 points.
    ///   - origin: The corner of the pages that is the origin of the coordinates.
    /// - Throws: `GraphicsError`: `invalidGeometry` for bounds that are not finite; `nonconforming` for settings that
    ///   the conformance does not allow.
    public convenience init(
        bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(), origin: Origin = .topLeft
    ) throws(GraphicsError) {
        try self.init(sink: PDFSink(), bounds: bounds, info: info, origin: origin)
    }

    private init(sink: PDFSink, bounds: Rect, info: DocumentInfo, origin: Origin) throws(GraphicsError) {
        guard bounds.isFinite else { throw .invalidSize(bounds.size, of: "a page") }
        try info.check()
        self.info = info
        extras = PDFExtras(created: info.creationDate ?? Date())
        self.sink = sink
        self.bounds = bounds.isEmpty ? Rect(origin: .zero, size: Self.defaultPageSize) : bounds
        pageBounds = self.bounds
        surface = sink.makeSurface(size: self.bounds.size)
        super.init(origin: origin, resolution: 4)
        (marks.keepsProfiles, marks.keepsInks) = (true, info.conformance == nil)
        describe()
    }

    deinit {
        shut()
        surfacesOfPage = [:]
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    /// Begins a page with the default bounds.
    ///
    /// The method also ends the previous page.
    public func beginPage() { beginPage(bounds: bounds) }

    /// Begins a page with the given bounds (`UIGraphicsBeginPDFPageWithInfo`).
    ///
    /// Ends the previous page.
    ///
    /// - Parameters:
    ///   - pageBounds: The bounds in points; their origin is the page's corner that `origin` names. An empty rectangle
    ///     means 612 × 792 points, and a rectangle that is not finite means the default bounds.
    ///   - boxes: The crop, bleed, trim and art boxes.
    public func beginPage(bounds pageBounds: Rect, boxes: PageBoxes = PageBoxes()) {
        guard !isClosed else { return note(.closed) }
        endPage()
        var page = pageBounds.isFinite ? pageBounds : bounds
        if page.isEmpty { page = Rect(origin: .zero, size: Self.defaultPageSize) }
        self.pageBounds = page
        pageCount += 1
        if !boxes.isEmpty { extras.boxes.append((pageCount - 1, boxes, page)) }
        cairo_pdf_surface_set_size(surface, page.width, page.height)
        open(on: surface, size: page.size, scale: 1, corner: page.origin)
        // Without a clip, cairo forgets what a drawing covers, including the starts of tags.
        if isTagged { clip(to: page) }
    }

    /// Ends the last page, and writes the file or prepares the data for `closedData()`.
    ///
    /// - Throws: `GraphicsError`: the first error since the context was created, such as `noPage` (drawing outside a
    ///   page), `noPages`, `nonconforming` or `writeFailed`. In case of an error, no file is written.
    public func close() throws(GraphicsError) {
        try finishDrawing()
        extras.marks = marks
        try sink.finish(extras, info: info)
    }

    /// Ends the last page, and returns the PDF of a context that writes to memory.
    ///
    /// - Throws: `GraphicsError`: the errors of `close()`.
    public func closedData() throws(GraphicsError) -> Data {
        try close()
        return sink.data
    }

    /// Writes a PDF that a closure draws.
    ///
    /// The context is the current context in the closure.
    ///
    /// - Throws: The error of the closure, or the errors of `close()`. In case of an error, no file is written.
    public static func write(
        to path: String, bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(),
        _ draw: (PDFContext) throws -> Void
    ) throws {
        let context = try PDFContext(path: path, bounds: bounds, info: info)
        try context.draw { () throws in try draw(context) }
        try context.close()
    }

    /// Returns a PDF that a closure draws.
    ///
    /// The context is the current context in the closure.
    ///
    /// - Throws: The error of the closure, or the errors of `close()`.
    public static func data(
        bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(), _ draw: (PDFContext) throws -> Void
    ) throws -> Data {
        let context = try PDFContext(bounds: bounds, info: info)
        try context.draw { () throws in try draw(context) }
        return try context.closedData()
    }

    override var keepsImages: Bool { true }

    /// Decodes the JPEGs on the open page, because this page will be converted to pixels.
    ///
    /// Pages that are not converted to pixels embed JPEGs unchanged.
    override func preparePixels() {
        guard !needsPixels else { return }
        needsPixels = true
        for entry in surfacesOfPage.values { decode(entry.surface) }
    }

    /// Embeds a page of another PDF in the document.
    ///
    /// If the open page or the blend mode requires pixels and the context has a `pdfRasterizer`, the method rasterizes
    /// the page instead.
    override func place(_ page: PDFPage, in rect: Rect) {
        if needsPixels || !state.blendMode.isKnownToPDF, pdfRasterizer != nil {
            rasterize(page, in: rect)
        } else {
            drawMarker(of: page, in: rect)
        }
    }

    override func surface(for content: ImageContent) -> ImageSurface? {
        if let known = surfacesOfPage[ObjectIdentifier(content)] { return known.surface }
        let made: ImageSurface?
        if let jpeg = content.jpeg {
            made = ImageSurface(jpeg: jpeg, of: content)
            if made == nil { note(.noMemory("an image")) }
        } else {
            made = super.surface(for: content)
        }
        guard let made else { return nil }
        made.identify(content.name)
        if needsPixels { decode(made) }
        surfacesOfPage[ObjectIdentifier(content)] = (made, content)
        return made
    }

    private func decode(_ surface: ImageSurface) {
        do throws(GraphicsError) { try surface.decode() } catch { note(error) }
    }

    override func handleDrawingWithoutSurface() {
        note(isClosed ? .closed : .noPage)
    }

    private func endPage() {
        guard cairo != nil else { return }
        while !openTags.isEmpty { endTag() }
        shut()
        cairo_surface_show_page(surface)
        noteSurfaceStatus()
        surfacesOfPage = [:]
        needsPixels = false
    }

    private func finishDrawing() throws(GraphicsError) {
        if isClosed { throw .closed }
        endPage()
        if pageCount == 0 { note(.noPages) }
        isClosed = true
        cairo_surface_finish(surface)
        noteSurfaceStatus()
        if let problem = sink.writeFailure { throw problem }
        if let failure { throw failure }
    }

    private func noteSurfaceStatus() {
        let status = cairo_surface_status(surface)
        if status != CAIRO_STATUS_SUCCESS, status != CAIRO_STATUS_SURFACE_FINISHED {
            note(.refused(by: "cairo", cause: String(cString: cairo_status_to_string(status))))
        }
    }

    private func describe() {
        func set(_ key: cairo_pdf_metadata_t, _ text: String?) {
            if let text, !text.isEmpty { cairo_pdf_surface_set_metadata(surface, key, text) }
        }
        set(CAIRO_PDF_METADATA_TITLE, info.title)
        set(CAIRO_PDF_METADATA_AUTHOR, info.author)
        set(CAIRO_PDF_METADATA_SUBJECT, info.subject)
        set(CAIRO_PDF_METADATA_KEYWORDS, info.keywords.joined(separator: ", "))
        set(CAIRO_PDF_METADATA_CREATOR, info.creator)
        let moment = extras.created.formatted(Date.ISO8601FormatStyle())
        set(CAIRO_PDF_METADATA_CREATE_DATE, moment)
        if info.creationDate != nil { set(CAIRO_PDF_METADATA_MOD_DATE, moment) }
    }
}
