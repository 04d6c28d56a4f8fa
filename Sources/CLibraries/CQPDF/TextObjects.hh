// Finds paths in text objects.

#pragma once

#include <string>
#include <string_view>

/// Returns whether the content seems to construct a path within a text object, which ISO 32000-1 §8.2 forbids.
///
/// Poppler draws text after such a path at the end of the path; other programs draw it after the text before the path. The
/// result can be wrong for content with inline images.
bool drawsPathsInText(std::string_view content);

/// Returns the content with each path of a text object before the text object.
///
/// A text object that changes the coordinates, the clipping path or the visibility of layers stays as it is.
std::string withPathsBeforeText(std::string const &content);
