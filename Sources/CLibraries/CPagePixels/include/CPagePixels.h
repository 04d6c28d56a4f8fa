// The loops over the pixels and bytes of pages: compositing onto white, the packing of raster lines, and DEFLATE.
//
// These loops are most of the work on a page besides drawing. They are in C because vector types, unaligned loads and
// `memcmp` process many pixels at a time, also in programs that are not optimized.

#ifndef CPAGEPIXELS_H
#define CPAGEPIXELS_H

#include <stddef.h>
#include <stdint.h>

/// The colors of a row of pixels.
enum page_row_colors {
    /// All pixels are white.
    page_row_blank = 0,
    /// All pixels are gray.
    page_row_gray = 1,
    /// At least one pixel has a color.
    page_row_color = 2,
};

/// Moves a row of drawn pixels to `target`, composites the row onto white, and clears the row for the next page.
///
/// The pixels are `0xAARRGGBB` words with premultiplied alpha. A row without drawn pixels is neither changed nor
/// copied. Returns a value of `page_row_colors`.
int page_row_take(uint32_t *row, uint32_t *target, size_t count);

/// Stores the lowest byte of each word.
void page_row_shades(const uint32_t *words, size_t count, uint8_t *target);

/// Packs a line of pixels for PWG raster and Apple raster (PWG 5102.4 §4.4).
///
/// - `words`: The pixels; equal pixels are equal words.
/// - `bytes`: The number of the lowest bytes of each word that are packed, with the highest byte first: 1, 3 or 4.
/// - `mask`: The bits that are inverted in each byte.
/// - `target`: Room for `count * (bytes + 1)` bytes.
///
/// Returns the number of packed bytes.
size_t page_row_pack(const uint32_t *words, size_t count, int bytes, uint8_t mask, uint8_t *target);

/// Filters rows for PNG (W3C PNG §9): each row begins with the number of its filter.
///
/// Rows of text and graphics keep their bytes (filter 0). In a row of a photograph, most pixels differ from their left
/// neighbors; such a row becomes the difference from the row above (filter 2).
///
/// - `width`: The number of bytes of a row.
/// - `pixel`: The number of bytes of a pixel.
/// - `target`: Room for `(width + 1) * height` bytes.
void page_rows_filter(const uint8_t *rows, size_t width, size_t height, size_t pixel, uint8_t *target);

/// Returns the maximum number of bytes that `page_deflate` writes for `count` bytes.
size_t page_deflate_bound(size_t count);

/// Compresses bytes as a DEFLATE stream (RFC 1951).
///
/// The compressor is made for pages, which are mostly white: a run of equal bytes takes almost no time. It looks up one
/// earlier match for each position, and makes Huffman codes for each block.
///
/// - `count`: Less than 4 GiB.
/// - `target`: Room for `page_deflate_bound(count)` bytes.
///
/// Returns the number of compressed bytes, or 0 if there is not enough memory.
size_t page_deflate(const uint8_t *bytes, size_t count, uint8_t *target);

#endif
