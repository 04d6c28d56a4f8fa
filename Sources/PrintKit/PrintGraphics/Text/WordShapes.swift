// A cache of shaped words for fast layout of plain text.

import CCairo
import FoundationEssentials

/// A cache of shaped words of plain text in one font.
///
/// Each word is shaped once.
///
/// Plain text is printable ASCII. The shape of a word includes the preceding spaces, and uses a following space as
/// context. Therefore kerning with spaces is the same as in the whole line.
final class WordShapes {
    /// A glyph for one character, or a ligature for several characters.
    struct Glyph {
        var index: UInt32
        /// The horizontal distance from the start position of the glyph to the drawing, in Pango units.
        var x: Int32
        var y: Int32
        /// The distance to the start of the next glyph, in Pango units.
        var advance: Int32
        var characters: Int32
    }

    /// The range of a word's glyphs in the cache, and the total width of the glyphs in Pango units.
    struct Word {
        var glyphs: Range<Int>
        var width: Int32
    }

    /// The height above the baseline, in points.
    let ascent: Double
    /// The depth below the baseline, in points.
    let descent: Double
    let scaledFont: OpaquePointer
    private(set) var glyphs: ContiguousArray<Glyph> = []

    /// The first glyph index that Pango uses for empty and unknown glyphs (`PANGO_GLYPH_EMPTY`).
    private static let noGlyph: UInt32 = 0x0FFF_FFFF

    /// The lock of the text engine.
    ///
    /// The lock is necessary because any thread can release the last reference to this cache.
    private let lock: RecursiveLock
    private let item: UnsafeMutablePointer<PangoItem>
    private var known: [Key: Word] = [:]
    private let scratch = pango_glyph_string_new()!

    /// Creates an empty cache for a font, with the height and depth of a sample text.
    ///
    /// Returns `nil` for a font whose characters Pango replaces (small capitals).
    ///
    /// - Parameter hasLetters: Whether the text has Latin letters. If the text has only digits and punctuation, other
    ///   shaping rules apply.
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

    var isFull: Bool { glyphs.count > 200_000 }

    /// Returns the shape of a word, from the cache if possible.
    ///
    /// Returns `nil` if `Glyph` cannot represent the glyphs of the word.
    ///
    /// - Parameters:
    ///   - word: The word, with its preceding spaces.
    ///   - isBeforeSpace: Whether a space follows the word. The space must follow `word` in memory.
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
            // Pango draws unknown characters and clusters of several glyphs.
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

    /// The key of a short word: its bytes, its length, and whether a space follows.
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
