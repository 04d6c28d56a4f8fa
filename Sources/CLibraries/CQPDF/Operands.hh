// Operators that lack operands.

#pragma once

#include <string>
#include <string_view>

/// Whether an operator in content seems to have fewer operands than it needs.
///
/// Poppler stops reading content at such an operator; other renderers go on. The answer may be wrong for content with
/// inline images.
bool seemsToLackOperands(std::string_view content);

/// Returns content without the operators that lack operands, and without the operands that these have.
std::string withoutIncompleteOperators(std::string const &content);
