// Recovers files without a trailer.

#pragma once

#include <string>
#include <string_view>

/// Returns a trailer that refers to the last catalog in a file; empty if the file has no catalog.
///
/// libqpdf finds the objects of a damaged file, but not its catalog.
std::string trailerNamingCatalog(std::string_view file);
