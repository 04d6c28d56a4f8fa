// Pages drawn by poppler's Splash backend.
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

/// The room for a reason, with the 0 that ends it.
enum { CSPLASH_WORDS = 400 };

/// A page of an open document.
typedef struct csplash_page csplash_page;

/// The pixels that are wanted of a page.
typedef struct {
    /// Pixels per point of the page as it is shown, across and along.
    double scale_x, scale_y;
    /// Clockwise quarter turns, 0 to 3; everything else here is meant after the turn.
    int turns;
    /// The first pixel, counted from the page's upper left.
    int x, y;
    /// How many pixels.
    int width, height;
    /// Whether edges of text and graphics are smooth.
    bool antialiased;
} csplash_area;

/// Opens a page, counted from 0, of a document in a file; `password` may be NULL.
csplash_page *csplash_open_file(const char *path, const char *password, int index, char *words);

/// Opens a page, counted from 0, of a document in memory, which must stay there as long as the page is open.
csplash_page *csplash_open_bytes(const void *bytes, size_t count, int index, char *words);

/// Draws a part of a page on white, three bytes a pixel (red, green, blue), rows without gaps.
bool csplash_draw(csplash_page *page, const csplash_area *area, uint8_t *pixels, char *words);

/// Closes a page and its document.
void csplash_close(csplash_page *page);

#ifdef __cplusplus
}
#endif

#endif
