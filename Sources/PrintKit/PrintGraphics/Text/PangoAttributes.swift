// Converts text attributes to Pango attributes.

import CCairo
import FoundationEssentials

/// The Pango attributes of a range of text.
///
/// The offsets are relative to the start of the range.
final class PangoAttributes {
    let list = pango_attr_list_new()
    private let range: Range<Int>

    init(_ source: TextSource, range: Range<Int>, engine: TextEngine) {
        self.range = range
        let paragraph = source.style(at: range.lowerBound)
        for run in source.runs(in: range) {
            let style = run.style
            func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?) { insert(attribute, over: run.range) }
            if style.font != paragraph.font { add(pango_attr_font_desc_new(engine.description(of: style.font))) }
            if let color = style.color { addColor(color, over: run.range) }
            if let color = style.background { addBackground(color, over: run.range) }
            if let underline = style.underline { add(pango_attr_underline_new(underline.pango)) }
            if style.isStruckThrough { add(pango_attr_strikethrough_new(1)) }
            if style.kern != 0 { add(pango_attr_letter_spacing_new(pangoUnits(style.kern))) }
            if style.baselineOffset != 0 { add(pango_attr_rise_new(pangoUnits(style.baselineOffset))) }
            if let language = style.language { add(pango_attr_language_new(pango_language_from_string(language))) }
        }
        forbidHyphens(in: source, style: paragraph.paragraph)
    }

    deinit { pango_attr_list_unref(list) }

    /// Prevents Pango from inserting hyphens that the paragraph style does not allow.
    ///
    /// Pango inserts a hyphen wherever it breaks a word, even in a serial number or an address. If the style allows
    /// hyphens at soft hyphens, Pango can still show a hyphen at each soft hyphen in the text.
    private func forbidHyphens(in source: TextSource, style: ParagraphStyle) {
        guard style.hyphenates else { return insert(pango_attr_insert_hyphens_new(0), over: range) }
        guard !style.hyphenatesLongWords else { return }
        var start = range.lowerBound
        for soft in source.softHyphens(in: range) {
            if start < soft { insert(pango_attr_insert_hyphens_new(0), over: start..<soft) }
            start = soft + 2
        }
        if start < range.upperBound { insert(pango_attr_insert_hyphens_new(0), over: start..<range.upperBound) }
    }

    private func addColor(_ color: Color, over run: Range<Int>) {
        let (red, green, blue) = parts(color)
        insert(pango_attr_foreground_new(red, green, blue), over: run)
        // Pango interprets an alpha of 0 as opaque.
        if color.alpha < 1 { insert(pango_attr_foreground_alpha_new(max(1, part(color.alpha))), over: run) }
    }

    private func addBackground(_ color: Color, over run: Range<Int>) {
        let (red, green, blue) = parts(color)
        insert(pango_attr_background_new(red, green, blue), over: run)
        if color.alpha < 1 { insert(pango_attr_background_alpha_new(max(1, part(color.alpha))), over: run) }
    }

    private func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?, over run: Range<Int>) {
        guard let attribute else { return }
        attribute.pointee.start_index = UInt32(max(run.lowerBound, range.lowerBound) - range.lowerBound)
        attribute.pointee.end_index = UInt32(max(0, min(run.upperBound, range.upperBound) - range.lowerBound))
        pango_attr_list_insert(list, attribute)
    }
}

/// Returns the components for Pango: the marker of a color that has one, because the layout can be drawn in a PDF.
private func parts(_ color: Color) -> (red: UInt16, green: UInt16, blue: UInt16) {
    if let marker = ColorMarkers.shared.marker(of: color) { return (marker.red, marker.green, marker.blue) }
    return (part(color.red), part(color.green), part(color.blue))
}

private func part(_ component: Double) -> UInt16 { UInt16(component * 65535) }

extension TextAttribute.Underline {
    fileprivate var pango: PangoUnderline {
        switch self {
        case .single: PANGO_UNDERLINE_SINGLE
        case .double: PANGO_UNDERLINE_DOUBLE
        case .wavy: PANGO_UNDERLINE_ERROR
        }
    }
}
