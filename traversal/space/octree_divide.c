/* SPDX-License-Identifier: MIT */
/* Dividing octants that fit a cache; see octree_deal.h. Points move between two buffers, stably, several levels at
 * once, until they are in leaves. */
#include <string.h>

#include "octree_deal.h"

enum { least_twice = 128, least_thrice = 1 << 14 };

struct divider {
    const struct gws__octree_state *state;
    struct gws__octree_arena *arena;
    uint64_t mask;   /* of the number in a record */
    unsigned levels; /* that a record's key has below its base */
};

static gws__octree_handle divide(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                 uint64_t place, unsigned level, unsigned base);

/* The octant of a point among the octants of its parent, whose level is relative to base. */
static inline unsigned digit_of(uint64_t key, unsigned relative)
{
    return (unsigned)(key >> (61 - 3 * relative)) & 7;
}

static gws__octree_handle settle(const struct divider *divider, const uint64_t *from, uint64_t count, uint64_t place)
{
    struct gws__octree_index index = gws__octree_index_at(divider->state, place);
    for (uint64_t i = 0; i < count; i++) gws__octree_put(index, i, from[i] & divider->mask);
    return gws__octree_leaf(count);
}

static inline gws__octree_handle go_on(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                       uint64_t place, unsigned level, unsigned base)
{
    return gws__octree_settled(divider->state, count, level) ? settle(divider, from, count, place)
                                                             : divide(divider, from, to, count, place, level, base);
}

static struct gws__octree_inner *inner_of(const struct divider *divider, unsigned mask)
{
    return gws__octree_inner_new(divider->state->runtime, divider->arena, mask);
}

/* All points lie in one child: they stay where they are, and the levels they go down together cost one look. */
static gws__octree_handle descend(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                  uint64_t place, unsigned level, unsigned base)
{
    uint64_t differ = 0, key = from[0];
    for (uint64_t i = 1; i < count; i++) differ |= from[i] ^ key;
    differ &= ~divider->mask;
    unsigned same = base + (differ ? (unsigned)__builtin_clzll(differ) / 3 : divider->levels);
    if (same > base + divider->levels) same = base + divider->levels;
    if (same > divider->state->depth) same = divider->state->depth;
    unsigned digit[GWS_OCTREE_DEPTH];
    for (unsigned l = level; l < same; l++) digit[l] = digit_of(key, l - base);
    gws__octree_handle handle = go_on(divider, from, to, count, place, same, base);
    for (unsigned l = same; l-- > level;) {
        struct gws__octree_inner *inner = inner_of(divider, 1U << digit[l]);
        if (!inner) return gws__octree_leaf(count);
        inner->child[0] = handle;
        handle = gws__octree_branch(inner);
    }
    return handle;
}

/* ---- one level at once ---- */

/* Moves the points to their parts, or, when there are only leaves, straight into the index. */
static void deal(const struct divider *divider, const uint64_t *from, uint64_t *to, uint64_t count, uint64_t place,
                 unsigned relative, const uint64_t size[8])
{
    struct gws__octree_index index = gws__octree_index_at(divider->state, place);
    uint64_t next[8], sum = 0, mask = divider->mask;
    for (unsigned c = 0; c < 8; sum += size[c++]) next[c] = sum;
    if (to)
        for (uint64_t i = 0; i < count; i++) to[next[digit_of(from[i], relative)]++] = from[i];
    else
        for (uint64_t i = 0; i < count; i++)
            gws__octree_put(index, next[digit_of(from[i], relative)]++, from[i] & mask);
}

static unsigned mask_of(const uint64_t size[8])
{
    unsigned mask = 0;
    for (unsigned c = 0; c < 8; c++) mask |= (unsigned)(size[c] > 0) << c;
    return mask;
}

static bool all_settled(const struct divider *divider, const uint64_t size[8], unsigned level)
{
    bool all = true;
    for (unsigned c = 0; c < 8; c++) all &= gws__octree_settled(divider->state, size[c], level);
    return all;
}

static gws__octree_handle divide_once(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                      uint64_t place, unsigned level, unsigned base)
{
    uint64_t size[8] = {0};
    for (uint64_t i = 0; i < count; i++) size[digit_of(from[i], level - base)]++;
    unsigned mask = mask_of(size), made = 0;
    if ((mask & (mask - 1)) == 0) return descend(divider, from, to, count, place, level, base);
    struct gws__octree_inner *inner = inner_of(divider, mask);
    if (!inner) return gws__octree_leaf(count);
    bool all = all_settled(divider, size, level + 1);
    deal(divider, from, all ? NULL : to, count, place, level - base, size);
    uint64_t at = 0;
    for (unsigned c = 0; c < 8; at += size[c++])
        if (size[c])
            inner->child[made++] = all ? gws__octree_leaf(size[c])
                                       : go_on(divider, to + at, from + at, size[c], place + at, level + 1, base);
    return gws__octree_branch(inner);
}

/* ---- several levels at once ---- */

/* Octants some levels down: how many points each has, and where they go. The points of octants that have a leaf above
 * them in common go to one place, so that they stay in order. */
struct places {
    const struct divider *divider;
    uint32_t size[512], next[512];
    uint16_t stack[512]; /* which of next[] an octant's points go by */
    bool all;            /* leaves only */
};

static uint64_t sum_of(const uint32_t *size, unsigned span)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < span; i++) sum += size[i];
    return sum;
}

/* Of the octant of that level which is made of those from `first` on, a power of 8 many, and whose points go to begin
 * and beyond; returns where they end. */
static uint64_t plan_places(const struct divider *divider, struct places *places, unsigned first, unsigned span,
                            unsigned level, uint64_t begin)
{
    uint64_t sum = span == 1 ? places->size[first] : sum_of(places->size + first, span);
    bool settled = gws__octree_settled(divider->state, sum, level);
    if (span > 1 && !settled) {
        for (unsigned c = 0; c < 8; c++)
            begin = plan_places(divider, places, first + c * (span / 8), span / 8, level + 1, begin);
        return begin;
    }
    for (unsigned i = first; i < first + span; i++) places->stack[i] = (uint16_t)first;
    places->next[first] = (uint32_t)begin;
    places->all &= settled;
    return begin + sum;
}

/* Grows that octant, whose points were moved to from. */
static gws__octree_handle grow(const struct places *places, unsigned first, unsigned span, uint64_t *from, uint64_t *to,
                               uint64_t place, unsigned level, unsigned base)
{
    const struct divider *divider = places->divider;
    uint64_t sum = sum_of(places->size + first, span), at = 0;
    if (places->all && gws__octree_settled(divider->state, sum, level)) return gws__octree_leaf(sum);
    if (span == 1 || gws__octree_settled(divider->state, sum, level))
        return go_on(divider, from, to, sum, place, level, base);
    uint64_t size[8];
    for (unsigned c = 0; c < 8; c++) size[c] = sum_of(places->size + first + c * (span / 8), span / 8);
    struct gws__octree_inner *inner = inner_of(divider, mask_of(size));
    if (!inner) return gws__octree_leaf(sum);
    for (unsigned c = 0, made = 0; c < 8; at += size[c++])
        if (size[c])
            inner->child[made++] =
                grow(places, first + c * (span / 8), span / 8, from + at, to + at, place + at, level + 1, base);
    return gws__octree_branch(inner);
}

/* Moves the points to their places, or, when there are only leaves, straight into the index. */
static void move(struct places *places, const uint64_t *from, uint64_t *to, uint64_t count, uint64_t place,
                 unsigned shift, unsigned octants)
{
    struct gws__octree_index index = gws__octree_index_at(places->divider->state, place);
    uint32_t *next = places->next;
    const uint16_t *stack = places->stack;
    uint64_t mask = places->divider->mask;
    if (!places->all)
        for (uint64_t i = 0; i < count; i++) to[next[stack[from[i] >> shift & (octants - 1)]]++] = from[i];
    else
        for (uint64_t i = 0; i < count; i++)
            gws__octree_put(index, next[stack[from[i] >> shift & (octants - 1)]]++, from[i] & mask);
}

/* By two levels or three; fewer than 2^32 points. */
static gws__octree_handle divide_by(const struct divider *divider, unsigned levels, uint64_t *from, uint64_t *to,
                                    uint64_t count, uint64_t place, unsigned level, unsigned base)
{
    struct places places;
    unsigned octants = 1U << 3 * levels, shift = 64 - 3 * levels - 3 * (level - base);
    places.divider = divider;
    places.all = true;
    memset(places.size, 0, octants * sizeof *places.size);
    for (uint64_t i = 0; i < count; i++) places.size[from[i] >> shift & (octants - 1)]++;
    unsigned child = digit_of(from[0], level - base), below = octants / 8;
    if (sum_of(places.size + child * below, below) == count)
        return descend(divider, from, to, count, place, level, base);
    (void)plan_places(divider, &places, 0, octants, level, 0);
    move(&places, from, to, count, place, shift, octants);
    return grow(&places, 0, octants, to, from, place, level, base);
}

/* Gives records a new base, the octant of that level they all lie in. */
static void remake(const struct divider *divider, uint64_t *record, uint64_t count, unsigned level)
{
    const struct gws__octree_state *state = divider->state;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = record[i] & divider->mask, key;
        gws__octree_keys(&state->grid, state->points, number, 1, &key);
        record[i] = (key << (3 * level + 1) & ~divider->mask) | number;
    }
}

/* At most GWS_OCTREE_DEPTH calls deep, or half of that with 5 KiB of stack each. */
static gws__octree_handle divide(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                 uint64_t place, unsigned level, unsigned base)
{
    if (level - base == divider->levels) {
        remake(divider, from, count, level);
        base = level;
    }
    unsigned left = base + divider->levels - level, to_depth = divider->state->depth - level;
    if (to_depth < left) left = to_depth;
    bool many = count > 8 * divider->state->leaf && count <= UINT32_MAX;
    if (many && left >= 3 && count > least_thrice) return divide_by(divider, 3, from, to, count, place, level, base);
    if (many && left >= 2 && count > least_twice) return divide_by(divider, 2, from, to, count, place, level, base);
    return divide_once(divider, from, to, count, place, level, base);
}

gws__octree_handle gws__octree_divide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                      uint64_t *from, uint64_t *to, uint64_t count, uint64_t place, unsigned level)
{
    uint64_t mask = gws__octree_number_mask(state->points->count);
    unsigned levels = (64 - (unsigned)__builtin_popcountll(mask)) / 3; /* whole ones, in the bits above */
    struct divider divider = {
        .state = state, .arena = arena, .mask = mask, .levels = levels < GWS_OCTREE_DEPTH ? levels : GWS_OCTREE_DEPTH};
    return divide(&divider, from, to, count, place, level, level);
}
