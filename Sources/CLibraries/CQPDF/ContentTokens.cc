#include "ContentTokens.hh"

#include <algorithm>

namespace {

/// A set of characters with a fast test, which is called for each byte of a content.
struct CharacterSet {
    bool contains[256] = {};

    constexpr CharacterSet(std::string_view characters) {
        for (char character : characters) contains[static_cast<unsigned char>(character)] = true;
    }

    constexpr bool operator()(char character) const { return contains[static_cast<unsigned char>(character)]; }
};

/// White space and delimiters (ISO 32000-1 §7.2.2), which end a number, a name or an operator.
constexpr CharacterSet endsToken(std::string_view("\0\t\n\f\r ()<>[]{}/%", 16));
constexpr CharacterSet isSpace(std::string_view("\0\t\n\f\r ", 6));
constexpr CharacterSet startsNumber("0123456789+-.");

/// Returns the index after the string that starts at `start` (ISO 32000-1 §7.3.4.2).
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

bool isOperand(std::string_view word) {
    return startsNumber(word[0]) || word == "true" || word == "false" || word == "null";
}

}  // namespace

bool ContentTokens::next() {
    while (index < content.size() && (isSpace(content[index]) || content[index] == '%')) {
        index = content[index] == '%' ? std::min(content.find_first_of("\r\n", index), content.size()) : index + 1;
    }
    if (index >= content.size()) return false;
    auto end = this->end(kind);
    text = content.substr(index, end - index);
    if (kind == Kind::word && isOperand(text)) kind = Kind::operand;
    index = end;
    return true;
}

/// Returns the index after the token at `index`, and the kind of the token as determined by its first characters.
size_t ContentTokens::end(Kind &kind) const {
    auto first = content[index];
    bool isDoubled = index + 1 < content.size() && content[index + 1] == first;
    kind = Kind::operand;
    switch (first) {
    case '(': return std::min(endOfString(content, index), content.size());
    case '<':
        if (!isDoubled) return std::min(content.find('>', index), content.size() - 1) + 1;
        kind = Kind::open;
        return index + 2;
    case '>': kind = Kind::close; return index + (isDoubled ? 2 : 1);
    case '[':
    case '{': kind = Kind::open; return index + 1;
    case ']':
    case '}': kind = Kind::close; return index + 1;
    case ')': return index + 1;
    default: break;
    }
    if (first != '/') kind = Kind::word;
    size_t end = index + 1;
    while (end < content.size() && !endsToken(content[end])) end++;
    return end;
}
