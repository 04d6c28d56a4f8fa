// Files that have lost their trailer.

#pragma once

#include <string>
#include <string_view>

/// Returns a trailer that names the last catalog of a file; empty when no object of the file is one.
///
/// libqpdf finds the objects of a damaged file by itself, but not the one to begin with.
std::string trailerNamingCatalog(std::string_view file);
