// Completes Type 3 fonts.

#pragma once

#include <qpdf/QPDF.hh>

/// Gives Type 3 fonts without resources the resources of the content that uses them.
///
/// The glyphs of such a font use the resources of the page (ISO 32000-1 §9.6.5), but poppler gives them none.
void completeTypeThreeFonts(QPDF &pdf, QPDFObjectHandle resources);
