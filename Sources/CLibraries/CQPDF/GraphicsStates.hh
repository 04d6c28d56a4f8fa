// Saved graphics states in content streams.

#pragma once

#include <cstddef>
#include <string_view>

/// Returns how many graphics states content restores (`Q`) beyond those that it has saved (`q`), at the worst point.
///
/// Renderers ignore a surplus `Q` on a page, but stop reading a form XObject at it. The count is exact but for inline
/// image data that look like operators, where it may be too high.
size_t surplusRestores(std::string_view content);
