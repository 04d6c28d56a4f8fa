// Compresses pages as DEFLATE streams (RFC 1951).
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "CPagePixels.h"

enum {
    hash_bits = 13,
    window = 32768,
    shortest_match = 4,
    longest_match = 258,
    // The maximum number of tokens in a block.
    block_tokens = 1 << 15,
    literal_codes = 286,
    distance_codes = 30,
    length_codes = 19,
    end_of_block = 256,
    longest_code = 15,
    longest_length_code = 7,
};

// A token is a literal, or `match_flag` with the length of a match and its distance minus 1.
#define MATCH_FLAG 0x80000000u

typedef struct {
    uint32_t bits;
    uint8_t count;
} code;

typedef struct {
    uint32_t places[1 << hash_bits];  // the latest position of each hash, plus 1; 0 means none
    uint32_t tokens[block_tokens];
    size_t token_count;
    uint32_t literal_uses[literal_codes], distance_uses[distance_codes];
    uint8_t *out;
    uint64_t bits;
    unsigned bit_count;
} state;

static inline uint64_t load64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint32_t load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// Returns the number of equal bytes at the start of two words with the given difference, which is not 0.
static inline unsigned equal_bytes(uint64_t difference) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(difference) / 8;
#else
    return (unsigned)__builtin_clzll(difference) / 8;
#endif
}

// MARK: - Bits

static inline void put(state *s, uint32_t bits, unsigned count) {
    s->bits |= (uint64_t)bits << s->bit_count;
    s->bit_count += count;
    while (s->bit_count >= 32) {
        uint32_t word = (uint32_t)s->bits;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
        word = __builtin_bswap32(word);
#endif
        memcpy(s->out, &word, sizeof word);
        s->out += 4;
        s->bits >>= 32;
        s->bit_count -= 32;
    }
}

static void flush_bits(state *s) {
    while (s->bit_count > 0) {
        *s->out++ = (uint8_t)s->bits;
        s->bits >>= 8;
        s->bit_count = s->bit_count < 8 ? 0 : s->bit_count - 8;
    }
}

// MARK: - Lengths and distances

// Returns the code of a match length from 3 to 258, and its extra bits (RFC 1951 §3.2.5).
static inline unsigned length_code(unsigned length, code *extra) {
    unsigned value = length - 3;
    if (length == longest_match) {
        *extra = (code){0, 0};
        return 285;
    }
    if (value < 8) {
        *extra = (code){0, 0};
        return 257 + value;
    }
    unsigned count = 29 - (unsigned)__builtin_clz(value);
    *extra = (code){value & ((1u << count) - 1), (uint8_t)count};
    return 257 + 4 * count + (value >> count);
}

// Returns the code of a distance minus 1, and its extra bits.
static inline unsigned distance_code(unsigned value, code *extra) {
    if (value < 4) {
        *extra = (code){0, 0};
        return value;
    }
    unsigned count = 30 - (unsigned)__builtin_clz(value);
    *extra = (code){value & ((1u << count) - 1), (uint8_t)count};
    return 2 * count + (value >> count);
}

// MARK: - Huffman codes

typedef struct {
    uint32_t uses;
    uint16_t symbol;
} used_symbol;

static int by_uses(const void *a, const void *b) {
    const used_symbol *left = a, *right = b;
    if (left->uses != right->uses) return left->uses < right->uses ? -1 : 1;
    return (int)left->symbol - (int)right->symbol;
}

// Replaces the uses of symbols, in ascending order, by the lengths of their Huffman codes (Moffat and Katajainen).
static void huffman_lengths(uint32_t *uses, int count) {
    uses[0] += uses[1];
    int root = 0, leaf = 2;
    for (int next = 1; next < count - 1; next++) {
        if (leaf >= count || uses[root] < uses[leaf]) {
            uses[next] = uses[root];
            uses[root++] = (uint32_t)next;
        } else {
            uses[next] = uses[leaf++];
        }
        if (leaf >= count || (root < next && uses[root] < uses[leaf])) {
            uses[next] += uses[root];
            uses[root++] = (uint32_t)next;
        } else {
            uses[next] += uses[leaf++];
        }
    }
    uses[count - 2] = 0;
    for (int next = count - 3; next >= 0; next--) uses[next] = uses[uses[next]] + 1;
    int available = 1, used = 0, next = count - 1;
    uint32_t depth = 0;
    root = count - 2;
    while (available > 0) {
        while (root >= 0 && uses[root] == depth) {
            used++;
            root--;
        }
        while (available > used) {
            uses[next--] = depth;
            available--;
        }
        available = 2 * used;
        depth++;
        used = 0;
    }
}

// Makes the code of each used symbol, with at most `longest` bits. At least two symbols get a code.
static void make_codes(const uint32_t *uses, int symbols, unsigned longest, code *codes) {
    used_symbol used[literal_codes];
    uint32_t lengths[literal_codes];
    int count = 0;
    for (int symbol = 0; symbol < symbols; symbol++) {
        codes[symbol] = (code){0, 0};
        if (uses[symbol] > 0) used[count++] = (used_symbol){uses[symbol], (uint16_t)symbol};
    }
    for (int symbol = 0; count < 2; symbol++) {
        if (uses[symbol] == 0) used[count++] = (used_symbol){1, (uint16_t)symbol};
    }
    qsort(used, (size_t)count, sizeof used[0], by_uses);
    for (int index = 0; index < count; index++) lengths[index] = used[index].uses;
    huffman_lengths(lengths, count);

    // Shorten the codes that are too long, and lengthen other codes until the sum of 2^-length is at most 1.
    uint32_t numbers[longest_code + 2] = {0};
    for (int index = 0; index < count; index++) numbers[lengths[index] < longest ? lengths[index] : longest]++;
    uint32_t total = 0;
    for (unsigned length = 1; length <= longest; length++) total += numbers[length] << (longest - length);
    while (total > 1u << longest) {
        unsigned length = longest - 1;
        while (numbers[length] == 0) length--;
        numbers[length]--;
        numbers[length + 1] += 2;
        numbers[longest]--;
        total--;
    }
    // The symbols are in ascending order of use, so the first symbols have the longest codes.
    int index = 0;
    for (unsigned length = longest; length >= 1; length--) {
        for (uint32_t number = numbers[length]; number > 0; number--) codes[used[index++].symbol].count = (uint8_t)length;
    }
    uint32_t next[longest_code + 2] = {0};
    for (unsigned length = 1; length <= longest; length++) next[length + 1] = (next[length] + numbers[length]) << 1;
    for (int symbol = 0; symbol < symbols; symbol++) {
        unsigned length = codes[symbol].count;
        if (length == 0) continue;
        uint32_t value = next[length]++, reversed = 0;
        for (unsigned bit = 0; bit < length; bit++) reversed |= (value >> bit & 1) << (length - 1 - bit);
        codes[symbol].bits = reversed;
    }
}

// MARK: - Blocks

// Writes the lengths of the codes of a block (RFC 1951 §3.2.7).
static void put_lengths(state *s, const code *literals, const code *distances) {
    static const uint8_t order[length_codes] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int literal_count = literal_codes, distance_count = distance_codes;
    while (literal_count > 257 && literals[literal_count - 1].count == 0) literal_count--;
    while (distance_count > 1 && distances[distance_count - 1].count == 0) distance_count--;
    uint8_t lengths[literal_codes + distance_codes];
    int count = 0;
    for (int index = 0; index < literal_count; index++) lengths[count++] = literals[index].count;
    for (int index = 0; index < distance_count; index++) lengths[count++] = distances[index].count;

    // Runs: 16 repeats the previous length 3 to 6 times, 17 and 18 are 3 to 138 zeros.
    uint8_t symbols[literal_codes + distance_codes], extras[literal_codes + distance_codes];
    uint32_t uses[length_codes] = {0};
    int symbol_count = 0;
    for (int index = 0; index < count;) {
        int run = 1;
        while (index + run < count && lengths[index + run] == lengths[index]) run++;
        uint8_t symbol = lengths[index], extra = 0;
        int taken = 1;
        if (symbol == 0 && run >= 3) {
            taken = run < 138 ? run : 138;
            symbol = taken < 11 ? 17 : 18;
            extra = (uint8_t)(taken - (taken < 11 ? 3 : 11));
        } else if (index > 0 && lengths[index - 1] == symbol && run >= 3) {
            taken = run < 6 ? run : 6;
            symbol = 16;
            extra = (uint8_t)(taken - 3);
        }
        symbols[symbol_count] = symbol;
        extras[symbol_count++] = extra;
        uses[symbol]++;
        index += taken;
    }
    code codes[length_codes];
    make_codes(uses, length_codes, longest_length_code, codes);
    int order_count = length_codes;
    while (order_count > 4 && codes[order[order_count - 1]].count == 0) order_count--;
    put(s, (uint32_t)(literal_count - 257), 5);
    put(s, (uint32_t)(distance_count - 1), 5);
    put(s, (uint32_t)(order_count - 4), 4);
    for (int index = 0; index < order_count; index++) put(s, codes[order[index]].count, 3);
    for (int index = 0; index < symbol_count; index++) {
        uint8_t symbol = symbols[index];
        put(s, codes[symbol].bits, codes[symbol].count);
        if (symbol >= 16) put(s, extras[index], symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    }
}

static void put_block(state *s, bool is_last) {
    code literals[literal_codes], distances[distance_codes];
    s->literal_uses[end_of_block]++;
    make_codes(s->literal_uses, literal_codes, longest_code, literals);
    make_codes(s->distance_uses, distance_codes, longest_code, distances);
    put(s, is_last ? 1 : 0, 1);
    put(s, 2, 2);
    put_lengths(s, literals, distances);
    for (size_t index = 0; index < s->token_count; index++) {
        uint32_t token = s->tokens[index];
        if (!(token & MATCH_FLAG)) {
            put(s, literals[token].bits, literals[token].count);
            continue;
        }
        code extra;
        unsigned symbol = length_code(token >> 15 & 0x1FF, &extra);
        put(s, literals[symbol].bits | extra.bits << literals[symbol].count, literals[symbol].count + extra.count);
        symbol = distance_code(token & 0x7FFF, &extra);
        put(s, distances[symbol].bits | extra.bits << distances[symbol].count, distances[symbol].count + extra.count);
    }
    put(s, literals[end_of_block].bits, literals[end_of_block].count);
    s->token_count = 0;
    memset(s->literal_uses, 0, sizeof s->literal_uses);
    memset(s->distance_uses, 0, sizeof s->distance_uses);
}

// MARK: - Tokens

static inline void add(state *s, uint32_t token) {
    s->tokens[s->token_count++] = token;
    if (s->token_count == block_tokens) put_block(s, false);
}

static inline void add_literal(state *s, uint8_t byte) {
    s->literal_uses[byte]++;
    add(s, byte);
}

static inline void add_match(state *s, unsigned length, unsigned distance) {
    code extra;
    s->literal_uses[length_code(length, &extra)]++;
    s->distance_uses[distance_code(distance - 1, &extra)]++;
    add(s, MATCH_FLAG | length << 15 | (distance - 1));
}

// Adds matches of any length; no match is shorter than 3 bytes.
static void add_matches(state *s, size_t length, unsigned distance) {
    while (length > 0) {
        size_t part = length <= longest_match ? length : length < longest_match + 3 ? length - 3 : longest_match;
        add_match(s, (unsigned)part, distance);
        length -= part;
    }
}

static inline uint32_t hash(uint32_t word) { return word * 0x9E3779B1u >> (32 - hash_bits); }

// Returns the number of equal bytes at two positions, of which the first `known` bytes are equal.
static inline size_t match_length(const uint8_t *a, const uint8_t *b, size_t known, size_t limit) {
    size_t length = known;
    while (length + 8 <= limit) {
        uint64_t difference = load64(a + length) ^ load64(b + length);
        if (difference != 0) return length + equal_bytes(difference);
        length += 8;
    }
    while (length < limit && a[length] == b[length]) length++;
    return length;
}

size_t page_deflate_bound(size_t count) {
    // With the best codes, no symbol is longer than 9 bits on average, and each block has less than 400 bytes of codes.
    return count + count / 7 + (count / block_tokens + 2) * 400 + 64;
}

size_t page_deflate(const uint8_t *bytes, size_t count, uint8_t *target) {
    state *s = calloc(1, sizeof *s);
    if (s == NULL) return 0;
    s->out = target;
    size_t position = 0;
    while (position + 8 <= count) {
        uint64_t word = load64(bytes + position);
        if (position > 0 && load64(bytes + position - 1) == word) {
            size_t length = match_length(bytes + position, bytes + position - 1, 8, count - position);
            add_matches(s, length, 1);
            position += length;
            continue;
        }
        uint32_t start = load32(bytes + position);
        uint32_t *place = &s->places[hash(start)];
        size_t earlier = *place;
        *place = (uint32_t)position + 1;
        if (earlier > 0 && position + 1 - earlier <= window && load32(bytes + earlier - 1) == start) {
            size_t length =
                match_length(bytes + position, bytes + earlier - 1, shortest_match, count - position);
            add_matches(s, length, (unsigned)(position + 1 - earlier));
            if (position + 5 <= count) s->places[hash(load32(bytes + position + 1))] = (uint32_t)position + 2;
            position += length;
            continue;
        }
        add_literal(s, bytes[position]);
        position++;
    }
    while (position < count) add_literal(s, bytes[position++]);
    put_block(s, true);
    flush_bits(s);
    size_t length = (size_t)(s->out - target);
    free(s);
    return length;
}
