// Finds operators that have too few operands.

#pragma once

#include <string>
#include <string_view>

/// Returns whether an operator in the content seems to have fewer operands than it requires.
///
/// Poppler stops reading content at such an operator; other renderers continue. The result can be wrong for content
/// with inline images.
bool seemsToLackOperands(std::string_view content);

/// Returns the content without the operators that have too few operands, and without their operands.
std::string withoutIncompleteOperators(std::string const &content);
