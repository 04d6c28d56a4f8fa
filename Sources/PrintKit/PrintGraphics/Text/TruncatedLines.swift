// Truncates lines of a paragraph with "…".

import CCairo
import FoundationEssentials

/// The text that a truncated line omits.
///
/// A truncated line has a separate text with only the visible characters, so that a PDF contains only these characters.
/// With Pango's ellipsis, the PDF would also contain the hidden text, and readers could find and copy the hidden text.
struct Omission {
    static let ellipsis = Array("…".utf8)

    /// The range of the paragraph's text that the line represents.
    let range: Range<Int>
    /// The part of `range` that is not shown.
    let hidden: Range<Int>

    /// Returns the offset in the line's text for an offset in the paragraph's text.
    func shown(_ offset: Int) -> Int {
        if offset < hidden.lowerBound { return offset - range.lowerBound }
        let ellipsis = hidden.lowerBound - range.lowerBound
        return offset < hidden.upperBound ? ellipsis : offset - hidden.upperBound + ellipsis + Self.ellipsis.count
    }

    /// Returns the offset in the paragraph's text for an offset in the line's text.
    func original(_ offset: Int) -> Int {
        let ellipsis = hidden.lowerBound - range.lowerBound
        if offset <= ellipsis { return offset + range.lowerBound }
        return max(offset - ellipsis - Self.ellipsis.count, 0) + hidden.upperBound
    }
}

extension ParagraphLayout {
    /// Returns at least one line; the character "…" replaces omitted text.
    func truncatedLines() -> [LineFragment] {
        let all = brokenLines
        let count = max(1, fittingCount(of: all))
        guard all.count > count else { return all.enumerated().map { truncated($1, isFirst: $0 == 0) } }
        if style.lineBreakMode == .byTruncatingHead {
            let rest = all.suffix(count - 1)
            let start = rest.first?.range.lowerBound ?? range.upperBound
            return [line(range.lowerBound..<start, isFirst: true)] + rest.map { truncated($0, isFirst: false) }
        }
        let start = all[count - 1].range.lowerBound
        return all.prefix(count - 1).enumerated().map { truncated($1, isFirst: $0 == 0) }
            + [line(start..<range.upperBound, isFirst: count == 1)]
    }

    private func fittingCount(of lines: [LineFragment]) -> Int {
        var (y, count) = (0.0, 0)
        for line in lines {
            y += style.lineHeight(of: line)
            guard y <= height + 0.01 else { break }
            y += max(0, plain(style.lineSpacing))
            count += 1
        }
        return count
    }

    /// Truncates a line that exceeds the available width, such as a line with a very long word.
    private func truncated(_ fragment: LineFragment, isFirst: Bool) -> LineFragment {
        fragment.width <= room(isFirst: isFirst) + 0.01 ? fragment : line(fragment.range, isFirst: isFirst)
    }

    /// If the line exceeds the available width, the line contains "…".
    private func line(_ range: Range<Int>, isFirst: Bool) -> LineFragment {
        // Trailing spaces take no room.
        let end = source.bytes[range].lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? range.lowerBound
        let shown = range.lowerBound..<end
        let isStart = isStart && isFirst
        var layout = ParagraphLayout(line: source, range: shown, isStart: isStart, of: self)
        if let hidden = layout.hiddenRange(style.lineBreakMode) {
            let omission = Omission(range: shown, hidden: hidden)
            let text = source.replacing(hidden, in: shown, by: Omission.ellipsis)
            layout = ParagraphLayout(
                line: text, range: 0..<text.bytes.count, isStart: isStart, of: self, omission: omission)
        }
        // Pango returns at least one line, even for an empty text.
        return LineFragment(layout.lines[0], of: layout, range: range)
    }

    /// Returns the range that Pango omits to fit the text into one line; `nil` if all of the text fits.
    private func hiddenRange(_ mode: LineBreakMode) -> Range<Int>? {
        let pango = pango_layout_copy(layout)!
        defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
        pango_layout_set_width(pango, pangoUnits(room(isFirst: true)))
        pango_layout_set_indent(pango, 0)
        let place =
            switch mode {
            case .byTruncatingHead: PANGO_ELLIPSIZE_START
            case .byTruncatingMiddle: PANGO_ELLIPSIZE_MIDDLE
            default: PANGO_ELLIPSIZE_END
            }
        pango_layout_set_ellipsize(pango, place)
        var runs = pango_layout_get_line_readonly(pango, 0)?.pointee.runs
        while let entry = runs {
            let item = entry.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self).pointee.item.pointee
            if let item, item.analysis.flags & UInt8(PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) != 0 {
                let start = range.lowerBound + Int(item.offset)
                return start..<start + Int(item.length)
            }
            runs = entry.pointee.next
        }
        return nil
    }
}

extension ParagraphStyle {
    /// Returns the height of a line with the adjustments of the style, in points.
    func lineHeight(of fragment: LineFragment) -> Double {
        var height = fragment.ascent + fragment.descent
        if lineHeightMultiple > 0, lineHeightMultiple.isFinite { height *= lineHeightMultiple }
        height = max(height, plain(minimumLineHeight))
        if maximumLineHeight > 0 { height = min(height, maximumLineHeight) }
        return height
    }
}

extension TextSource {
    /// Returns the text in `range`, after the bytes `new` have replaced the text in `part`.
    ///
    /// The bytes have the style at the start of `part`.
    func replacing(_ part: Range<Int>, in range: Range<Int>, by new: [UInt8]) -> TextSource {
        let ranges = [range.lowerBound..<part.lowerBound, part, part.upperBound..<range.upperBound]
        var text = ContiguousArray<UInt8>()
        var runs: [Run] = []
        func append(_ bytes: some Sequence<UInt8>, _ style: TextStyle) {
            let start = text.count
            text.append(contentsOf: bytes)
            if text.count > start { runs.append(Run(range: start..<text.count, style: style)) }
        }
        for (index, range) in ranges.enumerated() where !range.isEmpty {
            if index == 1 {
                append(new, style(at: part.lowerBound))
            } else {
                for run in self.runs(in: range) { append(bytes[run.range.clamped(to: range)], run.style) }
            }
        }
        return TextSource(bytes: text, runs: runs)
    }
}
