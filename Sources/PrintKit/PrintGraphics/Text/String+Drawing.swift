// Measures and draws strings.

public import FoundationEssentials

extension String {
    /// Returns the size of the text as a single line, in points (`sizeWithFont:`).
    public func size(with font: Font) -> Size {
        lineSetter(font, .byClipping).suggestedSize(within: Size(width: .infinity, height: .infinity))
    }

    /// Returns the size of the text with line breaks at a maximum width
    /// (`sizeWithFont:constrainedToSize:lineBreakMode:`).
    ///
    /// The size does not include lines that exceed the maximum height.
    public func size(
        with font: Font, constrainedTo size: Size, lineBreakMode: LineBreakMode = .byWordWrapping
    ) -> Size {
        lineSetter(font, lineBreakMode).suggestedSize(within: size)
    }

    /// Draws the text as a single line in the fill color of the current context (`drawAtPoint:`).
    ///
    /// Returns the size of the line.
    ///
    /// - Parameter point: The upper left corner of the line. The baseline is `font.ascender` below this point.
    @discardableResult
    public func draw(at point: Point, with font: Font) -> Size {
        let setter = lineSetter(font, .byClipping)
        setter.frame(in: Rect(origin: point, size: Size(width: 1e6, height: 1e6))).draw()
        return setter.suggestedSize(within: Size(width: .infinity, height: .infinity))
    }

    /// Draws the lines that fit into a rectangle (`drawInRect:`).
    ///
    /// Returns the size of the drawn lines.
    @discardableResult
    public func draw(
        in rect: Rect, with font: Font, lineBreakMode: LineBreakMode = .byWordWrapping,
        alignment: TextAlignment = .natural
    ) -> Size {
        let setter = Framesetter(
            self, font: font, style: ParagraphStyle(alignment: alignment, lineBreakMode: lineBreakMode))
        let frame = setter.frame(in: rect)
        GraphicsContext.current?.withSavedState { context in
            if lineBreakMode == .byClipping { context.clip(to: rect) }
            frame.draw()
        }
        return setter.suggestedSize(within: rect.size)
    }

    private func lineSetter(_ font: Font, _ mode: LineBreakMode) -> Framesetter {
        Framesetter(self, font: font, style: ParagraphStyle(alignment: .left, lineBreakMode: mode))
    }
}

extension AttributedString {
    /// Returns the size of the text with line breaks at a maximum width, in points.
    ///
    /// Paragraphs keep their styles.
    public func size(constrainedTo limit: Size = Size(width: .infinity, height: .infinity)) -> Size {
        Framesetter(self).suggestedSize(within: limit)
    }

    /// Draws the text on the current context without breaking lines.
    ///
    /// - Parameter point: The upper left corner of the first line.
    public func draw(at point: Point) {
        draw(in: Rect(origin: point, size: Size(width: 1e6, height: 1e6)))
    }

    /// Draws the lines of the text that fit into a rectangle on the current context.
    public func draw(in rect: Rect) { Framesetter(self).frame(in: rect).draw() }
}
