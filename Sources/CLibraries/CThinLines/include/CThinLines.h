// Makes lines at least one pixel wide, regardless of the rotation of the page.
//
// poppler's cairo backend widens lines that are thinner than a pixel, but calculates the width from one transformed
// vector. With a rotation of 45 degrees the width becomes 0 and the line disappears; with other rotations the line
// fades. This module defines `cairo_set_line_width`, which overrides libcairo's function for all calls in the process,
// including poppler's. Between `thin_lines_begin` and `thin_lines_end` it widens thin lines; otherwise it only forwards
// calls.
//
// In the same way, the module overrides the function with which poppler collects the text of a page, and functions that
// create image surfaces, sort the substitutes of a font, and draw Type 3 fonts.

#ifndef CTHINLINES_H
#define CTHINLINES_H

#ifdef __cplusplus
extern "C" {
#endif

/// Starts to widen thin lines drawn on the current thread.
void thin_lines_begin(void);

/// Stops widening lines.
void thin_lines_end(void);

/// Starts to ignore the text that poppler collects on the current thread while it draws a page.
///
/// `poppler_page_render` collects the characters of each page, so that `poppler_page_get_text` needs not read the page
/// again. A page that is only printed does not need them, and they take a fourth of the time of drawing text.
void skipped_text_begin(void);

/// Stops ignoring the text.
void skipped_text_end(void);

/// Starts to count the image surfaces on the current thread that are larger than cairo can create.
///
/// poppler leaves an image out without a message if cairo cannot create a surface for it.
void large_surfaces_reset(void);

/// Returns the number of these surfaces since `large_surfaces_reset`.
int large_surfaces_count(void);

/// Starts to count the texts on the current thread with glyphs of Type 3 fonts that have colors.
///
/// Cairo 1.16 draws such glyphs in the color of the text, for example emoji as black areas.
void colored_glyphs_reset(void);

/// Returns the number of these texts since `colored_glyphs_reset`.
int colored_glyphs_count(void);

#ifdef __cplusplus
}
#endif

#endif
