// The base class of all drawing contexts.

import CCairo

/// A drawing surface with its graphics state (`CGContext`).
///
/// `GraphicsContext` is the superclass of `BitmapContext` and `PDFContext`.
///
/// Values such as `BezierPath`, `Color` and `Image` draw into the `current` context. Drawing calls never throw.
/// `failure` stores the first error, and the call that ends the drawing throws this error.
///
/// A context holds cairo objects, so it stays in the isolation domain that created it.
public class GraphicsContext {
    /// The corner that is the origin of the untransformed context.
    public enum Origin: Hashable, Sendable {
        /// An origin at the top left, with y growing downwards.
        case topLeft
        /// An origin at the bottom left, with y growing upwards, as in Quartz contexts created with `CGContext`.
        case lowerLeft
    }

    /// The corner that is the origin of the untransformed context.
    public let origin: Origin
    /// The first error that occurred while drawing, or `nil`.
    ///
    /// The call that ends the drawing throws this error.
    public private(set) var failure: GraphicsError?

    /// The fonts that replaced missing fonts in this context, in the order of first use.
    ///
    ///     for substitution in pdf.fontSubstitutions { log("\(substitution)") }
    public internal(set) var fontSubstitutions: [Font.Substitution] = []
    var lastFont: Font?
    /// The colors that are drawn as markers, and the ones that were drawn.
    var marks = ColorMarks()

    /// The cairo context; `nil` while there is no surface, for example between the pages of a PDF.
    private(set) var cairo: OpaquePointer?
    /// The transformation from base space (points, before the user's transformations) to the surface.
    private(set) var base = AffineTransform.identity
    /// The number of pixels per point for shadows and hairlines.
    let resolution: Double
    /// The size of the drawing area in points.
    private(set) var extent = Size.zero

    var state = GraphicsState()
    /// The current path in base space, before the user's transformations.
    var pathOnPage = Path()
    private(set) var saved: [SavedState] = []

    struct SavedState {
        var state: GraphicsState
        /// Whether this state was saved at the start of a transparency layer.
        ///
        /// Only `endTransparencyLayer()` restores this state.
        var isLayer: Bool
    }

    init(origin: Origin, resolution: Double) {
        self.origin = origin
        self.resolution = resolution
    }

    deinit {
        if let cairo { cairo_destroy(cairo) }
    }

    /// Begins drawing on a surface, with a new state.
    ///
    /// - Parameters:
    ///   - size: The size of the page in points.
    ///   - scale: The number of surface units per point.
    ///   - corner: The coordinates of the page's upper left corner, or of its lower left corner if the origin is
    ///     `Origin.lowerLeft`.
    func open(on surface: OpaquePointer, size: Size, scale: Double, corner: Point = .zero) {
        shut()
        extent = size
        let upright = AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: 0, ty: 0)
        base =
            switch origin {
            case .topLeft: upright
            case .lowerLeft: AffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: size.height).concatenating(upright)
            }
        base = base.translated(x: -corner.x, y: -corner.y)
        state = GraphicsState()
        pathOnPage = Path()
        saved = []
        cairo = cairo_create(surface)
        applyState()
    }

    /// The method also draws transparency layers that are still open.
    func shut() {
        guard let cairo else { return }
        unwind(to: 0)
        noteStatus()
        cairo_destroy(cairo)
        self.cairo = nil
    }

    /// The object that converts PDF pages to pixels for drawing into this context.
    ///
    /// The default is `nil`.
    public var pdfRasterizer: (any PDFPageRasterizer)?

    /// Draws a page of another PDF into a rectangle.
    ///
    /// A PDF context overrides this method and embeds the page unchanged.
    func place(_ page: PDFPage, in rect: Rect) { rasterize(page, in: rect) }

    /// Whether the surface stores each image as a separate object, as a PDF does.
    ///
    /// If false, a drawn image only changes pixels of the surface.
    var keepsImages: Bool { false }

    /// Prepares for drawing in a blend mode that requires pixels.
    func preparePixels() {}

    /// Returns the pixels of an image as a cairo surface.
    ///
    /// On failure, the method stores the error in `failure` and returns `nil`.
    func surface(for content: ImageContent) -> ImageSurface? {
        do throws(GraphicsError) {
            guard let surface = try content.pixels().makeSurface() else { throw .noMemory("an image") }
            return ImageSurface(surface)
        } catch {
            note(error)
            return nil
        }
    }

    func handleDrawingWithoutSurface() {}

    /// Stores an error, unless an earlier error is stored.
    func note(_ failure: GraphicsError) {
        if self.failure == nil { self.failure = failure }
    }

    func forgetFailure() { failure = nil }

    func noteStatus() {
        guard let cairo else { return }
        let status = cairo_status(cairo)
        if status != CAIRO_STATUS_SUCCESS {
            note(.refused(by: "cairo", cause: String(cString: cairo_status_to_string(status))))
        }
    }

    // MARK: Saved states

    /// Saves the state, with the transformation and the clip, for `restoreState()`.
    public func saveState() {
        push(isLayer: false)
    }

    /// Restores the last saved state.
    ///
    /// Does nothing without a saved state, or if a transparency layer started after that state was saved.
    public func restoreState() {
        guard let last = saved.last, !last.isLayer else { return }
        pop()
    }

    /// Runs the body, then restores the state.
    public func withSavedState<Result, Failure: Error>(
        _ body: (GraphicsContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        saveState()
        let depth = saved.count - 1
        defer { unwind(to: depth) }
        return try body(self)
    }

    /// Restores states and ends layers until `depth` saved states remain.
    func unwind(to depth: Int) {
        while saved.count > depth, let last = saved.last {
            if last.isLayer { endTransparencyLayer() } else { restoreState() }
        }
    }

    func push(isLayer: Bool) {
        guard let cairo else { return handleDrawingWithoutSurface() }
        saved.append(SavedState(state: state, isLayer: isLayer))
        cairo_save(cairo)
    }

    func pop() {
        guard let cairo, let last = saved.popLast() else { return }
        cairo_restore(cairo)
        state = last.state
        applyState()
    }

    private func applyState() {
        guard let cairo else { return }
        applyTransform()
        cairo_set_tolerance(cairo, state.flatness)
        cairo_set_antialias(cairo, state.antialiases ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
    }

    /// Applies the transformation to the cairo context.
    ///
    /// A degenerate transformation is not copied, because cairo rejects its matrix.
    func applyTransform() {
        guard let cairo, !state.isDegenerate else { return }
        var matrix = cairo_matrix_t(state.transform.concatenating(base))
        cairo_set_matrix(cairo, &matrix)
    }
}

extension cairo_matrix_t {
    init(_ transform: AffineTransform) {
        self.init(
            xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx, y0: transform.ty)
    }
}
