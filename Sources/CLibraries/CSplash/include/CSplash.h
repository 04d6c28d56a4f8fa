// Draws pages with poppler's Splash backend, and reads their text.
//
// Splash is poppler's second renderer. It draws pages that the cairo backend cannot draw, or draws too slowly.
// No function throws; each that can fail returns false or NULL and writes the reason to `words`.

#ifndef CSPLASH_H
#define CSPLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The size of the buffer for an error message, including the terminating 0.
enum { CSPLASH_WORDS = 400 };

/// A page of an open document.
typedef struct csplash_page csplash_page;

/// The part of a page to draw.
typedef struct {
    /// The number of pixels per point of the displayed page, horizontally and vertically.
    double scale_x, scale_y;
    /// The number of clockwise quarter turns, 0 to 3; the other members refer to the rotated page.
    int turns;
    /// The first pixel, counted from the upper left of the page.
    int x, y;
    /// The size in pixels.
    int width, height;
    /// Whether text and graphics are antialiased.
    bool antialiased;
} csplash_area;

/// Opens a page, counted from 0, of a document in a file; `password` may be NULL.
csplash_page *csplash_open_file(const char *path, const char *password, int index, char *words);

/// Opens a page, counted from 0, of a document in memory, which must stay valid while the page is open.
csplash_page *csplash_open_bytes(const void *bytes, size_t count, int index, char *words);

/// Draws a part of a page on white, with three bytes per pixel (red, green, blue) and no padding between rows.
bool csplash_draw(csplash_page *page, const csplash_area *area, uint8_t *pixels, char *words);

/// Receives the text of a page in UTF-8.
typedef void (*csplash_text)(void *context, const char *text, size_t count);

/// Reads the texts of pages, counted from 0, in reading order, with a newline after each line. `password` may be NULL.
bool csplash_read_texts(
    const char *path, const char *password, int first, int count, void *context, csplash_text receive, char *words);

/// Closes a page and its document.
void csplash_close(csplash_page *page);

#ifdef __cplusplus
}
#endif

#endif
