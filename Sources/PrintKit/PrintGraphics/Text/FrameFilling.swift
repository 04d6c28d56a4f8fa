// Fills a frame with lines from top to bottom.

import FoundationEssentials

struct FrameFilling {
    /// The next part of the text to lay out: a paragraph, or the remaining part of a paragraph.
    struct Stretch {
        var range: Range<Int>
        var isStart: Bool
        var next: Int
    }

    let source: TextSource
    let start: Int
    let bottom: Double
    private(set) var y: Double
    private(set) var position: Int
    private(set) var lines: [TextLine] = []
    private var paragraph: Int

    init(source: TextSource, start: Int, bottom: Double, y: Double) {
        (self.source, self.start, self.bottom, self.y) = (source, start, bottom, y)
        position = start
        paragraph = source.paragraphIndex(at: start)
    }

    func room(for stretch: Stretch) -> Double { bottom - y - spacing(before: stretch) }

    /// The first paragraph of a frame has no space before it.
    private func spacing(before stretch: Stretch) -> Double {
        guard stretch.isStart, !lines.isEmpty else { return 0 }
        return max(0, plain(source.style(at: stretch.range.lowerBound).paragraph.paragraphSpacingBefore))
    }

    /// The next part of the text to lay out; `nil` at the end of the text.
    var next: Stretch? {
        guard paragraph < source.paragraphs.count else { return nil }
        let whole = source.paragraphs[paragraph]
        let from = min(max(position, whole.range.lowerBound), whole.range.upperBound)
        return Stretch(range: from..<whole.range.upperBound, isStart: from == whole.range.lowerBound, next: whole.next)
    }

    /// The method stops at the first line that does not fit, and returns false.
    mutating func take(
        _ fragments: ArraySlice<LineFragment>, of layout: ParagraphLayout, from left: Double, _ stretch: Stretch
    ) -> Bool {
        let style = layout.style
        y += spacing(before: stretch)
        for fragment in fragments {
            let height = style.lineHeight(of: fragment)
            // The tolerance compensates for rounding errors in sums of heights.
            guard y + height <= bottom + 0.01 else { return false }
            // Extra line height lies above the glyphs.
            let baseline = y + height - fragment.descent
            lines.append(TextLine(fragment, of: layout, origin: Point(x: left + fragment.x, y: baseline)))
            y += height + max(0, plain(style.lineSpacing))
            position = fragment.range.upperBound
        }
        if position >= stretch.range.upperBound || style.lineBreakMode.truncates || style.lineBreakMode == .byClipping {
            position = stretch.next
            paragraph += 1
            y += max(0, plain(style.paragraphSpacing))
        }
        return true
    }

    /// Returns the layout of the first line at the next vertical position where the outline is wide enough; `nil` if
    /// the outline is too narrow at all positions.
    mutating func place(
        _ stretch: Stretch, in outline: Outline, lineHeight height: inout Double, source: TextSource
    ) -> (layout: ParagraphLayout, left: Double)? {
        while y + height <= bottom + 0.01 {
            if let span = outline.span(from: y, to: y + height), span.upperBound - span.lowerBound >= height {
                let layout = ParagraphLayout(
                    source, range: stretch.range, isStart: stretch.isStart,
                    width: span.upperBound - span.lowerBound, height: 1)
                let needed = layout.style.lineHeight(of: layout.lines[0])
                if needed <= height + 0.01 { return (layout, span.lowerBound) }
                height = needed
            } else {
                y += 1
            }
        }
        return nil
    }
}
