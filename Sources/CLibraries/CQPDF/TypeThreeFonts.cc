#include "TypeThreeFonts.hh"

#include <set>
#include <string_view>

#include "ContentTokens.hh"
#include "FilteredContent.hh"

namespace {

bool setsColor(std::string_view name) {
    static std::set<std::string_view> const operators{
        "g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN"};
    return operators.count(name) != 0;
}

/// Returns whether a glyph has the color of the text, but sets colors.
bool setsIgnoredColor(std::string_view content) {
    bool hasColorOfText = false;
    ContentTokens tokens(content);
    while (tokens.next()) {
        if (tokens.kind != ContentTokens::Kind::word) continue;
        if (tokens.text == "d1") hasColorOfText = true;
        if (tokens.text == "BI") return false;  // the data of an inline image follow
        if (hasColorOfText && setsColor(tokens.text)) return true;
    }
    return false;
}

/// Forwards content, except operators that set colors.
class ColorRemoval : public QPDFObjectHandle::TokenFilter {
  public:
    void handleToken(QPDFTokenizer::Token const &token) override {
        pending += token.getRawValue();
        if (token.getType() == QPDFTokenizer::tt_inline_image) flush();
        if (token.getType() != QPDFTokenizer::tt_word) return;
        if (setsColor(token.getValue())) pending = "\n";
        flush();
    }

    void handleEOF() override { flush(); }

  private:
    void flush() {
        write(pending);
        pending.clear();
    }

    std::string pending;
};

/// Removes the colors from glyphs that have the color of the text (ISO 32000-1 §9.6.5): cairo draws the colors, which
/// may be white.
void removeColors(QPDFObjectHandle &font) {
    auto glyphs = font.getKey("/CharProcs");
    if (!glyphs.isDictionary()) return;
    for (auto &entry : glyphs.getDictAsMap()) {
        auto glyph = entry.second;
        if (!glyph.isStream()) continue;
        try {
            auto bytes = glyph.getStreamData(qpdf_dl_generalized);
            std::string_view content(reinterpret_cast<char const *>(bytes->getBuffer()), bytes->getSize());
            if (!setsIgnoredColor(content)) continue;
            ColorRemoval removal;
            glyph.replaceStreamData(
                filtered(std::string(content), removal), QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
        } catch (std::runtime_error const &) {
            continue;  // renderers omit the damaged glyph
        }
    }
}

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
    // Many pages share a font.
    static std::set<std::pair<unsigned long long, QPDFObjGen>> seen;
    for (auto &entry : fonts.getDictAsMap()) {
        auto font = entry.second;
        if (!font.isDictionary() || !font.getKey("/Subtype").isNameAndEquals("/Type3")) continue;
        bool isNew = !font.isIndirect() || seen.insert({pdf.getUniqueId(), font.getObjGen()}).second;
        if (isNew) removeColors(font);
    }
    for (auto &entry : fonts.getDictAsMap()) {
        if (!lacksResources(entry.second)) continue;
        resources.replaceKey("/Font", completedFonts(pdf, resources, fonts, 0));
        return;
    }
}
