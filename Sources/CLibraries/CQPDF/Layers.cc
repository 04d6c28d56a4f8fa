#include "Layers.hh"

#include <set>

#include "FilteredContent.hh"

namespace {

std::vector<QPDFObjectHandle> list(QPDFObjectHandle object) {
    return object.isArray() ? object.getArrayAsVector() : std::vector<QPDFObjectHandle>();
}

/// Returns the entry of a dictionary; null if the object is not a dictionary.
QPDFObjectHandle entry(QPDFObjectHandle object, std::string const &key) {
    return object.isDictionary() ? object.getKey(key) : QPDFObjectHandle::newNull();
}

/// Returns whether an object is a name, or an array that contains the name.
bool includes(QPDFObjectHandle names, char const *name) {
    if (names.isNameAndEquals(name)) return true;
    for (auto &item : list(names)) {
        if (item.isNameAndEquals(name)) return true;
    }
    return false;
}

/// The state that a usage category recommends, with the key of its state (ISO 32000-1 table 102).
void recommend(QPDFObjectHandle layer, char const *category, char const *key, bool &isAny, bool &isOff) {
    auto state = entry(entry(entry(layer, "/Usage"), category), key);
    if (!state.isName()) return;
    isAny = true;
    isOff = isOff || state.isNameAndEquals("/OFF");
}

/// Forwards content, and replaces the operators that draw unprinted content.
class Printed : public QPDFObjectHandle::TokenFilter {
  public:
    Printed(Layers const &layers, QPDFObjectHandle properties) : layers(layers), properties(properties) {}

    void handleToken(QPDFTokenizer::Token const &token) override {
        auto type = token.getType();
        pending += token.getRawValue();
        if (type == QPDFTokenizer::tt_space || type == QPDFTokenizer::tt_comment) return;
        if (type == QPDFTokenizer::tt_inline_image) return;
        if (type != QPDFTokenizer::tt_word) {
            before = last;
            last = token;
            return;
        }
        auto &name = token.getValue();
        // The image between these operators is one unit.
        if (name == "BI" || name == "ID") return;
        if (name == "q") modes.push_back(modes.back());
        if (name == "Q" && modes.size() > 1) modes.pop_back();
        if (name == "Tr" && last.getType() == QPDFTokenizer::tt_integer) modes.back() = last.getValue();
        if (name == "BDC" || name == "BMC") open(name);
        bool isDrawn = hidden == 0 || name == "BDC" || name == "BMC";
        if (name == "EMC") close();
        if (isDrawn) {
            write(pending);
        } else {
            writeHidden(name);
        }
        pending.clear();
        last = before = QPDFTokenizer::Token();
    }

    void handleEOF() override { write(pending); }

  private:
    void open(std::string const &name) {
        bool isHidden = name == "BDC" && before.getType() == QPDFTokenizer::tt_name && before.getValue() == "/OC"
                        && last.getType() == QPDFTokenizer::tt_name
                        && !layers.prints(properties.getKey(last.getValue()));
        sections.push_back(isHidden);
        if (isHidden) hidden++;
    }

    void close() {
        if (sections.empty()) return;
        if (sections.back()) hidden--;
        sections.pop_back();
    }

    void writeHidden(std::string const &name) {
        static std::set<std::string> const paths{"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"};
        if (paths.count(name) > 0) {
            write(" n\n");
        } else if (name == "Tj" || name == "TJ" || name == "'" || name == "\"") {
            // Invisible text still moves the text position.
            write(" 3 Tr " + pending + " " + modes.back() + " Tr\n");
        } else if (name == "Do" || name == "sh" || name == "EI") {
            write("\n");
        } else {
            write(pending);
        }
    }

    Layers const &layers;
    QPDFObjectHandle properties;
    std::string pending;
    QPDFTokenizer::Token last, before;
    /// For each open section of marked content, whether it starts an unprinted layer.
    std::vector<bool> sections;
    size_t hidden = 0;
    /// The text rendering mode of each saved graphics state, and the current mode.
    std::vector<std::string> modes{"0"};
};

}  // namespace

Layers::Layers(QPDF &pdf) {
    auto properties = entry(pdf.getRoot(), "/OCProperties");
    auto defaults = entry(properties, "/D");
    all = list(entry(properties, "/OCGs"));
    bool isBaseOff = entry(defaults, "/BaseState").isNameAndEquals("/OFF");
    for (auto &layer : all) isOn[layer.getObjGen()] = !isBaseOff;
    for (auto &layer : list(entry(defaults, "/ON"))) isOn[layer.getObjGen()] = true;
    for (auto &layer : list(entry(defaults, "/OFF"))) isOn[layer.getObjGen()] = false;

    // The categories that determine the state of a layer when the document is printed.
    std::map<QPDFObjGen, std::set<std::string>> categories;
    for (auto &event : list(entry(defaults, "/AS"))) {
        if (!entry(event, "/Event").isNameAndEquals("/Print")) continue;
        for (auto category : {"/Print", "/View", "/Export"}) {
            if (!includes(entry(event, "/Category"), category)) continue;
            for (auto &layer : list(entry(event, "/OCGs"))) categories[layer.getObjGen()].insert(category);
        }
    }
    for (auto &layer : all) {
        if (!layer.isDictionary()) continue;
        auto &state = isOn[layer.getObjGen()];
        auto &chosen = categories[layer.getObjGen()];
        bool isAny = false, isOff = false;
        // Viewers obey the state for printing even if no event refers to it.
        recommend(layer, "/Print", "/PrintState", isAny, isOff);
        if (chosen.count("/View") > 0) recommend(layer, "/View", "/ViewState", isAny, isOff);
        if (chosen.count("/Export") > 0) recommend(layer, "/Export", "/ExportState", isAny, isOff);
        if (isAny) state = !isOff;
        auto intent = layer.getKey("/Intent");
        if (!intent.isNull() && !includes(intent, "/View") && !includes(intent, "/All")) state = true;
        if (!state) off.push_back(layer);
        for (auto key : {"/Usage", "/Intent"}) layer.removeKey(key);
    }
}

bool Layers::prints(QPDFObjectHandle membership) const {
    if (off.empty() || !membership.isDictionary()) return true;
    if (!membership.getKey("/Type").isNameAndEquals("/OCMD")) return evaluate(membership, 0);
    auto expression = membership.getKey("/VE");
    if (expression.isArray()) return evaluate(expression, 0);
    auto groups = membership.getKey("/OCGs");
    if (groups.isDictionary()) groups = QPDFObjectHandle::newArray({groups});
    size_t on = 0, count = 0;
    for (auto &group : list(groups)) {
        if (!group.isDictionary()) continue;
        count++;
        if (evaluate(group, 0)) on++;
    }
    auto policy = membership.getKey("/P");
    if (count == 0) return true;
    if (policy.isNameAndEquals("/AllOn")) return on == count;
    if (policy.isNameAndEquals("/AnyOff")) return on < count;
    if (policy.isNameAndEquals("/AllOff")) return on == 0;
    return on > 0;
}

/// Returns the value of a visibility expression: a layer, or an array that starts with an operator.
bool Layers::evaluate(QPDFObjectHandle expression, int depth) const {
    if (expression.isDictionary()) {
        if (!expression.isIndirect()) return true;
        auto found = isOn.find(expression.getObjGen());
        return found == isOn.end() || found->second;
    }
    auto items = list(expression);
    if (items.empty() || depth > 32) return true;
    if (items[0].isNameAndEquals("/Not")) return items.size() < 2 || !evaluate(items[1], depth + 1);
    bool isAnd = items[0].isNameAndEquals("/And");
    for (size_t index = 1; index < items.size(); index++) {
        if (evaluate(items[index], depth + 1) != isAnd) return !isAnd;
    }
    return isAnd;
}

bool Layers::hide(QPDFObjectHandle resources) const {
    auto properties = entry(resources, "/Properties");
    if (off.empty() || !properties.isDictionary()) return false;
    for (auto &property : properties.getDictAsMap()) {
        if (!prints(property.second)) return true;
    }
    return false;
}

std::string Layers::printedContent(std::string const &content, QPDFObjectHandle resources) const {
    Printed printed(*this, resources.getKey("/Properties"));
    return filtered(content, printed);
}
