// Composites rows of pixels onto white, and lays them out for PNG and for raster lines.
#include <stdbool.h>
#include <string.h>

#include "CPagePixels.h"

typedef uint32_t words8 __attribute__((vector_size(32)));
typedef uint16_t halfwords16 __attribute__((vector_size(32)));
typedef uint8_t bytes32 __attribute__((vector_size(32)));

// Compiles a function for the vectors of 32 bytes that most processors have, and for all others.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif
// Parts of these functions, which have to be compiled with them.
#define PART static inline __attribute__((always_inline))

// The number of words that are tested or composited in one step.
#define STEP 16

// Vectors are passed by address, because the registers that pass them depend on the processor.
PART void load(const uint32_t *words, words8 *vector) { memcpy(vector, words, sizeof *vector); }

PART void store(uint32_t *words, const words8 *vector) { memcpy(words, vector, sizeof *vector); }

PART bool is_zero(const words8 *vector) {
    uint64_t parts[4];
    memcpy(parts, vector, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) == 0;
}

// Returns the number of words at the start that are equal to `word`, rounded down to a whole step if a word differs.
PART size_t count_equal(const uint32_t *words, size_t count, uint32_t word) {
    size_t index = 0;
    for (; index + 2 * STEP <= count; index += 2 * STEP) {
        words8 part, any = {0};
        for (size_t offset = 0; offset < 2 * STEP; offset += 8) {
            load(words + index + offset, &part);
            any |= part ^ word;
        }
        if (!is_zero(&any)) break;
    }
    for (; index + STEP <= count; index += STEP) {
        words8 first, second;
        load(words + index, &first);
        load(words + index + 8, &second);
        first = (first ^ word) | (second ^ word);
        if (!is_zero(&first)) return index;
    }
    size_t rest = index;
    while (rest < count && words[rest] == word) rest++;
    return rest == count ? count : index;
}

// Adds the white that is visible through each pixel to the pixel's components, and saturates the sums.
PART void composite_on_white(words8 *pixels) {
    // The multiplication of 16-bit parts copies the byte, because compilers have no fast one for 32-bit parts.
    words8 white = (words8)((halfwords16)(~*pixels >> 24) * 0x0101);
    white |= white << 16;
    *pixels = (words8)__builtin_elementwise_add_sat((bytes32)*pixels, (bytes32)white);
}

// Moves up to `STEP` words, and adds the differences between the components of their colors to `difference`.
PART void take_step(uint32_t *row, uint32_t *target, size_t count, words8 *difference) {
    uint32_t rest[STEP] = {0};
    uint32_t *pixels = count == STEP ? row : memcpy(rest, row, count * 4), composited[STEP];
    for (size_t index = 0; index < STEP; index += 8) {
        words8 colors;
        load(pixels + index, &colors);
        composite_on_white(&colors);
        store(composited + index, &colors);
        *difference |= colors ^ (colors >> 8);  // the low 16 bits stay 0 while red = green = blue
    }
    memcpy(target, composited, count * 4);
    memset(row, 0, count * 4);
}

FOR_EACH_PROCESSOR int page_row_take(uint32_t *row, uint32_t *target, size_t count) {
    size_t index = count_equal(row, count, 0);
    if (index == count) return page_row_blank;
    memset(target, 0xFF, index * 4);
    words8 difference = {0};
    while (index < count) {
        size_t step = count - index < STEP ? count - index : STEP;
        if (step == STEP) {
            take_step(row + index, target + index, STEP, &difference);
        } else {
            take_step(row + index, target + index, step, &difference);
        }
        index += step;
        // Text leaves most of a row clear.
        size_t clear = count_equal(row + index, count - index, 0);
        memset(target + index, 0xFF, clear * 4);
        index += clear;
    }
    uint32_t any = 0;
    for (size_t index = 0; index < 8; index++) any |= difference[index];
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
PART size_t run_length(const uint32_t *words, size_t limit) {
    if (limit < 2 || words[0] != words[1]) return 1;
    size_t length = 2 + count_equal(words + 2, limit - 2, words[0]);
    while (length < limit && words[length] == words[0]) length++;
    return length;
}

PART uint8_t *put(uint8_t *out, uint32_t word, int bytes, uint8_t mask) {
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

PART size_t pack(
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

FOR_EACH_PROCESSOR size_t page_row_pack(const uint32_t *words, size_t count, int bytes, uint8_t mask, uint8_t *target) {
    switch (bytes) {
        case 4: return pack(words, count, 4, mask, target);
        case 3: return pack(words, count, 3, mask, target);
        default: return pack(words, count, 1, mask, target);
    }
}
