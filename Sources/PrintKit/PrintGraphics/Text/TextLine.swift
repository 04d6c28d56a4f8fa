// A laid-out line of text.

import CCairo
public import FoundationEssentials

/// Glyphs on one baseline (`CTLine`).
///
/// A line consists of runs with the same font and direction.
///
///     TextLine(AttributedString("No frame needed")).draw(at: Point(x: 72, y: 100))
///
/// A line stays in the isolation domain that created the line. The domain can run on different threads.
public struct TextLine {
    /// The range of the text that the line shows, as UTF-8 offsets.
    public let range: Range<Int>
    /// The start of the baseline, in the coordinates of the frame.
    ///
    /// For a line that does not belong to a frame, the value is (0, 0).
    public let origin: Point
    /// The width of the glyphs, in points.
    public let width: Double
    /// The height above the baseline, in points.
    public let ascent: Double
    /// The depth below the baseline, in points.
    public let descent: Double

    private let fragment: LineFragment
    /// The layout of the paragraph, which must exist as long as the line exists.
    private let layout: ParagraphLayout

    init(_ fragment: LineFragment, of layout: ParagraphLayout, origin: Point) {
        (self.fragment, self.layout) = (fragment, fragment.truncated ?? layout)
        self.origin = origin
        (range, width) = (fragment.range, fragment.width)
        (ascent, descent) = (fragment.ascent, fragment.descent)
    }

    /// Lays out a text as a single line of any length.
    ///
    /// Only the first paragraph is used.
    public init(_ text: AttributedString) {
        var style = ParagraphStyle(lineBreakMode: .byClipping)
        style.alignment = .left
        var text = text
        text.paragraphStyle = style
        let source = TextSource(text)
        let range = source.paragraphs.first?.range ?? 0..<0
        let layout = ParagraphLayout(source, range: range, isStart: false, width: 1e6, height: 1e6)
        // Pango returns at least one line, even for an empty text.
        self.init(layout.lines[0], of: layout, origin: .zero)
    }

    /// The smallest rectangle that contains the line, relative to the start of the line's baseline.
    public var bounds: Rect { Rect(x: 0, y: -ascent, width: width, height: ascent + descent) }

    /// The glyph runs of the line, from left to right.
    public var runs: [GlyphRun] {
        layout.withPangoLine(fragment) { line in
            var runs: [GlyphRun] = []
            var list = line.pointee.runs
            while let entry = list {
                if let data = entry.pointee.data {
                    let item = data.assumingMemoryBound(to: PangoGlyphItem.self).pointee
                    let start = Int(item.item.pointee.offset)
                    let range =
                        layout.offset(ofIndex: start)..<layout.offset(ofIndex: start + Int(item.item.pointee.length))
                    runs.append(GlyphRun(item, range: range))
                }
                list = entry.pointee.next
            }
            return runs
        }
    }

    /// The index of the line's paragraph in the text.
    var paragraphIndex: Int { layout.source.paragraphIndex(at: range.lowerBound) }

    /// Draws the line on the current context with the start of its baseline at a point.
    ///
    /// Does nothing without a current context. If the line break mode is `byClipping`, the line is clipped at the
    /// margins of its frame.
    public func draw(at baseline: Point) {
        guard baseline.isFinite, let context = GraphicsContext.current else { return }
        guard let clip = clip(at: baseline) else { return show(on: context, at: baseline) }
        context.withSavedState { context in
            context.clip(to: clip)
            show(on: context, at: baseline)
        }
    }

    /// Returns the clip rectangle of a line that exceeds the margins of its frame; `nil` for a line that fits.
    private func clip(at baseline: Point) -> Rect? {
        let left = -fragment.x
        guard layout.style.lineBreakMode == .byClipping, left > 0.01 || width > left + layout.width + 0.01 else {
            return nil
        }
        // Glyphs such as accents may exceed the line's height, so nothing is clipped above or below.
        let height = 4 * (ascent + descent)
        return Rect(x: baseline.x + left, y: baseline.y - height, width: layout.width, height: 2 * height)
    }

    private func show(on context: GraphicsContext, at baseline: Point) {
        for run in layout.source.runs(in: layout.omission == nil ? range : layout.range) {
            context.note(run.style.font)
            for color in [run.style.color, run.style.background] { if let color { _ = context.marks.note(color) } }
        }
        context.drawText { cairo, isOutline in
            cairo_move_to(cairo, bounded(baseline.x), bounded(baseline.y))
            if isOutline {
                layout.withPangoLine(fragment) { pango_cairo_layout_line_path(cairo, $0) }
            } else if let plain = fragment.plain {
                layout.engine.lock.withLock { plain.show(on: cairo) }
            } else {
                layout.withPangoLine(fragment) { pango_cairo_show_layout_line(cairo, $0) }
            }
        }
    }

    /// Returns the distance of a character from the start of the line, in points.
    ///
    /// - Parameter offset: The position of the character in the text, in UTF-8 bytes.
    public func position(ofCharacterAt offset: Int) -> Double {
        var x: Int32 = 0
        layout.withPangoLine(fragment) { line in
            pango_layout_line_index_to_x(line, Int32(layout.index(ofOffset: offset)), 0, &x)
        }
        return points(x)
    }

    /// Returns the UTF-8 offset of the character at a given distance from the start of the line.
    ///
    /// The distance is in points.
    public func offset(at x: Double) -> Int {
        var (index, trailing): (Int32, Int32) = (0, 0)
        _ = layout.withPangoLine(fragment) { pango_layout_line_x_to_index($0, pangoUnits(x), &index, &trailing) }
        return layout.offset(ofIndex: Int(index))
    }
}

/// Glyphs with one font and direction (`CTRun`).
public struct GlyphRun: Sendable {
    /// The range of the text that the run shows, as UTF-8 offsets.
    public let range: Range<Int>
    /// The number of glyphs, which can differ from the number of characters because of ligatures and accents.
    public let glyphCount: Int
    /// The width of the run, in points.
    public let width: Double
    /// The family of the font that is used.
    ///
    /// This family can differ from the requested family.
    public let fontFamily: String
    /// Whether the glyphs are in right-to-left order, as in Arabic and Hebrew.
    public let isRightToLeft: Bool

    init(_ item: PangoGlyphItem, range: Range<Int>) {
        self.range = range
        glyphCount = Int(item.glyphs.pointee.num_glyphs)
        width = points(pango_glyph_string_get_width(item.glyphs))
        isRightToLeft = item.item.pointee.analysis.level % 2 == 1
        var family = ""
        if let font = item.item.pointee.analysis.font, let description = pango_font_describe(font) {
            family = pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
            pango_font_description_free(description)
        }
        fontFamily = family
    }
}

extension GraphicsContext {
    /// - Parameter body: A closure that draws the glyphs. If `isOutline` is true, the closure adds the outlines of the
    ///   glyphs to the path instead.
    func drawText(_ body: (OpaquePointer, _ isOutline: Bool) -> Void) {
        let mode = state.textDrawingMode
        if mode == .fill || mode == .fillStroke { fillText(body) }
        if mode == .stroke || mode == .fillStroke {
            render { cairo in
                paint(with: state.stroke, on: cairo) { cairo in
                    cairo_new_path(cairo)
                    body(cairo, true)
                    state.line.apply(to: cairo, hairline: hairline)
                    cairo_stroke(cairo)
                }
            }
        }
    }

    /// Fills the glyphs of a text.
    ///
    /// The context's alpha does not apply to colors in the text. Therefore translucent text is first drawn into a
    /// group.
    private func fillText(_ body: (OpaquePointer, _ isOutline: Bool) -> Void) {
        render { cairo in
            guard state.alpha < 1 else {
                setSource(state.fill, on: cairo)
                return body(cairo, false)
            }
            let mode = cairo_get_operator(cairo)
            let alpha = state.alpha
            cairo_push_group(cairo)
            cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
            state.alpha = 1
            setSource(state.fill, on: cairo)
            state.alpha = alpha
            body(cairo, false)
            cairo_pop_group_to_source(cairo)
            cairo_set_operator(cairo, mode)
            cairo_paint_with_alpha(cairo, alpha)
        }
    }
}
