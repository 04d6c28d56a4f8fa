// Drawing into the pages of a PDF.

import CCairo
public import FoundationEssentials

/// A context whose pages become a PDF, in a file or in memory (`UIGraphicsBeginPDFContextToFile`).
///
///     try PDFContext.write(to: "report.pdf", info: DocumentInfo(title: "Report")) { pdf in
///         pdf.beginPage()
///         Color.blue.setFill()
///         BezierPath(rect: Rect(x: 72, y: 72, width: 200, height: 100)).fill()
///     }
///
/// No page is open at first, and drawing before the first `beginPage()` is a misuse that `close()` throws. Every page
/// begins with a fresh state. Under its own name a file appears when it is closed, whole; a context that goes away
/// unclosed leaves nothing. Pages are written as they end: memory does not grow with their number.
public final class PDFContext: GraphicsContext {
    /// The pages' size when none is given: US Letter.
    public static let defaultPageSize = Size(width: 612, height: 792)

    /// What the document says of itself.
    public let info: DocumentInfo
    /// The bounds of pages that bring none of their own, in points.
    public let bounds: Rect
    /// The bounds of the open page, or of the last one; those of the document before the first.
    public private(set) var pageBounds: Rect
    /// How many pages were begun.
    public private(set) var pageCount = 0

    private let surface: OpaquePointer
    private let sink: PDFSink
    private var isClosed = false
    var extras = PDFExtras()
    /// Image surfaces that the open page shows, by their content, which is kept so that its identity stays its own.
    private var surfacesOfPage: [ObjectIdentifier: (surface: ImageSurface, content: ImageContent)] = [:]
    /// The open page has parts that are made of pixels.
    private var needsPixels = false

    /// A PDF that will be a file.
    ///
    /// - Parameters:
    ///   - path: Where to; a file of that name is replaced when the context is closed.
    ///   - bounds: The bounds of pages that bring none of their own; an empty rectangle stands for 612 × 792 points.
    ///   - info: What the document says of itself.
    /// - Throws: `writeFailed` when nothing can be written in that folder; `invalidGeometry` for bounds that are not finite.
    public convenience init(
        path: String, bounds: Rect = .zero, info: DocumentInfo = DocumentInfo()
    ) throws(GraphicsError) {
        try self.init(sink: PDFSink(file: OutputFile(path: path)), bounds: bounds, info: info)
    }

    /// A PDF in memory, which `closedData()` gives out.
    ///
    /// - Parameters:
    ///   - bounds: The bounds of pages that bring none of their own; an empty rectangle stands for 612 × 792 points.
    ///   - info: What the document says of itself.
    /// - Throws: `invalidGeometry` for bounds that are not finite.
    public convenience init(bounds: Rect = .zero, info: DocumentInfo = DocumentInfo()) throws(GraphicsError) {
        try self.init(sink: PDFSink(), bounds: bounds, info: info)
    }

    private init(sink: PDFSink, bounds: Rect, info: DocumentInfo) throws(GraphicsError) {
        guard bounds.isFinite else { throw .invalidSize(bounds.size, of: "a page") }
        self.info = info
        self.sink = sink
        self.bounds = bounds.isEmpty ? Rect(origin: .zero, size: Self.defaultPageSize) : bounds
        pageBounds = self.bounds
        surface = sink.makeSurface(size: self.bounds.size)
        super.init(origin: .topLeft, resolution: 4)
        describe()
    }

    deinit {
        shut()
        surfacesOfPage = [:]
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    /// Begins a page of the document's size; the page before ends.
    public func beginPage() { beginPage(bounds: bounds) }

    /// Begins a page of its own size; the page before ends (`UIGraphicsBeginPDFPageWithInfo`).
    ///
    /// - Parameters:
    ///   - pageBounds: Its bounds in points, whose origin is the page's upper left corner; an empty rectangle stands for
    ///     612 × 792 points, one that is not finite for the document's bounds.
    ///   - boxes: What part of it is for whom.
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
    }

    /// Ends the last page and writes the file, or readies the data for `closedData()`.
    ///
    /// - Throws: The first thing that went wrong since the context was made: `noPage` (drawn outside of a page),
    ///   `noPages`, `writeFailed`, … Then nothing is written.
    public func close() throws(GraphicsError) {
        try finishDrawing()
        try sink.finish(extras, info: info)
    }

    /// Ends the last page and returns the document, in memory.
    ///
    /// - Throws: As `close()`.
    public func closedData() throws(GraphicsError) -> Data {
        try close()
        return sink.data
    }

    /// Writes a PDF that a closure draws, with the context as the current one.
    ///
    /// - Throws: What the closure throws, or what `close()` throws; then no file appears.
    public static func write(
        to path: String, bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(),
        _ draw: (PDFContext) throws -> Void
    ) throws {
        let context = try PDFContext(path: path, bounds: bounds, info: info)
        try context.draw { () throws in try draw(context) }
        try context.close()
    }

    /// Returns a PDF that a closure draws, with the context as the current one.
    ///
    /// - Throws: What the closure throws, or what `close()` throws.
    public static func data(
        bounds: Rect = .zero, info: DocumentInfo = DocumentInfo(), _ draw: (PDFContext) throws -> Void
    ) throws -> Data {
        let context = try PDFContext(bounds: bounds, info: info)
        try context.draw { () throws in try draw(context) }
        return try context.closedData()
    }

    override var keepsImages: Bool { true }

    /// JPEGs are passed on as they are; where the page is made of pixels they have to be decoded after all.
    override func preparePixels() {
        guard !needsPixels else { return }
        needsPixels = true
        for entry in surfacesOfPage.values { decode(entry.surface) }
    }

    /// A page stays what it is, unless this page has to be made of pixels.
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

    override func noteNothingOpen() {
        note(isClosed ? .closed : .noPage)
    }

    private func endPage() {
        guard cairo != nil else { return }
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
        let date = info.creationDate ?? Date()
        let moment = date.formatted(Date.ISO8601FormatStyle())
        set(CAIRO_PDF_METADATA_CREATE_DATE, moment)
        if info.creationDate != nil { set(CAIRO_PDF_METADATA_MOD_DATE, moment) }
    }
}
