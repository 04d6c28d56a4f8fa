// Breaks a paragraph into lines with Pango.

import CCairo
import FoundationEssentials

/// The lines of a paragraph or of a part of a paragraph.
///
/// The layout uses the text engine of the thread that created the layout. While using Pango, the layout holds the
/// engine's lock.
final class ParagraphLayout {
    let engine: TextEngine
    let range: Range<Int>
    let width: Double
    let style: ParagraphStyle
    /// The text that a truncated line omits, or `nil` if the line is not truncated.
    let omission: Omission?
    let source: TextSource
    let isStart: Bool
    /// The height available for lines, in points.
    ///
    /// Only the truncating line break modes use the height.
    let height: Double
    /// The line break mode of the style, or `byClipping` for a line that has been truncated.
    private let mode: LineBreakMode
    private var made: OpaquePointer?

    /// - Parameters:
    ///   - isStart: Whether the part is at the start of the paragraph. If so, the first line has the indent of a
    ///     paragraph's first line.
    ///   - width: The distance between the margins, in points.
    ///   - height: The height available for lines, in points. Only the truncating line break modes use the height.
    init(_ source: TextSource, range: Range<Int>, isStart: Bool, width: Double, height: Double) {
        (self.source, self.range, self.isStart) = (source, range, isStart)
        (self.width, self.height) = (width, height)
        style = source.style(at: range.lowerBound).paragraph
        (engine, mode, omission) = (TextEngine.ofThisThread, style.lineBreakMode, nil)
    }

    /// Lays out a part of `whole`, which is a paragraph with truncated lines.
    ///
    /// The part becomes a single line of any length.
    ///
    /// - Parameter omission: The part of the paragraph's text that is missing in `source`; `nil` if `source` contains
    ///   the whole text.
    init(
        line source: TextSource, range: Range<Int>, isStart: Bool, of whole: ParagraphLayout, omission: Omission? = nil
    ) {
        (self.source, self.range, self.isStart, self.omission) = (source, range, isStart, omission)
        (width, height, style, engine) = (whole.width, whole.height, whole.style, whole.engine)
        mode = .byClipping
    }

    deinit {
        if let made { engine.lock.withLock { g_object_unref(UnsafeMutableRawPointer(made)) } }
    }

    /// The lines of the layout.
    ///
    /// If the text is printable ASCII in one font and fits into one line, the layout has a single plain line
    /// (`PlainLine`). Otherwise Pango breaks the text into lines.
    private(set) lazy var lines: [LineFragment] = engine.lock.withLock {
        if let plain = plainLine() { return [plain] }
        return mode.truncates ? truncatedLines() : brokenLines
    }

    /// The lines into which Pango breaks the text.
    ///
    /// A line can exceed the available width.
    var brokenLines: [LineFragment] { pangoLines.map(fragment) }

    /// Calls a closure with the Pango line of a fragment while this thread holds the engine's lock.
    ///
    /// For a plain line, the method passes the first Pango line, because the layout has only one line.
    func withPangoLine<Result>(
        _ fragment: LineFragment, _ body: (UnsafeMutablePointer<PangoLayoutLine>) -> Result
    ) -> Result {
        engine.lock.withLock { body(fragment.broken ?? pangoLines[0]) }
    }

    /// Returns the index in the Pango layout for an offset in the paragraph's text.
    func index(ofOffset offset: Int) -> Int { omission?.shown(offset) ?? offset - range.lowerBound }

    /// Returns the offset in the paragraph's text for an index in the Pango layout.
    func offset(ofIndex index: Int) -> Int { omission?.original(index) ?? range.lowerBound + index }

    private lazy var pangoLines = readLines()

    var layout: OpaquePointer {
        if let made { return made }
        let layout = pango_layout_new(engine.context)!
        source.withCharacters(in: range) { pango_layout_set_text(layout, $0, Int32(range.count)) }
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_font_description(layout, engine.description(of: source.style(at: range.lowerBound).font))
        let attributes = PangoAttributes(source, range: range, engine: engine)
        pango_layout_set_attributes(layout, attributes.list)
        apply(style, isStart: isStart, to: layout)
        made = layout
        return layout
    }

    /// The indents of the first line and of the other lines, and the width of the other lines.
    ///
    /// The indents are measured from the leading margin.
    var indents: (first: Double, others: Double, width: Double) {
        let head = max(0, plain(style.headIndent))
        let tail = plain(style.tailIndent)
        let end = tail > 0 ? min(tail, width) : width + tail
        return (max(0, plain(style.firstLineHeadIndent)), head, max(1, end - head))
    }

    private func apply(_ style: ParagraphStyle, isStart: Bool, to layout: OpaquePointer) {
        let (first, others, width) = indents
        switch mode {
        case .byWordWrapping: pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        case .byCharWrapping: pango_layout_set_wrap(layout, PANGO_WRAP_CHAR)
        case .byClipping: break
        // A word that is longer than a line is not broken at this point, because the word is truncated later.
        case .byTruncatingHead, .byTruncatingMiddle, .byTruncatingTail: pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
        }
        if mode != .byClipping { pango_layout_set_width(layout, pangoUnits(width)) }
        if isStart, first != others { pango_layout_set_indent(layout, pangoUnits(first - others)) }
        if style.alignment == .justified { pango_layout_set_justify(layout, 1) }
        applyTabs(style, indent: others, to: layout)
    }

    private func applyTabs(_ style: ParagraphStyle, indent: Double, to layout: OpaquePointer) {
        guard !style.tabStops.isEmpty else { return }
        let tabs = pango_tab_array_new(Int32(style.tabStops.count), 0)
        defer { pango_tab_array_free(tabs) }
        for (index, stop) in style.tabStops.sorted(by: { $0.location < $1.location }).enumerated() {
            let alignment =
                switch stop.alignment {
                case .right: PANGO_TAB_RIGHT
                case .center: PANGO_TAB_CENTER
                case .left, .justified, .natural: PANGO_TAB_LEFT
                }
            pango_tab_array_set_tab(
                tabs, Int32(index), alignment, max(1, pangoUnits(plain(stop.location) - indent)))
        }
        pango_layout_set_tabs(layout, tabs)
    }

    private func readLines() -> [UnsafeMutablePointer<PangoLayoutLine>] {
        var lines: [UnsafeMutablePointer<PangoLayoutLine>] = []
        lines.reserveCapacity(Int(pango_layout_get_line_count(layout)))
        var list = pango_layout_get_lines_readonly(layout)
        while let entry = list {
            if let data = entry.pointee.data { lines.append(data.assumingMemoryBound(to: PangoLayoutLine.self)) }
            list = entry.pointee.next
        }
        return lines
    }

    private func fragment(_ line: UnsafeMutablePointer<PangoLayoutLine>) -> LineFragment {
        var logical = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &logical)
        let start = range.lowerBound + Int(line.pointee.start_index)
        let isFirst = pango_layout_line_is_paragraph_start(line) != 0
        let width = points(logical.width)
        let isRightToLeft = pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
        return LineFragment(
            range: start..<start + Int(line.pointee.length),
            x: beginning(isFirst: isFirst, isRightToLeft: isRightToLeft, width: width), width: width,
            ascent: points(-logical.y), descent: points(logical.height + logical.y), broken: line)
    }

    /// Lays out the part of the paragraph as a line of plain text.
    ///
    /// Returns `nil` if the text is not printable ASCII in one font, or is wider than the line.
    private func plainLine() -> LineFragment? {
        guard
            let plain = PlainLine(
                source, range: range, style: source.style(at: range.lowerBound), engine: engine),
            mode == .byClipping || plain.width <= room(isFirst: true)
        else { return nil }
        return LineFragment(
            range: range, x: beginning(isFirst: true, isRightToLeft: false, width: plain.width), width: plain.width,
            ascent: plain.ascent, descent: plain.descent, plain: plain)
    }

    private func indent(isFirst: Bool) -> Double { isFirst && isStart ? indents.first : indents.others }

    /// Returns the width available for a line, in points.
    func room(isFirst: Bool) -> Double { indents.width + indents.others - indent(isFirst: isFirst) }

    /// Returns the x position at which a line starts, measured from the left margin, in points.
    private func beginning(isFirst: Bool, isRightToLeft: Bool, width: Double) -> Double {
        let (indent, room) = (indent(isFirst: isFirst), room(isFirst: isFirst))
        // A clipped line shows its beginning.
        let free = mode == .byClipping && !isRightToLeft ? max(room - width, 0) : room - width
        let shift: Double =
            switch style.alignment {
            case .left: 0
            case .center: free / 2
            case .right: free
            case .justified, .natural: isRightToLeft ? free : 0
            }
        return (isRightToLeft ? self.width - indent - room : indent) + shift
    }
}

/// A line of a paragraph.
///
/// The line is valid as long as the paragraph's layout exists.
struct LineFragment {
    private(set) var range: Range<Int>
    /// The distance of the line from the left margin, in points.
    let x: Double
    let width: Double
    let ascent: Double
    let descent: Double
    /// The shaped words of a line of plain text; `nil` for a line that Pango laid out.
    var plain: PlainLine?
    fileprivate var broken: UnsafeMutablePointer<PangoLayoutLine>?
    /// The separate layout of a truncated line; `nil` for other lines.
    var truncated: ParagraphLayout?

    /// Creates a line from a separate layout, such as a truncated line.
    ///
    /// The line represents the text in the given range of the paragraph.
    init(_ line: LineFragment, of layout: ParagraphLayout, range: Range<Int>) {
        self = line
        self.range = range
        truncated = layout
    }

    fileprivate init(
        range: Range<Int>, x: Double, width: Double, ascent: Double, descent: Double, plain: PlainLine? = nil,
        broken: UnsafeMutablePointer<PangoLayoutLine>? = nil
    ) {
        (self.range, self.x, self.width) = (range, x, width)
        (self.ascent, self.descent, self.plain, self.broken) = (ascent, descent, plain, broken)
    }
}

/// Returns the length, or 0 if the length is not finite.
func plain(_ length: Double) -> Double { length.isFinite ? length : 0 }
