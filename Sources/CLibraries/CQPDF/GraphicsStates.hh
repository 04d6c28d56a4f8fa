// Counts saved and restored graphics states in content streams.

#pragma once

#include <cstddef>
#include <string_view>

/// Returns the maximum number of graphics states that the content has restored (`Q`) without saving them (`q`).
///
/// Renderers ignore a surplus `Q` on a page, but stop reading a form XObject at it. The count can be too high if inline
/// image data looks like operators; otherwise it is exact.
size_t surplusRestores(std::string_view content);
