// Draws images on graphics contexts.

import CCairo
import FoundationEssentials

extension Image {
    /// Draws the image at its natural size on the current context, with its upper left corner at a point
    /// (`drawAtPoint:`).
    public func draw(at point: Point) { draw(in: Rect(origin: point, size: size)) }

    /// Draws the image into a rectangle of the current context, stretched to fill the rectangle (`drawInRect:`).
    public func draw(in rect: Rect) { GraphicsContext.current?.draw(self, in: rect) }

    /// Draws the image at its natural size.
    ///
    /// The given blend mode and alpha replace the values of the context.
    public func draw(at point: Point, blendMode: BlendMode, alpha: Double) {
        draw(in: Rect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
    }

    /// Draws the image into a rectangle.
    ///
    /// The given blend mode and alpha replace the values of the context.
    public func draw(in rect: Rect, blendMode: BlendMode, alpha: Double) {
        GraphicsContext.current?.withOwn(blendMode, alpha: alpha) { $0.draw(self, in: rect) }
    }
}

extension GraphicsContext {
    /// Draws an image into a rectangle, stretched to fill the rectangle (`CGContextDrawImage`).
    ///
    /// The image is upright if y grows downwards.
    ///
    /// If the pixels of a JPEG cannot be decoded, the error becomes the context's `failure`.
    public func draw(_ image: Image, in rect: Rect) {
        guard cairo != nil else { return handleDrawingWithoutSurface() }
        guard rect.isFinite, rect.width != 0, rect.height != 0 else { return }
        guard let surface = surface(for: image.content) else { return }
        if image.capInsets == .zero {
            drawWhole(surface, of: image, in: rect)
        } else {
            drawStretched(surface, of: image, in: rect)
        }
    }

    private func drawWhole(_ surface: ImageSurface, of image: Image, in rect: Rect) {
        let placed = image.placement(in: rect)
        render(boundedBy: BezierPath(rect: rect)) { cairo in
            cairo_save(cairo)
            var matrix = cairo_matrix_t(placed)
            cairo_transform(cairo, &matrix)
            cairo_set_source_surface(cairo, surface.pointer, 0, 0)
            if keepsImages {
                cairo_paint_with_alpha(cairo, state.alpha)
            } else {
                // Without padding, the edges would blend with the transparent area around the image.
                cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD)
                cairo_rectangle(cairo, 0, 0, Double(image.content.width), Double(image.content.height))
                if state.alpha < 1 {
                    cairo_clip(cairo)
                    cairo_paint_with_alpha(cairo, state.alpha)
                } else {
                    cairo_fill(cairo)
                }
            }
            cairo_restore(cairo)
        }
    }

    /// Only the edges and the center are stretched.
    private func drawStretched(_ surface: ImageSurface, of image: Image, in rect: Rect) {
        let (insets, size) = (image.capInsets, image.size)
        func cuts(_ start: Double, _ length: Double, _ near: Double, _ far: Double) -> [Double] {
            // If the two caps together do not fit, both caps shrink by the same factor.
            let share = min(1, length / max(near + far, 1e-9))
            return [start, start + near * share, start + length - far * share, start + length]
        }
        let from = (
            x: cuts(0, size.width, insets.left, insets.right), y: cuts(0, size.height, insets.top, insets.bottom)
        )
        let to = (
            x: cuts(rect.minX, rect.width, insets.left, insets.right),
            y: cuts(rect.minY, rect.height, insets.top, insets.bottom)
        )
        for row in 0..<3 {
            for column in 0..<3 {
                let part = Rect(
                    from: Point(x: from.x[column], y: from.y[row]), to: Point(x: from.x[column + 1], y: from.y[row + 1])
                )
                let place = Rect(
                    from: Point(x: to.x[column], y: to.y[row]), to: Point(x: to.x[column + 1], y: to.y[row + 1]))
                guard !part.isEmpty, !place.isEmpty else { continue }
                let (across, down) = (place.width / part.width, place.height / part.height)
                let whole = Rect(
                    x: place.minX - part.minX * across, y: place.minY - part.minY * down, width: size.width * across,
                    height: size.height * down)
                withSavedState { context in
                    context.clip(to: place)
                    context.drawWhole(surface, of: image, in: whole)
                }
            }
        }
    }
}

extension Rect {
    fileprivate init(from start: Point, to end: Point) {
        self.init(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
    }
}

extension Image {
    /// Returns the transform from stored pixels to the rectangle in which the image appears.
    func placement(in rect: Rect) -> AffineTransform {
        AffineTransform.scale(x: 1 / Double(content.width), y: 1 / Double(content.height))
            .concatenating(orientation.transform)
            .concatenating(.scale(x: rect.width, y: rect.height))
            .concatenating(.translation(x: rect.minX, y: rect.minY))
    }
}
