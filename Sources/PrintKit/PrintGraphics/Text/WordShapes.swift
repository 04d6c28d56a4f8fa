// Words shaped once: what makes plain text fast.

import CCairo
import FoundationEssentials

/// The words of plain text as glyphs of one font, each shaped once.
///
/// Plain text is printable ASCII. A word is shaped with the spaces before it, and in sight of a space after it, so that
/// kerning with spaces is what it would be in the whole line.
final class WordShapes {
    /// A glyph that stands for one or, as a ligature, several characters.
    struct Glyph {
        var index: UInt32
        /// Where it is drawn, from where it begins, in Pango's units.
        var x: Int32
        var y: Int32
        /// From its beginning to the next one's, in Pango's units.
        var advance: Int32
        var characters: Int32
    }

    /// Where a word's glyphs are, and how wide they are together, in Pango's units.
    struct Word {
        var glyphs: Range<Int>
        var width: Int32
    }

    /// How far lines reach above and below the baseline, in points.
    let ascent: Double
    let descent: Double
    let scaledFont: OpaquePointer
    private(set) var glyphs: ContiguousArray<Glyph> = []

    /// From here on Pango's numbers stand for no glyph, or for an unknown one (`PANGO_GLYPH_EMPTY`).
    private static let noGlyph: UInt32 = 0x0FFF_FFFF

    /// The engine's: the last line of these words may be let go by any thread.
    private let lock: RecursiveLock
    private let item: UnsafeMutablePointer<PangoItem>
    private var known: [Key: Word] = [:]
    private let scratch = pango_glyph_string_new()!

    /// Nil for a font whose letters Pango does not take as they are.
    ///
    /// - Parameter hasLetters: Whether the text has Latin letters: signs and digits alone are shaped by other rules.
    init?(font: Font, hasLetters: Bool, engine: TextEngine) {
        guard !font.traits.contains(.smallCaps) else { return nil }
        lock = engine.lock
        let sample = hasLetters ? "a" : "1"
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_font_desc_new(engine.description(of: font)))
        defer { pango_attr_list_unref(attributes) }
        let items = pango_itemize(engine.context, sample, 0, 1, attributes, nil)
        defer { g_list_free(items) }
        guard let first = items?.pointee.data else { return nil }
        item = first.assumingMemoryBound(to: PangoItem.self)
        guard let face = item.pointee.analysis.font, let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(face))
        else {
            pango_item_free(item)
            return nil
        }
        scaledFont = scaled
        pango_shape(sample, 1, &item.pointee.analysis, scratch)
        var logical = PangoRectangle()
        pango_glyph_string_extents(scratch, face, nil, &logical)
        ascent = points(-logical.y)
        descent = points(logical.height + logical.y)
    }

    deinit {
        lock.withLock {
            pango_item_free(item)
            pango_glyph_string_free(scratch)
        }
    }

    /// Whether so many words are kept that it is time to begin anew.
    var isFull: Bool { glyphs.count > 200_000 }

    /// Shapes a word, or finds it; nil when its glyphs are not as simple as `Glyph` is.
    ///
    /// - Parameters:
    ///   - word: Spaces, if there are any, and letters.
    ///   - isBeforeSpace: Whether a space follows, which has to lie behind `word` in memory.
    func word(_ word: UnsafeBufferPointer<UInt8>, isBeforeSpace: Bool) -> Word? {
        guard let key = Key(word, isBeforeSpace: isBeforeSpace) else {
            return shape(word, isBeforeSpace: isBeforeSpace)
        }
        if let known = known[key] { return known }
        let shaped = shape(word, isBeforeSpace: isBeforeSpace)
        known[key] = shaped
        return shaped
    }

    private func shape(_ word: UnsafeBufferPointer<UInt8>, isBeforeSpace: Bool) -> Word? {
        let start = glyphs.count
        let length = word.count + (isBeforeSpace ? 1 : 0)
        word.withMemoryRebound(to: CChar.self) {
            pango_shape($0.baseAddress, Int32(length), &item.pointee.analysis, scratch)
        }
        let count = Int(scratch.pointee.num_glyphs) - (isBeforeSpace ? 1 : 0)
        guard count > 0, let infos = scratch.pointee.glyphs, let clusters = scratch.pointee.log_clusters,
            !isBeforeSpace || clusters[count] == Int32(word.count)
        else { return nil }
        var width: Int32 = 0
        for index in 0..<count {
            let (info, begin) = (infos[index], clusters[index])
            let end = index + 1 < count ? clusters[index + 1] : Int32(word.count)
            // Unknown letters and clusters of several glyphs are left to Pango.
            guard end > begin, info.glyph < Self.noGlyph else {
                glyphs.removeLast(glyphs.count - start)
                return nil
            }
            glyphs.append(
                Glyph(
                    index: info.glyph, x: info.geometry.x_offset, y: info.geometry.y_offset,
                    advance: info.geometry.width, characters: end - begin))
            width += info.geometry.width
        }
        return Word(glyphs: start..<glyphs.count, width: width)
    }

    /// A short word's bytes, its length, and whether a space follows.
    private struct Key: Hashable {
        var low: UInt64 = 0
        var high: UInt64

        init?(_ word: UnsafeBufferPointer<UInt8>, isBeforeSpace: Bool) {
            guard word.count < 16 else { return nil }
            high = UInt64(word.count) << 57 | (isBeforeSpace ? 1 << 56 : 0)
            for (index, byte) in word.enumerated() {
                if index < 8 {
                    low |= UInt64(byte) << UInt64(index * 8)
                } else {
                    high |= UInt64(byte) << UInt64((index - 8) * 8)
                }
            }
        }
    }
}
