// Writes gray, CMYK and ICC colors in place of RGB colors, because cairo writes RGB colors only.

#include <cmath>

#include "Content.hh"
#include "Finishing.hh"
#include "Status.hh"

namespace {

using Handle = QPDFObjectHandle;
using Token = QPDFTokenizer::Token;

std::string profileName(int number) { return "/Profile" + std::to_string(number); }

/// Replaces the operators `rg` and `RG` whose operands are marker colors or grays.
class ColorFilter : public QPDFObjectHandle::TokenFilter {
  public:
    ColorFilter(cqpdf_marked marked, bool writesGray) : marked(marked), writesGray(writesGray) {}

    void handleToken(Token const &token) override {
        if (token.getType() == QPDFTokenizer::tt_word) {
            auto &name = token.getValue();
            if ((name != "rg" && name != "RG") || !replace(name == "RG")) {
                flush();
                writeToken(token);
            }
        } else if (token.getType() == QPDFTokenizer::tt_inline_image) {
            flush();
            writeToken(token);
        } else {
            pending.push_back(token);
        }
    }

    void handleEOF() override { flush(); }

  private:
    cqpdf_marked marked;
    bool writesGray;
    /// The tokens after the last operator.
    std::vector<Token> pending;

    void flush() {
        for (auto &token : pending) writeToken(token);
        pending.clear();
    }

    /// Writes another operator with its operands, and returns true, if the last three operands are such a color.
    bool replace(bool isStroke) {
        double color[3];
        int missing = 3;
        size_t first = pending.size();
        while (first > 0 && missing > 0) {
            auto &token = pending[--first];
            auto type = token.getType();
            if (type == QPDFTokenizer::tt_space || type == QPDFTokenizer::tt_comment) continue;
            if (type != QPDFTokenizer::tt_real && type != QPDFTokenizer::tt_integer) return false;
            color[--missing] = QPDFObjectHandle::parse(token.getValue()).getNumericValue();
        }
        if (missing > 0) return false;
        Content content;
        double components[4];
        int profile = -1;
        if (int count = meaning(color, components, profile)) {
            if (profile >= 0) content.add(profileName(profile).c_str()).add(isStroke ? " CS " : " cs ");
            for (int index = 0; index < count; index++) content.number(components[index], 6);
            content.add(profile >= 0 ? (isStroke ? "SC" : "sc") : (isStroke ? "K" : "k"));
        } else if (writesGray && color[0] == color[1] && color[1] == color[2]) {
            content.number(color[0], 6).add(isStroke ? "G" : "g");
        } else {
            return false;
        }
        pending.resize(first);
        flush();
        write(content.text);
        return true;
    }

    /// Returns the number of components of the color for which a marker stands; 0 for another color.
    int meaning(double const color[3], double components[4], int &profile) const {
        uint16_t parts[3];
        for (int index = 0; index < 3; index++) {
            double part = color[index] * 65535, nearest = std::round(part);
            if (!marked || nearest < 0 || nearest > 65535 || std::fabs(part - nearest) > 0.1) return 0;
            parts[index] = uint16_t(nearest);
        }
        return marked(parts[0], parts[1], parts[2], components, &profile);
    }
};

/// Returns whether drawing with the resources blends colors.
bool isTransparent(Handle resources, int depth = 0) {
    if (!resources.isDictionary() || depth > 20) return depth > 20;
    auto states = resources.getKey("/ExtGState");
    if (states.isDictionary()) {
        for (auto &name : states.getKeys()) {
            auto state = states.getKey(name);
            if (!state.isDictionary()) continue;
            for (auto key : {"/ca", "/CA"}) {
                auto alpha = state.getKey(key);
                if (alpha.isNumber() && alpha.getNumericValue() < 1) return true;
            }
            auto mode = state.getKey("/BM");
            if (!mode.isNull() && !mode.isNameAndEquals("/Normal")) return true;
            if (state.getKey("/SMask").isDictionary()) return true;
        }
    }
    for (auto kind : {"/XObject", "/Pattern"}) {
        auto objects = resources.getKey(kind);
        if (!objects.isDictionary()) continue;
        for (auto &name : objects.getKeys()) {
            auto object = objects.getKey(name);
            if (!object.isStream()) continue;
            if (object.getDict().hasKey("/SMask")) return true;
            if (isTransparent(object.getDict().getKey("/Resources"), depth + 1)) return true;
        }
    }
    return false;
}

}  // namespace

bool cqpdf_finish_profile(
    cqpdf_finishing *finishing, int number, const void *profile, size_t size, int components, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto stream = Handle::newStream(&finishing->pdf, std::string(static_cast<char const *>(profile), size));
        stream.getDict().replaceKey("/N", Handle::newInteger(components));
        auto space = Handle::newArray({Handle::newName("/ICCBased"), stream});
        finishing->profiles.emplace(profileName(number), finishing->pdf.makeIndirectObject(space));
    });
}

bool cqpdf_finish_colors(
    cqpdf_finishing *finishing, cqpdf_marked marked, bool writes_gray, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto filter = [&] {
            return std::shared_ptr<QPDFObjectHandle::TokenFilter>(new ColorFilter(marked, writes_gray));
        };
        auto addProfiles = [&](Handle resources) {
            if (finishing->profiles.empty() || !resources.isDictionary()) return;
            if (!resources.getKey("/ColorSpace").isDictionary()) {
                resources.replaceKey("/ColorSpace", Handle::newDictionary());
            }
            for (auto &entry : finishing->profiles) {
                resources.getKey("/ColorSpace").replaceKey(entry.first, entry.second);
            }
        };
        for (auto &page : finishing->pages) {
            auto object = page.getObjectHandle();
            page.addContentTokenFilter(filter());
            addProfiles(object.getKey("/Resources"));
            // Readers convert all colors of a page with an RGB group to RGB. Without transparency, the group has no
            // other effect.
            if (marked && !isTransparent(object.getKey("/Resources"))) object.removeKey("/Group");
        }
        for (auto &object : finishing->pdf.getAllObjects()) {
            if (!object.isStream()) continue;
            auto dictionary = object.getDict();
            auto pattern = dictionary.getKey("/PatternType");
            if (dictionary.getKey("/Subtype").isNameAndEquals("/Form") ||
                (pattern.isInteger() && pattern.getIntValue() == 1)) {
                object.addTokenFilter(filter());
                addProfiles(dictionary.getKey("/Resources"));
            }
        }
    });
}
