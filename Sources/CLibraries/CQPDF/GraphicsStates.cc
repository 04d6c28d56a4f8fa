#include "GraphicsStates.hh"

#include <algorithm>

#include "ContentTokens.hh"

size_t surplusRestores(std::string_view content) {
    long depth = 0, deepest = 0;
    ContentTokens tokens(content);
    while (tokens.next()) {
        if (tokens.kind != ContentTokens::Kind::word) continue;
        if (tokens.text == "q") depth++;
        if (tokens.text == "Q") deepest = std::min(deepest, --depth);
    }
    return size_t(-deepest);
}
