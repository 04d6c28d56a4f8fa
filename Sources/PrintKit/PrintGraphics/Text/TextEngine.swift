// The Pango context for text: in points and without hinting, so that lines have equal lengths on paper and in pixels.

import CCairo
import Glibc

/// A thread's Pango context, with caches of fonts and shapes.
///
/// If fonts have been registered since the engine was created, the thread uses a new engine for new layouts.
///
/// Each thread lays out text with a separate engine. If a task continues on another thread, the other thread can draw,
/// measure or release the layout.
///
/// Two threads must not use Pango objects of one font map at the same time. Therefore code that uses Pango objects, or
/// any property of the engine, must hold the engine's lock. No callback of other code runs while the lock is held, and
/// no thread holds the locks of two engines.
final class TextEngine {
    let lock = RecursiveLock()
    let context: OpaquePointer
    private let fonts: FontCatalog
    /// The version of the registered fonts.
    private let version: Int
    private var known: [Font: FontMetrics] = [:]
    private var descriptions: [Font: OpaquePointer] = [:]
    private var shapes: [ShapesKey: WordShapes] = [:]

    private init() {
        // Pango starts a thread that reads fontconfig's configuration. Without this call, the thread and the first use of
        // `FontCatalog` would both read all files of the configuration.
        FcInit()
        (fonts, version) = FontRegistry.shared.catalog
        // The thread's default font map may be in use by other libraries, such as librsvg, which do not take the lock.
        let map = pango_cairo_font_map_new()!
        // Without a reference to the configuration, Pango could use a configuration that was replaced and freed.
        let config = FcConfigReference(nil)
        pango_fc_font_map_set_config(OpaquePointer(map), config)
        FcConfigDestroy(config)
        context = pango_font_map_create_context(map)
        g_object_unref(UnsafeMutableRawPointer(map))
        pango_cairo_context_set_resolution(context, 72)
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
    }

    deinit {
        for description in descriptions.values { pango_font_description_free(description) }
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Returns Pango's description of the font.
    ///
    /// The engine owns the description.
    func description(of font: Font) -> OpaquePointer {
        if let known = descriptions[font] { return known }
        let description = pango_font_description_new()!
        pango_font_description_set_family(description, fonts.search(for: font.family))
        let weight = font.traits.contains(.bold) ? max(font.weight.rawValue, 700) : font.weight.rawValue
        pango_font_description_set_weight(description, PangoWeight(UInt32(weight)))
        if font.traits.contains(.italic) { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
        if font.traits.contains(.condensed) { pango_font_description_set_stretch(description, PANGO_STRETCH_CONDENSED) }
        if font.traits.contains(.expanded) { pango_font_description_set_stretch(description, PANGO_STRETCH_EXPANDED) }
        if font.traits.contains(.smallCaps) {
            pango_font_description_set_variant(description, PANGO_VARIANT_SMALL_CAPS)
        }
        pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
        descriptions[font] = description
        return description
    }

    /// Returns the cached word shapes of a font; `nil` for a font whose text must not be split into words.
    func shapes(of font: Font, hasLetters: Bool) -> WordShapes? {
        let key = ShapesKey(font: font, hasLetters: hasLetters)
        if let known = shapes[key], !known.isFull { return known }
        let made = WordShapes(font: font, hasLetters: hasLetters, engine: self)
        shapes[key] = made
        return made
    }

    private struct ShapesKey: Hashable {
        var font: Font
        var hasLetters: Bool
    }

    func metrics(of font: Font) -> FontMetrics {
        if let known = known[font] { return known }
        var found = FontMetrics()
        if let metrics = pango_context_get_metrics(context, description(of: font), nil) {
            found.ascent = points(pango_font_metrics_get_ascent(metrics))
            found.descent = points(pango_font_metrics_get_descent(metrics))
            found.height = points(pango_font_metrics_get_height(metrics))
            found.underlinePosition = points(pango_font_metrics_get_underline_position(metrics))
            found.underlineThickness = points(pango_font_metrics_get_underline_thickness(metrics))
            pango_font_metrics_unref(metrics)
        }
        if let loaded = pango_context_load_font(context, description(of: font)) {
            if let face = pango_font_get_hb_font(loaded) {
                found.capHeight = height(of: "H", in: face, font.size) ?? font.size * 0.72
                found.xHeight = height(of: "x", in: face, font.size) ?? font.size * 0.53
            }
            if let description = pango_font_describe(loaded) {
                if let family = pango_font_description_get_family(description) {
                    found.family = String(cString: family)
                }
                pango_font_description_free(description)
            }
            g_object_unref(UnsafeMutableRawPointer(loaded))
        }
        found.substitution = fonts.substitution(for: font.family, resolved: found.family)
        known[font] = found
        return found
    }

    /// Returns the height of a letter in points; `nil` if the font lacks the letter.
    private func height(of letter: Unicode.Scalar, in face: OpaquePointer, _ size: Double) -> Double? {
        // HarfBuzz uses the font's units or Pango's units, depending on the scale.
        var (x, y): (Int32, Int32) = (0, 0)
        hb_font_get_scale(face, &x, &y)
        var glyph: hb_codepoint_t = 0
        var extents = hb_glyph_extents_t()
        guard y != 0, hb_font_get_nominal_glyph(face, letter.value, &glyph) != 0,
            hb_font_get_glyph_extents(face, glyph, &extents) != 0
        else { return nil }
        return abs(Double(extents.y_bearing) / Double(y)) * size
    }

    var families: [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_context_list_families(context, &list, &count)
        defer { g_free(list) }
        return (0..<Int(count)).compactMap { list?[$0].map { String(cString: pango_font_family_get_name($0)) } }
            .sorted()
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key) { engine in
            if let engine { Unmanaged<TextEngine>.fromOpaque(engine).release() }
        }
        precondition(code == 0, "cannot create a thread-specific data key")
        return key
    }()

    static var ofThisThread: TextEngine {
        if let pointer = pthread_getspecific(key) {
            let engine = Unmanaged<TextEngine>.fromOpaque(pointer)
            if engine.takeUnretainedValue().version == FontRegistry.shared.version {
                return engine.takeUnretainedValue()
            }
            engine.release()
        }
        let engine = TextEngine()
        pthread_setspecific(key, Unmanaged.passRetained(engine).toOpaque())
        return engine
    }
}

/// Converts Pango units to points.
func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }

/// The value is clamped to a million points, which fits Pango's 32-bit units.
func pangoUnits(_ points: Double) -> Int32 {
    points.isFinite ? Int32(max(-1e6, min(points, 1e6)) * Double(PANGO_SCALE)) : 0
}
