#include "GraphicsStates.hh"

#include <algorithm>

namespace {

/// White space and delimiters (ISO 32000-1 §7.2.2): what ends an operator.
bool endsToken(char character) {
    constexpr std::string_view characters("\0\t\n\f\r ()<>[]{}/%", 16);
    return characters.find(character) != std::string_view::npos;
}

/// Returns the index after the string that begins at `start` (ISO 32000-1 §7.3.4.2).
size_t endOfString(std::string_view content, size_t start) {
    size_t depth = 0;
    for (size_t index = start; index < content.size(); index++) {
        if (content[index] == '\\') {
            index++;
        } else if (content[index] == '(') {
            depth++;
        } else if (content[index] == ')' && --depth == 0) {
            return index + 1;
        }
    }
    return content.size();
}

}  // namespace

size_t surplusRestores(std::string_view content) {
    long depth = 0, deepest = 0;
    size_t index = 0;
    while (index < content.size()) {
        char first = content[index];
        if (first == '(') {
            index = endOfString(content, index);
        } else if (first == '%') {
            index = std::min(content.find_first_of("\r\n", index), content.size());
        } else if (first == '/') {
            for (index++; index < content.size() && !endsToken(content[index]);) index++;
        } else if (endsToken(first)) {
            index++;
        } else {
            size_t start = index;
            while (index < content.size() && !endsToken(content[index])) index++;
            if (index - start != 1) continue;
            if (first == 'q') depth++;
            if (first == 'Q') deepest = std::min(deepest, --depth);
        }
    }
    return size_t(-deepest);
}
