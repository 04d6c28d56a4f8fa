// Strings that measure and draw themselves.

public import FoundationEssentials

extension String {
    /// The size of the text in one line (`sizeWithFont:`), in points.
    public func size(with font: Font) -> Size {
        lineSetter(font, .byClipping).suggestedSize(within: Size(width: .infinity, height: .infinity))
    }

    /// The size of the text in lines no longer than the width given (`sizeWithFont:constrainedToSize:lineBreakMode:`).
    ///
    /// What does not fit into the height is not counted.
    public func size(
        with font: Font, constrainedTo size: Size, lineBreakMode: LineBreakMode = .byWordWrapping
    ) -> Size {
        lineSetter(font, lineBreakMode).suggestedSize(within: size)
    }

    /// Draws the text in one line on the current context, in its fill colour, and returns its size (`drawAtPoint:`).
    ///
    /// - Parameter point: The upper left corner of the line; its baseline lies `font.ascender` below.
    @discardableResult
    public func draw(at point: Point, with font: Font) -> Size {
        let setter = lineSetter(font, .byClipping)
        setter.frame(in: Rect(origin: point, size: Size(width: 1e6, height: 1e6))).draw()
        return setter.suggestedSize(within: Size(width: .infinity, height: .infinity))
    }

    /// Draws the text in as many lines as fit into a rectangle, and returns the size they take (`drawInRect:`).
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
    /// The size of the text in lines no longer than the width given, in points; paragraphs keep their styles.
    public func size(constrainedTo limit: Size = Size(width: .infinity, height: .infinity)) -> Size {
        Framesetter(self).suggestedSize(within: limit)
    }

    /// Draws the text on the current context, without breaking its lines.
    ///
    /// - Parameter point: The upper left corner of the first line.
    public func draw(at point: Point) {
        draw(in: Rect(origin: point, size: Size(width: 1e6, height: 1e6)))
    }

    /// Draws as many lines of the text as fit into a rectangle on the current context.
    public func draw(in rect: Rect) { Framesetter(self).frame(in: rect).draw() }
}
