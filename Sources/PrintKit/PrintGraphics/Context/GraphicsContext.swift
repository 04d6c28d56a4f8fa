// What is drawn on.

import CCairo

/// A surface that is drawn on, and how: the ancestor of `BitmapContext` and `PDFContext` (`CGContext`).
///
/// Values such as `BezierPath`, `Color` and `Image` draw into the context that is `current`. Drawing never throws: the
/// first thing that went wrong is kept in `failure`, and the call that ends the drawing throws it.
///
/// A context holds cairo's objects, so it stays in the isolation domain that made it.
public class GraphicsContext {
    /// Where the origin lies while nothing is transformed.
    public enum Origin: Hashable, Sendable {
        /// At the top left; y grows downwards.
        case topLeft
        /// At the bottom left; y grows upwards, as in contexts made at Quartz' lower level.
        case lowerLeft
    }

    /// Where the origin lies while nothing is transformed.
    public let origin: Origin
    /// The first thing that went wrong, if anything did; what ends the drawing throws it.
    public private(set) var failure: GraphicsError?

    /// The fonts that were used here for others that are not installed, in the order of their first use.
    ///
    ///     for substitution in pdf.fontSubstitutions { log("\(substitution)") }
    public internal(set) var fontSubstitutions: [Font.Substitution] = []
    /// The font of the text that was drawn last.
    var lastFont: Font?

    /// Nil while nothing can be drawn on, as between a PDF's pages.
    private(set) var cairo: OpaquePointer?
    /// From base space (points, before the user's transformations) to the surface.
    private(set) var base = AffineTransform.identity
    /// Pixels a point, for what has to be made of pixels: shadows and hairlines.
    let resolution: Double
    /// The size in points.
    private(set) var extent = Size.zero

    var state = GraphicsState()
    private(set) var saved: [SavedState] = []

    /// A state to go back to.
    struct SavedState {
        var state: GraphicsState
        /// Begun by a transparency layer, and ended by its end.
        var isLayer: Bool
    }

    init(origin: Origin, resolution: Double) {
        self.origin = origin
        self.resolution = resolution
    }

    deinit {
        if let cairo { cairo_destroy(cairo) }
    }

    /// Begins to draw on a surface, with a fresh state.
    ///
    /// - Parameters:
    ///   - size: what counts as the page, in points.
    ///   - scale: units of the surface a point.
    ///   - corner: what the page's upper left corner is called; its lower left one when the origin is there.
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
        saved = []
        cairo = cairo_create(surface)
        applyState()
    }

    /// Ends drawing on the surface; layers that are still open are drawn.
    func shut() {
        guard let cairo else { return }
        while let last = saved.last {
            if last.isLayer { endTransparencyLayer() } else { restoreState() }
        }
        noteStatus()
        cairo_destroy(cairo)
        self.cairo = nil
    }

    /// What makes pixels of PDF pages that are drawn here; none at first.
    public var pdfRasterizer: (any PDFPageRasterizer)?

    /// Draws a page of another PDF; a PDF takes it over as it is.
    func place(_ page: PDFPage, in rect: Rect) { rasterize(page, in: rect) }

    /// Whether images stay images on the surface, as in a PDF, instead of becoming its pixels.
    var keepsImages: Bool { false }

    /// Called before something is drawn in a blend mode for which the surface needs pixels.
    func preparePixels() {}

    /// The pixels for cairo; nil when they cannot be had, which is noted.
    func surface(for content: ImageContent) -> ImageSurface? {
        do throws(GraphicsError) {
            guard let surface = try content.pixels().makeSurface() else { throw .noMemory("an image") }
            return ImageSurface(surface)
        } catch {
            note(error)
            return nil
        }
    }

    /// Called when something is drawn while nothing is open.
    func noteNothingOpen() {}

    /// Keeps the first failure.
    func note(_ failure: GraphicsError) {
        if self.failure == nil { self.failure = failure }
    }

    /// Forgets the failure, which has been thrown.
    func forgetFailure() { failure = nil }

    /// Notes what cairo complains about.
    func noteStatus() {
        guard let cairo else { return }
        let status = cairo_status(cairo)
        if status != CAIRO_STATUS_SUCCESS {
            note(.refused(by: "cairo", cause: String(cString: cairo_status_to_string(status))))
        }
    }

    // MARK: Saved states

    /// Keeps the whole state, transformation and clip included, for `restoreState()`.
    public func saveState() {
        push(isLayer: false)
    }

    /// Goes back to the state that was saved last; without one, or inside a layer that was begun after it, nothing
    /// happens.
    public func restoreState() {
        guard let last = saved.last, !last.isLayer else { return }
        pop()
    }

    /// Runs some drawing, and goes back to the state before it.
    public func withSavedState<Result, Failure: Error>(
        _ body: (GraphicsContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        saveState()
        let depth = saved.count
        defer {
            while saved.count >= depth, let last = saved.last {
                if last.isLayer { endTransparencyLayer() } else { restoreState() }
            }
        }
        return try body(self)
    }

    func push(isLayer: Bool) {
        guard let cairo else { return noteNothingOpen() }
        saved.append(SavedState(state: state, isLayer: isLayer))
        cairo_save(cairo)
    }

    func pop() {
        guard let cairo, let last = saved.popLast() else { return }
        cairo_restore(cairo)
        state = last.state
        applyState()
    }

    /// Tells cairo what it has to know between drawings.
    private func applyState() {
        guard let cairo else { return }
        applyTransform()
        cairo_set_tolerance(cairo, state.flatness)
        cairo_set_antialias(cairo, state.antialiases ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
    }

    /// Tells cairo the transformation; one in which everything vanishes is kept from it.
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
