// A line of plain text, composed of cached word shapes.

import CCairo
import FoundationEssentials

/// A line of printable ASCII characters in one font.
///
/// The line looks like a line that Pango laid out. The layout takes much less time than with Pango.
struct PlainLine {
    private let source: TextSource
    private let range: Range<Int>
    private let shapes: WordShapes
    private var words: ContiguousArray<WordShapes.Word> = []
    private var units = 0

    /// Lays out a part of a paragraph as a single line of any length.
    ///
    /// Returns `nil` if the text is not printable ASCII in one font.
    init?(_ source: TextSource, range: Range<Int>, style: TextStyle, engine: TextEngine) {
        guard !range.isEmpty, style.isPlain, source.runs(in: range).count == 1 else { return nil }
        var (letters, spaces) = (false, 0)
        for byte in source.bytes[range] {
            guard byte >= 0x20, byte < 0x7F else { return nil }
            if byte == 0x20 { spaces += 1 }
            letters = letters || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
        }
        guard let shapes = engine.shapes(of: style.font, hasLetters: letters) else { return nil }
        (self.source, self.range, self.shapes) = (source, range, shapes)
        // A document may have thousands of lines, and most have single spaces between words.
        words.reserveCapacity(min(spaces + 1, 40))
        guard takeWords() else { return nil }
    }

    var width: Double { Double(units) / Double(PANGO_SCALE) }
    var ascent: Double { shapes.ascent }
    var descent: Double { shapes.descent }

    /// Divides the text into words, shapes each word, and appends the shapes to `words`.
    ///
    /// A word includes the spaces before it.
    ///
    /// Returns false if a word cannot be shaped separately.
    private mutating func takeWords() -> Bool {
        source.bytes.withUnsafeBufferPointer { bytes in
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start
                while end < range.upperBound, bytes[end] == 0x20 { end += 1 }
                while end < range.upperBound, bytes[end] != 0x20 { end += 1 }
                let word = UnsafeBufferPointer(rebasing: bytes[start..<end])
                guard let shaped = shapes.word(word, isBeforeSpace: end < range.upperBound) else { return false }
                words.append(shaped)
                units += Int(shaped.width)
                start = end
            }
            return true
        }
    }

    /// Draws the glyphs at the current point.
    ///
    /// Cairo rounds the current point slightly, as for text that Pango draws.
    func show(on cairo: OpaquePointer) {
        var start = (x: 0.0, y: 0.0)
        cairo_get_current_point(cairo, &start.x, &start.y)
        var x = 0
        var glyphs: ContiguousArray<cairo_glyph_t> = []
        var clusters: ContiguousArray<cairo_text_cluster_t> = []
        glyphs.reserveCapacity(range.count)
        clusters.reserveCapacity(range.count)
        for word in words {
            for glyph in shapes.glyphs[word.glyphs] {
                glyphs.append(
                    cairo_glyph_t(
                        index: UInt(glyph.index), x: start.x + Double(x + Int(glyph.x)) / Double(PANGO_SCALE),
                        y: start.y + points(glyph.y)))
                clusters.append(cairo_text_cluster_t(num_bytes: glyph.characters, num_glyphs: 1))
                x += Int(glyph.advance)
            }
        }
        cairo_set_scaled_font(cairo, shapes.scaledFont)
        source.withCharacters(in: range) { text in
            glyphs.withUnsafeBufferPointer { glyphs in
                clusters.withUnsafeBufferPointer { clusters in
                    cairo_show_text_glyphs(
                        cairo, text, Int32(range.count), glyphs.baseAddress, Int32(glyphs.count),
                        clusters.baseAddress, Int32(clusters.count), cairo_text_cluster_flags_t(0))
                }
            }
        }
    }
}

extension TextStyle {
    /// Whether the style sets only a font and a paragraph style.
    fileprivate var isPlain: Bool {
        color == nil && background == nil && underline == nil && !isStruckThrough && kern == 0 && baselineOffset == 0
            && language == nil
    }
}
