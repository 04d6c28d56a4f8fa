// Tiling patterns.

import CCairo
import FoundationEssentials

/// A cell that repeats in both directions, for fills and strokes (`CGPattern`).
///
///     let dots = Pattern(cell: Size(width: 8, height: 8)) { cell in
///         cell.fillColor = .red
///         cell.fillEllipse(in: Rect(x: 2, y: 2, width: 4, height: 4))
///     }
///     dots.setFill()
///     BezierPath(rect: page).fill()
///
/// The cells start at the origin of the page, and transformations do not affect the cells. Therefore adjacent shapes
/// show one continuous pattern. In a PDF, a pattern stays a vector drawing.
public struct Pattern: Sendable {
    /// The size of a cell, in points.
    ///
    /// Adjacent cells have no gap between them.
    public let cell: Size
    private let draw: @Sendable (GraphicsContext) -> Void

    /// Creates a pattern.
    ///
    /// The closure draws one cell, with the origin at the cell's upper left corner.
    ///
    /// Drawing outside the cell is clipped. A cell without a finite, positive size draws nothing. The closure's
    /// argument is also the current context. The closure runs each time the pattern is used for drawing.
    public init(cell: Size, draw: @escaping @Sendable (GraphicsContext) -> Void) {
        (self.cell, self.draw) = (cell, draw)
    }

    /// Sets the pattern for fills of the current context.
    ///
    /// Does nothing without a current context.
    public func setFill() { GraphicsContext.current?.setFillPattern(self) }

    /// Sets the pattern for strokes of the current context.
    ///
    /// Does nothing without a current context.
    public func setStroke() { GraphicsContext.current?.setStrokePattern(self) }

    /// The cells start at the origin of the graphics context before its transformations.
    func setSource(on cairo: OpaquePointer, of context: GraphicsContext) {
        var extents = cairo_rectangle_t(x: 0, y: 0, width: cell.width, height: cell.height)
        guard cell.width > 0, cell.height > 0, cell.width.isFinite, cell.height.isFinite,
            let recording = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
        else { return cairo_set_source_rgba(cairo, 0, 0, 0, 0) }
        defer { cairo_surface_destroy(recording) }
        let drawing = RecordingContext(on: recording, size: cell, resolution: context.resolution)
        drawing.marks = context.marks
        drawing.draw { draw(drawing) }
        drawing.shut()
        context.marks.note(drawing.marks)
        if let failure = drawing.failure { context.note(failure) }

        guard let pattern = cairo_pattern_create_for_surface(recording) else { return }
        defer { cairo_pattern_destroy(pattern) }
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
        // The pattern matrix maps user space to base space, in which the cells lie.
        var placed = cairo_matrix_t(context.state.transform)
        cairo_pattern_set_matrix(pattern, &placed)
        cairo_set_source(cairo, pattern)
    }
}

final class RecordingContext: GraphicsContext {
    init(on surface: OpaquePointer, size: Size, resolution: Double) {
        super.init(origin: .topLeft, resolution: resolution)
        open(on: surface, size: size, scale: 1)
    }
}
