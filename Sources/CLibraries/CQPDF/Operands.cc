#include "Operands.hh"

#include <qpdf/QPDFObjectHandle.hh>
#include <unordered_map>

#include "ContentTokens.hh"
#include "FilteredContent.hh"

namespace {

/// Returns the number of operands that an operator requires (ISO 32000-1 annex A); 0 for operators with any number.
size_t needed(std::string_view name) {
    static std::unordered_map<std::string_view, size_t> const operands{
        {"\"", 3}, {"'", 1}, {"BDC", 2}, {"BMC", 1}, {"CS", 1}, {"DP", 2}, {"Do", 1}, {"G", 1}, {"J", 1}, {"K", 4},
        {"M", 1}, {"MP", 1}, {"RG", 3}, {"TD", 2}, {"TJ", 1}, {"TL", 1}, {"Tc", 1}, {"Td", 2}, {"Tf", 2}, {"Tj", 1},
        {"Tm", 6}, {"Tr", 1}, {"Ts", 1}, {"Tw", 1}, {"Tz", 1}, {"c", 6}, {"cm", 6}, {"cs", 1}, {"d", 2}, {"d0", 2},
        {"d1", 6}, {"g", 1}, {"gs", 1}, {"i", 1}, {"j", 1}, {"k", 4}, {"l", 2}, {"m", 2}, {"re", 4}, {"rg", 3},
        {"ri", 1}, {"sh", 1}, {"v", 4}, {"w", 1}, {"y", 4}};
    auto found = operands.find(name);
    return found == operands.end() ? 0 : found->second;
}

/// Counts the operands before an operator; an array or a dictionary counts as one operand.
struct OperandCount {
    size_t count = 0, depth = 0;

    void open() { depth++; }

    void close() {
        if (depth > 0 && --depth == 0) count++;
    }

    void operand() {
        if (depth == 0) count++;
    }
};

/// Forwards content, except operators without enough operands.
///
/// Unlike `ContentTokens`, libqpdf's tokenizer finds the end of inline image data.
class Completion : public QPDFObjectHandle::TokenFilter {
  public:
    void handleToken(QPDFTokenizer::Token const &token) override {
        pending += token.getRawValue();
        switch (token.getType()) {
        case QPDFTokenizer::tt_space:
        case QPDFTokenizer::tt_comment: break;
        case QPDFTokenizer::tt_array_open:
        case QPDFTokenizer::tt_brace_open:
        case QPDFTokenizer::tt_dict_open: operands.open(); break;
        case QPDFTokenizer::tt_array_close:
        case QPDFTokenizer::tt_brace_close:
        case QPDFTokenizer::tt_dict_close: operands.close(); break;
        case QPDFTokenizer::tt_inline_image: flush(); break;
        case QPDFTokenizer::tt_word:
            if (operands.depth > 0) break;
            if (operands.count < needed(token.getValue())) pending = "\n";
            flush();
            break;
        default: operands.operand(); break;
        }
    }

    void handleEOF() override { flush(); }

  private:
    void flush() {
        write(pending);
        pending.clear();
        operands = {};
    }

    std::string pending;
    OperandCount operands;
};

}  // namespace

bool seemsToLackOperands(std::string_view content) {
    OperandCount operands;
    ContentTokens tokens(content);
    while (tokens.next()) {
        switch (tokens.kind) {
        case ContentTokens::Kind::open: operands.open(); break;
        case ContentTokens::Kind::close: operands.close(); break;
        case ContentTokens::Kind::operand: operands.operand(); break;
        case ContentTokens::Kind::word:
            if (operands.depth > 0) break;
            if (operands.count < needed(tokens.text)) return true;
            operands = {};
        }
    }
    return false;
}

std::string withoutIncompleteOperators(std::string const &content) {
    Completion completion;
    return filtered(content, completion);
}
