// One paragraph, or the rest of one, broken into lines by Pango.

import CCairo
import FoundationEssentials

/// The lines of a stretch of a paragraph.
final class ParagraphLayout {
    /// The offsets in the text that were laid out.
    let range: Range<Int>
    let width: Double
    let style: ParagraphStyle
    private let layout: OpaquePointer

    /// Lays out a stretch of a paragraph.
    ///
    /// - Parameters:
    ///   - isStart: the stretch begins the paragraph, so that its first line has the first line's indent.
    ///   - width: from margin to margin, in points.
    ///   - height: the room there is, for modes that leave out what does not fit.
    init(_ source: TextSource, range: Range<Int>, isStart: Bool, width: Double, height: Double) {
        let engine = TextEngine.ofThisThread
        self.range = range
        self.width = width
        style = source.style(at: range.lowerBound).paragraph
        layout = pango_layout_new(engine.context)
        source.withCharacters(in: range) { pango_layout_set_text(layout, $0, Int32(range.count)) }
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_font_description(layout, engine.description(of: source.style(at: range.lowerBound).font))
        let attributes = PangoAttributes(source, range: range, engine: engine)
        pango_layout_set_attributes(layout, attributes.list)
        apply(style, isStart: isStart, height: height)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    private(set) lazy var lines: [LineFragment] = readLines()

    /// From the leading margin to where lines may begin, and the width they may have.
    private var indents: (first: Double, others: Double, width: Double) {
        let head = max(0, plain(style.headIndent))
        let tail = plain(style.tailIndent)
        let end = tail > 0 ? min(tail, width) : width + tail
        return (max(0, plain(style.firstLineHeadIndent)), head, max(1, end - head))
    }

    private func apply(_ style: ParagraphStyle, isStart: Bool, height: Double) {
        let (first, others, width) = indents
        switch style.lineBreakMode {
        case .byWordWrapping: pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        case .byCharWrapping: pango_layout_set_wrap(layout, PANGO_WRAP_CHAR)
        case .byClipping: break
        case .byTruncatingHead: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_START)
        case .byTruncatingMiddle: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE)
        case .byTruncatingTail: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        }
        if style.lineBreakMode != .byClipping { pango_layout_set_width(layout, pangoUnits(width)) }
        if style.lineBreakMode.truncates { pango_layout_set_height(layout, max(1, pangoUnits(height))) }
        if isStart, first != others { pango_layout_set_indent(layout, pangoUnits(first - others)) }
        if style.alignment == .justified { pango_layout_set_justify(layout, 1) }
        applyTabs(style, indent: others)
    }

    private func applyTabs(_ style: ParagraphStyle, indent: Double) {
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

    private func readLines() -> [LineFragment] {
        let count = Int(pango_layout_get_line_count(layout))
        var lines: [LineFragment] = []
        lines.reserveCapacity(count)
        var list = pango_layout_get_lines_readonly(layout)
        while let entry = list {
            if let data = entry.pointee.data {
                let line = data.assumingMemoryBound(to: PangoLayoutLine.self)
                lines.append(fragment(line, isLast: lines.count + 1 == count))
            }
            list = entry.pointee.next
        }
        return lines
    }

    private func fragment(_ line: UnsafeMutablePointer<PangoLayoutLine>, isLast: Bool) -> LineFragment {
        var logical = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &logical)
        let start = range.lowerBound + Int(line.pointee.start_index)
        let isFirst = pango_layout_line_is_paragraph_start(line) != 0
        let (first, others, full) = indents
        let indent = isFirst && pango_layout_get_indent(layout) != 0 ? first : others
        let room = full + others - indent
        let width = points(logical.width)
        let isRightToLeft = pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
        let free = style.lineBreakMode == .byClipping ? max(room - width, 0) : room - width
        let shift: Double =
            switch style.alignment {
            case .left: 0
            case .center: free / 2
            case .right: free
            case .justified, .natural: isRightToLeft ? free : 0
            }
        return LineFragment(
            owner: self, line: line, range: start..<start + Int(line.pointee.length),
            x: (isRightToLeft ? self.width - indent - room : indent) + shift, width: width,
            ascent: -points(logical.y), descent: points(logical.height + logical.y))
    }
}

/// A line as Pango broke it.
struct LineFragment {
    /// Keeps the line alive.
    let owner: ParagraphLayout
    let line: UnsafeMutablePointer<PangoLayoutLine>
    let range: Range<Int>
    /// From the left margin, in points.
    let x: Double
    let width: Double
    let ascent: Double
    let descent: Double
}

/// A length, or 0 for what is none.
func plain(_ length: Double) -> Double { length.isFinite ? length : 0 }
