// Lines that are at least one pixel wide, whatever way the page is turned.
//
// poppler's cairo backend widens lines that are thinner than a pixel, but takes the width from one transformed vector: under a
// rotation by 45 degrees the width becomes 0 and the line vanishes, under other rotations it fades. This module defines
// `cairo_set_line_width`, which takes precedence over the one in libcairo for all calls in the process, also for those
// of poppler. Between `thin_lines_begin` and `thin_lines_end` it widens what is too thin; else it only passes calls on.

#ifndef CTHINLINES_H
#define CTHINLINES_H

#ifdef __cplusplus
extern "C" {
#endif

/// Widens thin lines that are drawn on this thread, from now on.
void thin_lines_begin(void);

/// Leaves lines as they are.
void thin_lines_end(void);

#ifdef __cplusplus
}
#endif

#endif
