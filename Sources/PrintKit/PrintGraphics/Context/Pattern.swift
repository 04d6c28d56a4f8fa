// A drawing repeated over an area.

import CCairo
import FoundationEssentials

/// A cell that is repeated in both directions, to fill and stroke with (`CGPattern`).
///
///     let dots = Pattern(cell: Size(width: 8, height: 8)) { cell in
///         cell.fillColor = .red
///         cell.fillEllipse(in: Rect(x: 2, y: 2, width: 4, height: 4))
///     }
///     dots.setFill()
///     BezierPath(rect: page).fill()
///
/// Cells are counted from the page's corner and follow no transformation, so that neighbouring shapes continue one
/// pattern. In a PDF a pattern stays a drawing.
public struct Pattern: Sendable {
    /// The distance from cell to cell, in points.
    public let cell: Size
    private let draw: @Sendable (GraphicsContext) -> Void

    /// A pattern whose cell is drawn by a closure, with the cell's upper left corner as origin.
    ///
    /// What lies outside of the cell is cut. A cell without a finite, positive size fills with nothing. The closure also
    /// finds its context as the current one; it is called whenever something is drawn with the pattern.
    public init(cell: Size, draw: @escaping @Sendable (GraphicsContext) -> Void) {
        (self.cell, self.draw) = (cell, draw)
    }

    /// Makes it what the current context fills with; without one nothing happens.
    public func setFill() { GraphicsContext.current?.setFillPattern(self) }

    /// Makes it what the current context draws lines with; without one nothing happens.
    public func setStroke() { GraphicsContext.current?.setStrokePattern(self) }

    /// Makes it cairo's source, anchored at the base space of a context.
    func setSource(on cairo: OpaquePointer, of context: GraphicsContext) {
        var extents = cairo_rectangle_t(x: 0, y: 0, width: cell.width, height: cell.height)
        guard cell.width > 0, cell.height > 0, cell.width.isFinite, cell.height.isFinite,
            let recording = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
        else { return cairo_set_source_rgba(cairo, 0, 0, 0, 0) }
        defer { cairo_surface_destroy(recording) }
        let drawing = RecordingContext(on: recording, size: cell, resolution: context.resolution)
        drawing.draw { draw(drawing) }
        drawing.shut()
        if let failure = drawing.failure { context.note(failure) }

        guard let pattern = cairo_pattern_create_for_surface(recording) else { return }
        defer { cairo_pattern_destroy(pattern) }
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
        // From user space to the cells, over base space.
        var placed = cairo_matrix_t(context.state.transform)
        cairo_pattern_set_matrix(pattern, &placed)
        cairo_set_source(cairo, pattern)
    }
}

/// A context whose drawing is kept, to be drawn elsewhere.
final class RecordingContext: GraphicsContext {
    init(on surface: OpaquePointer, size: Size, resolution: Double) {
        super.init(origin: .topLeft, resolution: resolution)
        open(on: surface, size: size, scale: 1)
    }
}
