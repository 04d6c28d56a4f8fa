#include "TypeThreeFonts.hh"

namespace {

/// The largest nesting of glyphs that draw glyphs of other Type 3 fonts. A limit is necessary because a font can draw
/// its own glyphs, at which renderers hang.
constexpr int deepestNesting = 3;

bool lacksResources(QPDFObjectHandle &font) {
    return font.isDictionary() && font.getKey("/Subtype").isNameAndEquals("/Type3")
           && !font.getKey("/Resources").isDictionary();
}

/// Returns a copy of a dictionary of fonts in which each Type 3 font has resources, or is missing at the limit.
QPDFObjectHandle completedFonts(QPDF &pdf, QPDFObjectHandle &resources, QPDFObjectHandle &fonts, int nesting) {
    auto completed = fonts.shallowCopy();
    auto glyphResources = QPDFObjectHandle::newNull();
    if (nesting < deepestNesting) {
        auto copy = resources.shallowCopy();
        copy.replaceKey("/Font", completedFonts(pdf, resources, fonts, nesting + 1));
        glyphResources = pdf.makeIndirectObject(copy);
    }
    for (auto &entry : fonts.getDictAsMap()) {
        auto font = entry.second;
        if (!lacksResources(font)) continue;
        completed.removeKey(entry.first);
        if (glyphResources.isNull()) continue;
        auto copy = font.shallowCopy();
        copy.replaceKey("/Resources", glyphResources);
        completed.replaceKey(entry.first, pdf.makeIndirectObject(copy));
    }
    return completed;
}

}  // namespace

void completeTypeThreeFonts(QPDF &pdf, QPDFObjectHandle resources) {
    auto fonts = resources.isDictionary() ? resources.getKey("/Font") : QPDFObjectHandle::newNull();
    if (!fonts.isDictionary()) return;
    for (auto &entry : fonts.getDictAsMap()) {
        if (!lacksResources(entry.second)) continue;
        resources.replaceKey("/Font", completedFonts(pdf, resources, fonts, 0));
        return;
    }
}
