/* SPDX-License-Identifier: MIT */
/* Sorting arcs by (source, target, weight).
 *
 * A least-significant-digit radix sort of 64-bit keys, source above target, sorts arcs that fit the scratch. This sort
 * needs about three sequential reads of a bucket in cache and no comparisons. Its time does not depend on the length of
 * rows. The first pass reads the arcs' own arrays and the last pass writes them. If rows are short, as in road maps,
 * one counting pass groups the arcs by row, and insertion sort sorts each row. An American flag sort sorts other arcs
 * in place, most significant byte first (McIlroy, Bostic, McIlroy, "Engineering radix sort", Computing Systems 6(1),
 * 1993), down to segments that fit the scratch or are so short that insertion sort is fastest. */
#include "build.h"

#include <stdbool.h>
#include <string.h>

enum { max_digit_bits = 11, max_digits = 5, short_stretch = 24, min_radix = 512, short_rows = 8 };

struct sort_arc {
    uint64_t key;
    uint32_t weight; /* with the sign bit flipped, so that unsigned comparison orders signed weights */
};

static struct sort_arc arc_at(const struct gws__arcs *arcs, uint64_t i)
{
    uint64_t key = (uint64_t)arcs->low[i] << 32 | arcs->target[i];
    return (struct sort_arc){key, arcs->weight ? (uint32_t)arcs->weight[i] ^ UINT32_C(0x80000000) : 0};
}

static void set_arc(const struct gws__arcs *arcs, uint64_t i, struct sort_arc arc)
{
    arcs->low[i] = (uint16_t)(arc.key >> 32);
    arcs->target[i] = (uint32_t)arc.key;
    if (arcs->weight) arcs->weight[i] = (int32_t)(arc.weight ^ UINT32_C(0x80000000));
}

/* ---- in place ---- */

static void insertion_sort(const struct gws__arcs *arcs, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin + 1; i < end; ++i) {
        struct sort_arc arc = arc_at(arcs, i);
        uint64_t j = i;
        for (; j > begin; --j) {
            struct sort_arc left = arc_at(arcs, j - 1);
            if (left.key < arc.key || (left.key == arc.key && left.weight <= arc.weight)) break;
            set_arc(arcs, j, left);
        }
        set_arc(arcs, j, arc);
    }
}

/* Bytes from the most significant one: 0 and 1 of the source, 2 to 5 of the target, 6 to 9 of the weight. */
enum { flag_levels = 10, flag_levels_without_weight = 6 };

static unsigned byte_of(struct sort_arc arc, unsigned level)
{
    return level < 6 ? (unsigned)(arc.key >> (40 - 8 * level)) & 255 : (arc.weight >> (72 - 8 * level)) & 255;
}

/* Moves each arc of begin .. end - 1 to the segment of its byte. last[byte] becomes the segment's end. Returns false if
 * all arcs have the same byte. */
static bool flag_pass(const struct gws__arcs *arcs, uint64_t begin, uint64_t end, unsigned level, uint64_t last[256])
{
    uint64_t next[256], count[256] = {0};
    for (uint64_t i = begin; i < end; ++i) ++count[byte_of(arc_at(arcs, i), level)];
    uint64_t sum = begin;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (count[byte] == end - begin) return false;
        next[byte] = sum;
        last[byte] = sum += count[byte];
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
        while (next[byte] < last[byte]) {
            struct sort_arc arc = arc_at(arcs, next[byte]);
            for (unsigned to = byte_of(arc, level); to != byte; to = byte_of(arc, level)) {
                struct sort_arc other = arc_at(arcs, next[to]);
                set_arc(arcs, next[to]++, arc);
                arc = other;
            }
            set_arc(arcs, next[byte]++, arc);
        }
    }
    return true;
}

/* ---- radix sort through the scratch ---- */

struct digits {
    uint32_t passes, bits;
    uint32_t place[max_digits][1 << max_digit_bits]; /* counts, then the next position of each digit */
};

/* Counts every digit in one read. Prefix sums then turn the counts into positions. */
static void count_digits(const struct gws__arcs *arcs, struct digits *digits)
{
    uint32_t bits = digits->bits, mask = (UINT32_C(1) << bits) - 1;
    for (uint32_t pass = 0; pass < digits->passes; ++pass) memset(digits->place[pass], 0, sizeof(uint32_t) << bits);
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint64_t key = (uint64_t)arcs->low[i] << arcs->target_bits | arcs->target[i];
        for (uint32_t pass = 0; pass < digits->passes; ++pass) ++digits->place[pass][key >> (pass * bits) & mask];
    }
    for (uint32_t pass = 0; pass < digits->passes; ++pass) {
        uint32_t sum = 0;
        for (uint32_t digit = 0; digit <= mask; ++digit) {
            uint32_t count = digits->place[pass][digit];
            digits->place[pass][digit] = sum;
            sum += count;
        }
    }
}

static void first_pass(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint32_t *place,
                       uint32_t mask)
{
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint64_t key = (uint64_t)arcs->low[i] << arcs->target_bits | arcs->target[i];
        uint32_t to = place[key & mask]++;
        scratch->key[0][to] = key;
        if (arcs->weight) scratch->weight[0][to] = arcs->weight[i];
    }
}

static void middle_pass(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint32_t in,
                        uint32_t *place, uint32_t shift, uint32_t mask)
{
    const uint64_t *restrict from = scratch->key[in];
    uint64_t *restrict into = scratch->key[!in];
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint32_t to = place[from[i] >> shift & mask]++;
        into[to] = from[i];
        if (arcs->weight) scratch->weight[!in][to] = scratch->weight[in][i];
    }
}

static void last_pass(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint32_t in,
                      uint32_t *place, uint32_t shift, uint32_t mask)
{
    uint64_t target_mask = (UINT64_C(1) << arcs->target_bits) - 1;
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint64_t key = scratch->key[in][i];
        uint32_t to = place[key >> shift & mask]++;
        arcs->low[to] = (uint16_t)(key >> arcs->target_bits);
        arcs->target[to] = (uint32_t)(key & target_mask);
        if (arcs->weight) arcs->weight[to] = scratch->weight[in][i];
    }
}

static void flag_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint64_t begin,
                      uint64_t end, unsigned level);

/* Sorts parallel arcs by weight. The passes have made them adjacent, in arbitrary order of weight. */
static void sort_equal_by_weight(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch)
{
    for (uint64_t i = 0, end; i < arcs->count; i = end) {
        uint64_t key = arc_at(arcs, i).key;
        for (end = i + 1; end < arcs->count && arc_at(arcs, end).key == key;) ++end;
        if (end - i > 1) flag_sort(arcs, scratch, i, end, flag_levels_without_weight);
    }
}

static void radix_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch)
{
    struct digits digits;
    uint32_t bits = arcs->low_bits + arcs->target_bits;
    digits.passes = bits <= 2 * max_digit_bits ? 2 : (bits + max_digit_bits - 1) / max_digit_bits;
    digits.bits = bits <= 2 ? 1 : (bits + digits.passes - 1) / digits.passes;
    uint32_t mask = (UINT32_C(1) << digits.bits) - 1, pass = 1;
    count_digits(arcs, &digits);
    first_pass(arcs, scratch, digits.place[0], mask);
    for (; pass + 1 < digits.passes; ++pass)
        middle_pass(arcs, scratch, !(pass & 1), digits.place[pass], pass * digits.bits, mask);
    last_pass(arcs, scratch, !(pass & 1), digits.place[pass], pass * digits.bits, mask);
    if (arcs->weight) sort_equal_by_weight(arcs, scratch);
}

/* ---- row by row ---- */

/* Computes the start of each row by prefix sums of the rows' arc counts. Entry `rows` is the total. */
static void find_rows(const struct gws__arcs *arcs, uint32_t *place, uint32_t rows)
{
    uint32_t sum = 0;
    memset(place, 0, (rows + 1) * sizeof *place);
    for (uint64_t i = 0; i < arcs->count; ++i) ++place[arcs->low[i]];
    for (uint32_t row = 0; row <= rows; ++row) {
        uint32_t count = place[row];
        place[row] = sum;
        sum += count;
    }
}

/* Sorts one row within the scratch. */
static void sort_row(uint64_t *key, int32_t *weight, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t arc = key[i];
        int32_t with = weight ? weight[i] : 0;
        uint32_t j = i;
        for (; j > 0 && (key[j - 1] > arc || (weight && key[j - 1] == arc && weight[j - 1] > with)); --j) {
            key[j] = key[j - 1];
            if (weight) weight[j] = weight[j - 1];
        }
        key[j] = arc;
        if (weight) weight[j] = with;
    }
}

static void copy_back(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch)
{
    const uint64_t *restrict key = scratch->key[0];
    for (uint64_t i = 0; i < arcs->count; ++i) {
        arcs->low[i] = (uint16_t)(key[i] >> 32);
        arcs->target[i] = (uint32_t)key[i];
    }
    if (arcs->weight) memcpy(arcs->weight, scratch->weight[0], arcs->count * sizeof *arcs->weight);
}

/* Sorts row by row, which is fast for short rows only. The second array of keys stores the rows' positions. */
static bool row_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch)
{
    uint32_t rows = UINT32_C(1) << arcs->low_bits, *place = (uint32_t *)scratch->key[1];
    if (arcs->count > scratch->capacity || arcs->count < min_radix) return false;
    if (arcs->count >> arcs->low_bits > short_rows || rows + 1 > 2 * scratch->capacity) return false;
    find_rows(arcs, place, rows);
    for (uint32_t row = 0; row < rows; ++row) {
        if (place[row + 1] - place[row] > short_stretch) return false;
    }
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint32_t to = place[arcs->low[i]]++;
        scratch->key[0][to] = (uint64_t)arcs->low[i] << 32 | arcs->target[i];
        if (arcs->weight) scratch->weight[0][to] = arcs->weight[i];
    }
    int32_t *weight = arcs->weight ? scratch->weight[0] : NULL;
    for (uint32_t row = 0, begin = 0; row < rows; begin = place[row++]) {
        if (weight)
            sort_row(scratch->key[0] + begin, weight + begin, place[row] - begin);
        else
            sort_row(scratch->key[0] + begin, NULL, place[row] - begin);
    }
    copy_back(arcs, scratch);
    return true;
}

/* ---- sorting ---- */

/* Sorts a segment through the scratch if it fits and is long enough to pay for counting digits. */
static bool radix_sort_stretch(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint64_t begin,
                               uint64_t end)
{
    if (end - begin > scratch->capacity || end - begin < min_radix) return false;
    struct gws__arcs stretch = *arcs;
    stretch.low += begin;
    stretch.target += begin;
    if (arcs->weight) stretch.weight += begin;
    stretch.count = end - begin;
    radix_sort(&stretch, scratch);
    return true;
}

/* Sorts by the American flag sort. The recursion is at most ten levels deep, with about 6 KiB of stack per level. From
 * level flag_levels_without_weight on all keys are equal. */
static void flag_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch, uint64_t begin,
                      uint64_t end, unsigned level)
{
    unsigned levels = arcs->weight ? flag_levels : flag_levels_without_weight;
    uint64_t last[256];
    if (end - begin <= short_stretch) {
        insertion_sort(arcs, begin, end);
        return;
    }
    if (level < flag_levels_without_weight && radix_sort_stretch(arcs, scratch, begin, end)) return;
    while (level < levels && !flag_pass(arcs, begin, end, level, last)) ++level;
    if (level >= levels) return;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (last[byte] - begin > 1) flag_sort(arcs, scratch, begin, last[byte], level + 1);
        begin = last[byte];
    }
}

void gws__arcs_sort(const struct gws__arcs *arcs, const struct gws__arc_scratch *scratch)
{
    if (!row_sort(arcs, scratch)) flag_sort(arcs, scratch, 0, arcs->count, 0);
}
