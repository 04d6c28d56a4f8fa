// Reads the tokens of content streams quickly.

#pragma once

#include <cstddef>
#include <string_view>

/// Reads content streams token by token (ISO 32000-1 §7.2, §7.8.2).
///
///     ContentTokens tokens("0 0 10 10 re f");
///     while (tokens.next()) { … }
///
/// Inline image data is also read as tokens, so callers must not depend on the tokens in it.
class ContentTokens {
  public:
    enum class Kind {
        /// A number, string, name, boolean or null.
        operand,
        /// The start of an array or a dictionary.
        open,
        /// The end of an array or a dictionary.
        close,
        /// An operator.
        word,
    };

    explicit ContentTokens(std::string_view content) : content(content) {}

    /// Moves to the next token; false at the end.
    bool next();

    Kind kind = Kind::word;
    std::string_view text;

  private:
    size_t end(Kind &kind) const;

    std::string_view content;
    size_t index = 0;
};
