// Composites rows of pixels onto white, and lays them out for PNG and for raster lines.
#include <stdbool.h>
#include <string.h>

#include "CPagePixels.h"

typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint16_t halfwords8 __attribute__((vector_size(16)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

// The number of words that are tested or composited in one step.
#define STEP 16

static inline words4 load(const uint32_t *words) {
    words4 vector;
    memcpy(&vector, words, sizeof vector);
    return vector;
}

static inline void store(uint32_t *words, words4 vector) { memcpy(words, &vector, sizeof vector); }

// Returns the number of clear words at the start of a row, rounded down to a whole step if a word is not clear.
static size_t count_clear(const uint32_t *row, size_t count) {
    size_t index = 0;
    for (; index + STEP <= count; index += STEP) {
        words4 any = load(row + index) | load(row + index + 4) | load(row + index + 8) | load(row + index + 12);
        uint64_t halves[2];
        memcpy(halves, &any, sizeof any);
        if ((halves[0] | halves[1]) != 0) return index;
    }
    size_t rest = index;
    while (rest < count && row[rest] == 0) rest++;
    return rest == count ? count : index;
}

// Adds the white that is visible through each pixel to the pixel's components, and saturates the sums.
static inline words4 on_white(words4 pixels) {
    // The multiplication of 16-bit parts copies the byte, because compilers have no fast one for 32-bit parts.
    words4 white = (words4)((halfwords8)(~pixels >> 24) * 0x0101);
    white |= white << 16;
    return (words4)__builtin_elementwise_add_sat((bytes16)pixels, (bytes16)white);
}

// Moves up to `STEP` words, and returns the differences between the components of their colors.
static inline words4 take_step(uint32_t *row, uint32_t *target, size_t count) {
    uint32_t rest[STEP] = {0};
    uint32_t *pixels = count == STEP ? row : memcpy(rest, row, count * 4), composited[STEP];
    words4 difference = {0, 0, 0, 0};
    for (size_t index = 0; index < STEP; index += 4) {
        words4 colors = on_white(load(pixels + index));
        store(composited + index, colors);
        difference |= colors ^ (colors >> 8);  // the low 16 bits stay 0 while red = green = blue
    }
    memcpy(target, composited, count * 4);
    memset(row, 0, count * 4);
    return difference;
}

int page_row_take(uint32_t *row, uint32_t *target, size_t count) {
    size_t index = count_clear(row, count);
    if (index == count) return page_row_blank;
    memset(target, 0xFF, index * 4);
    words4 difference = {0, 0, 0, 0};
    while (index < count) {
        size_t step = count - index < STEP ? count - index : STEP;
        difference |= step == STEP ? take_step(row + index, target + index, STEP)
                                   : take_step(row + index, target + index, step);
        index += step;
        // Text leaves most of a row clear.
        size_t clear = count_clear(row + index, count - index);
        memset(target + index, 0xFF, clear * 4);
        index += clear;
    }
    uint32_t any = difference[0] | difference[1] | difference[2] | difference[3];
    return (any & 0xFFFF) == 0 ? page_row_gray : page_row_color;
}

void page_row_shades(const uint32_t *words, size_t count, uint8_t *target) {
    for (size_t index = 0; index < count; index++) target[index] = (uint8_t)words[index];
}

// MARK: - PNG

// Returns the number of bytes that differ from the byte `pixel` places before.
static size_t count_changes(const uint8_t *row, size_t width, size_t pixel) {
    size_t changes = 0;
    for (size_t start = pixel; start < width; start += 255) {
        size_t end = start + 255 < width ? start + 255 : width;
        uint8_t part = 0;  // one byte, so that the loop counts in 16 or more bytes at a time
        for (size_t x = start; x < end; x++) part += row[x] != row[x - pixel];
        changes += part;
    }
    return changes;
}

void page_rows_filter(const uint8_t *rows, size_t width, size_t height, size_t pixel, uint8_t *target) {
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = rows + y * width, *above = row - width;
        uint8_t *out = target + y * (width + 1);
        bool is_photograph = y > 0 && count_changes(row, width, pixel) * 4 > width * 3;
        *out++ = is_photograph ? 2 : 0;
        if (is_photograph) {
            for (size_t x = 0; x < width; x++) out[x] = (uint8_t)(row[x] - above[x]);
        } else {
            memcpy(out, row, width);
        }
    }
}

// MARK: - Packing

// The maximum number of pixels of a run or sequence.
#define LONGEST 128

// Returns the number of words at the start that are equal to the first word.
static inline size_t run_length(const uint32_t *words, size_t limit) {
    if (limit < 2 || words[0] != words[1]) return 1;
    // A row of white is a sequence of the longest runs.
    if (limit == LONGEST && memcmp(words, words + 1, (LONGEST - 1) * 4) == 0) return LONGEST;
    size_t length = 2;
    while (length < limit && words[length] == words[0]) length++;
    return length;
}

static inline uint8_t *put(uint8_t *out, uint32_t word, int bytes, uint8_t mask) {
    if (bytes == 4) *out++ = (uint8_t)(word >> 24) ^ mask;
    if (bytes >= 3) {
        out[0] = (uint8_t)(word >> 16) ^ mask;
        out[1] = (uint8_t)(word >> 8) ^ mask;
        out[2] = (uint8_t)word ^ mask;
        return out + 3;
    }
    out[0] = (uint8_t)word ^ mask;
    return out + 1;
}

static inline __attribute__((always_inline)) size_t pack(
    const uint32_t *words, size_t count, int bytes, uint8_t mask, uint8_t *target) {
    uint8_t *out = target;
    size_t start = 0;
    while (start < count) {
        size_t limit = count - start < LONGEST ? count - start : LONGEST;
        size_t length = run_length(words + start, limit);
        if (length > 1) {
            *out++ = (uint8_t)(length - 1);
            out = put(out, words[start], bytes, mask);
        } else {
            // Collect different pixels up to the next two equal pixels.
            while (length < limit
                   && (start + length + 1 >= count || words[start + length] != words[start + length + 1])) {
                length++;
            }
            *out++ = length == 1 ? 0 : (uint8_t)(257 - length);
            for (size_t index = 0; index < length; index++) out = put(out, words[start + index], bytes, mask);
        }
        start += length;
    }
    return (size_t)(out - target);
}

size_t page_row_pack(const uint32_t *words, size_t count, int bytes, uint8_t mask, uint8_t *target) {
    switch (bytes) {
        case 4: return pack(words, count, 4, mask, target);
        case 3: return pack(words, count, 3, mask, target);
        default: return pack(words, count, 1, mask, target);
    }
}
