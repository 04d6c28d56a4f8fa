#include "TextObjects.hh"

#include <qpdf/QPDFObjectHandle.hh>
#include <unordered_set>

#include "ContentTokens.hh"
#include "FilteredContent.hh"

namespace {

using Names = std::unordered_set<std::string_view>;

bool constructsPath(std::string_view name) {
    static Names const operators{"m", "l", "c", "v", "y", "re", "h"};
    return name.size() <= 2 && operators.count(name) != 0;
}

bool paintsPath(std::string_view name) {
    static Names const operators{"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"};
    return operators.count(name) != 0;
}

bool setsState(std::string_view name) {
    static Names const operators{"g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN",
                                 "w", "J", "j", "M", "d", "i", "ri", "gs"};
    return operators.count(name) != 0;
}

/// Returns whether paths cannot be moved across an operator.
bool isObstacle(std::string_view name, std::string_view text) {
    static Names const operators{"q", "Q", "cm", "Do", "sh", "W", "W*", "BI", "d0", "d1"};
    return operators.count(name) != 0 || (name == "BDC" && text.find("/OC") != std::string_view::npos);
}

/// Forwards content, with the paths of each text object before it.
class PathsFirst : public QPDFObjectHandle::TokenFilter {
  public:
    void handleToken(QPDFTokenizer::Token const &token) override {
        pending += token.getRawValue();
        if (token.getType() == QPDFTokenizer::tt_word) {
            handleOperator(token.getValue());
            pending.clear();
        }
    }

    void handleEOF() override { write(isInText ? original + pending : pending); }

  private:
    void handleOperator(std::string const &name) {
        if (!isInText) {
            if (name != "BT") return write(pending);
            isInText = isMovable = true;
            original = remainder = pending;
            paths = path = states = "";
            return;
        }
        original += pending;
        if (isObstacle(name, pending)) isMovable = false;
        if (constructsPath(name)) {
            path += pending;
        } else if (paintsPath(name)) {
            paths += "\nq" + states + path + pending + "\nQ\n";
            path = "";
        } else {
            remainder += pending;
            if (setsState(name)) states += pending;
        }
        if (name != "ET") return;
        write(isMovable ? paths + remainder : original);
        isInText = false;
    }

    /// The operands before the next operator, and the operator.
    std::string pending;
    bool isInText = false;
    /// Whether the paths of the text object can be drawn before it.
    bool isMovable = true;
    /// The text object, and the text object without paths.
    std::string original, remainder;
    /// The paths of the text object with the graphics states in which they are drawn, and a path that is not yet painted.
    std::string paths, path;
    /// The operators of the text object that set the graphics state.
    std::string states;
};

}  // namespace

bool drawsPathsInText(std::string_view content) {
    bool isInText = false;
    ContentTokens tokens(content);
    while (tokens.next()) {
        if (tokens.kind != ContentTokens::Kind::word) continue;
        if (tokens.text == "BT") {
            isInText = true;
        } else if (isInText) {
            if (tokens.text == "ET") isInText = false;
            if (constructsPath(tokens.text)) return true;
        }
    }
    return false;
}

std::string withPathsBeforeText(std::string const &content) {
    PathsFirst filter;
    return filtered(content, filter);
}
