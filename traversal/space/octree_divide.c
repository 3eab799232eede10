/* SPDX-License-Identifier: MIT */
/* Divides octants that fit a cache (see octree_partition.h). Points move stably between two buffers, several levels at
 * once, until they are in leaves. */
#include <string.h>

#include "octree_partition.h"

enum { min_two_levels = 128, min_three_levels = 1 << 14 };

struct divider {
    const struct gws__octree_state *state;
    struct gws__octree_arena *arena;
    uint64_t mask;   /* mask of the number in a record */
    unsigned levels; /* levels of the key that a record holds below its base */
};

static gws__octree_handle divide(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                 uint64_t position, unsigned level, unsigned base);

/* Returns the octant's number among its siblings. The level is relative to the base. */
static inline unsigned digit_of(uint64_t key, unsigned relative)
{
    return (unsigned)(key >> (61 - 3 * relative)) & 7;
}

static gws__octree_handle write_leaf(const struct divider *divider, const uint64_t *from, uint64_t count,
                                     uint64_t position)
{
    struct gws__octree_index index = gws__octree_index_at(divider->state, position);
    for (uint64_t i = 0; i < count; i++) gws__octree_index_set(index, i, from[i] & divider->mask);
    return gws__octree_leaf(count);
}

static inline gws__octree_handle recurse(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                         uint64_t position, unsigned level, unsigned base)
{
    return gws__octree_is_leaf(divider->state, count, level) ? write_leaf(divider, from, count, position)
                                                             : divide(divider, from, to, count, position, level, base);
}

static struct gws__octree_inner *inner_of(const struct divider *divider, unsigned mask)
{
    return gws__octree_inner_new(divider->state->runtime, divider->arena, mask);
}

/* Divides an octant whose points all lie in one child. The points stay in place, and one scan finds all levels that
 * they share. */
static gws__octree_handle descend(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                  uint64_t position, unsigned level, unsigned base)
{
    uint64_t differ = 0, key = from[0];
    for (uint64_t i = 1; i < count; i++) differ |= from[i] ^ key;
    differ &= ~divider->mask;
    unsigned same = base + (differ ? (unsigned)__builtin_clzll(differ) / 3 : divider->levels);
    if (same > base + divider->levels) same = base + divider->levels;
    if (same > divider->state->depth) same = divider->state->depth;
    unsigned digit[GWS_OCTREE_DEPTH];
    for (unsigned l = level; l < same; l++) digit[l] = digit_of(key, l - base);
    gws__octree_handle handle = recurse(divider, from, to, count, position, same, base);
    for (unsigned l = same; l-- > level;) {
        struct gws__octree_inner *inner = inner_of(divider, 1U << digit[l]);
        if (!inner) return gws__octree_leaf(count);
        inner->child[0] = handle;
        handle = gws__octree_branch(inner);
    }
    return handle;
}

/* ---- one level at once ---- */

/* Moves the points to their children or, if all children are leaves, directly into the index. */
static void scatter(const struct divider *divider, const uint64_t *from, uint64_t *to, uint64_t count,
                    uint64_t position, unsigned relative, const uint64_t size[8])
{
    struct gws__octree_index index = gws__octree_index_at(divider->state, position);
    uint64_t next[8], sum = 0, mask = divider->mask;
    for (unsigned c = 0; c < 8; sum += size[c++]) next[c] = sum;
    if (to)
        for (uint64_t i = 0; i < count; i++) to[next[digit_of(from[i], relative)]++] = from[i];
    else
        for (uint64_t i = 0; i < count; i++)
            gws__octree_index_set(index, next[digit_of(from[i], relative)]++, from[i] & mask);
}

static unsigned mask_of(const uint64_t size[8])
{
    unsigned mask = 0;
    for (unsigned c = 0; c < 8; c++) mask |= (unsigned)(size[c] > 0) << c;
    return mask;
}

static bool all_leaves(const struct divider *divider, const uint64_t size[8], unsigned level)
{
    bool all = true;
    for (unsigned c = 0; c < 8; c++) all &= gws__octree_is_leaf(divider->state, size[c], level);
    return all;
}

static gws__octree_handle divide_once(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                      uint64_t position, unsigned level, unsigned base)
{
    uint64_t size[8] = {0};
    for (uint64_t i = 0; i < count; i++) size[digit_of(from[i], level - base)]++;
    unsigned mask = mask_of(size), made = 0;
    if ((mask & (mask - 1)) == 0) return descend(divider, from, to, count, position, level, base);
    struct gws__octree_inner *inner = inner_of(divider, mask);
    if (!inner) return gws__octree_leaf(count);
    bool all = all_leaves(divider, size, level + 1);
    scatter(divider, from, all ? NULL : to, count, position, level - base, size);
    uint64_t at = 0;
    for (unsigned c = 0; c < 8; at += size[c++])
        if (size[c])
            inner->child[made++] = all ? gws__octree_leaf(size[c])
                                       : recurse(divider, to + at, from + at, size[c], position + at, level + 1, base);
    return gws__octree_branch(inner);
}

/* ---- several levels at once ---- */

/* The distribution of points over octants some levels below, with counts and destinations. Octants below a common leaf
 * share one destination, so their points stay in order. */
struct distribution {
    const struct divider *divider;
    uint32_t size[512], next[512];
    uint16_t stack[512]; /* the entry of next[] for each octant */
    bool only_leaves;    /* every octant is a leaf or lies below a leaf */
};

static uint64_t sum_of(const uint32_t *size, unsigned span)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < span; i++) sum += size[i];
    return sum;
}

/* Plans the octant of that level that consists of `span` octants, a power of 8, from `first` on. The octant's points
 * begin at `begin`. Returns the end of the points. */
static uint64_t plan_distribution(const struct divider *divider, struct distribution *distribution, unsigned first,
                                  unsigned span, unsigned level, uint64_t begin)
{
    uint64_t sum = span == 1 ? distribution->size[first] : sum_of(distribution->size + first, span);
    bool leaf = gws__octree_is_leaf(divider->state, sum, level);
    if (span > 1 && !leaf) {
        for (unsigned c = 0; c < 8; c++)
            begin = plan_distribution(divider, distribution, first + c * (span / 8), span / 8, level + 1, begin);
        return begin;
    }
    for (unsigned i = first; i < first + span; i++) distribution->stack[i] = (uint16_t)first;
    distribution->next[first] = (uint32_t)begin;
    distribution->only_leaves &= leaf;
    return begin + sum;
}

/* Builds the subtree of that octant, whose points are in `from`. */
static gws__octree_handle build_subtree(const struct distribution *distribution, unsigned first, unsigned span,
                                        uint64_t *from, uint64_t *to, uint64_t position, unsigned level, unsigned base)
{
    const struct divider *divider = distribution->divider;
    uint64_t sum = sum_of(distribution->size + first, span), at = 0;
    if (distribution->only_leaves && gws__octree_is_leaf(divider->state, sum, level)) return gws__octree_leaf(sum);
    if (span == 1 || gws__octree_is_leaf(divider->state, sum, level))
        return recurse(divider, from, to, sum, position, level, base);
    uint64_t size[8];
    for (unsigned c = 0; c < 8; c++) size[c] = sum_of(distribution->size + first + c * (span / 8), span / 8);
    struct gws__octree_inner *inner = inner_of(divider, mask_of(size));
    if (!inner) return gws__octree_leaf(sum);
    for (unsigned c = 0, made = 0; c < 8; at += size[c++])
        if (size[c])
            inner->child[made++] = build_subtree(distribution, first + c * (span / 8), span / 8, from + at, to + at,
                                                 position + at, level + 1, base);
    return gws__octree_branch(inner);
}

/* Moves the points to their destinations or, if there are only leaves, directly into the index. */
static void scatter_levels(struct distribution *distribution, const uint64_t *from, uint64_t *to, uint64_t count,
                           uint64_t position, unsigned shift, unsigned octants)
{
    struct gws__octree_index index = gws__octree_index_at(distribution->divider->state, position);
    uint32_t *next = distribution->next;
    const uint16_t *stack = distribution->stack;
    uint64_t mask = distribution->divider->mask;
    if (!distribution->only_leaves)
        for (uint64_t i = 0; i < count; i++) to[next[stack[from[i] >> shift & (octants - 1)]]++] = from[i];
    else
        for (uint64_t i = 0; i < count; i++)
            gws__octree_index_set(index, next[stack[from[i] >> shift & (octants - 1)]]++, from[i] & mask);
}

/* Divides an octant of fewer than 2^32 points by two or three levels. */
static gws__octree_handle divide_by(const struct divider *divider, unsigned levels, uint64_t *from, uint64_t *to,
                                    uint64_t count, uint64_t position, unsigned level, unsigned base)
{
    struct distribution distribution;
    unsigned octants = 1U << 3 * levels, shift = 64 - 3 * levels - 3 * (level - base);
    distribution.divider = divider;
    distribution.only_leaves = true;
    memset(distribution.size, 0, octants * sizeof *distribution.size);
    for (uint64_t i = 0; i < count; i++) distribution.size[from[i] >> shift & (octants - 1)]++;
    unsigned child = digit_of(from[0], level - base), below = octants / 8;
    if (sum_of(distribution.size + child * below, below) == count)
        return descend(divider, from, to, count, position, level, base);
    (void)plan_distribution(divider, &distribution, 0, octants, level, 0);
    scatter_levels(&distribution, from, to, count, position, shift, octants);
    return build_subtree(&distribution, 0, octants, to, from, position, level, base);
}

/* Changes the base of the records to an octant of that level that holds all of them. */
static void rebase(const struct divider *divider, uint64_t *record, uint64_t count, unsigned level)
{
    const struct gws__octree_state *state = divider->state;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = record[i] & divider->mask, key;
        gws__octree_keys(&state->grid, state->points, number, 1, &key);
        record[i] = (key << (3 * level + 1) & ~divider->mask) | number;
    }
}

/* Divides an octant. The recursion is at most GWS_OCTREE_DEPTH calls deep, or half as deep where a call takes 5 KiB of
 * stack. */
static gws__octree_handle divide(const struct divider *divider, uint64_t *from, uint64_t *to, uint64_t count,
                                 uint64_t position, unsigned level, unsigned base)
{
    if (level - base == divider->levels) {
        rebase(divider, from, count, level);
        base = level;
    }
    unsigned left = base + divider->levels - level, to_depth = divider->state->depth - level;
    if (to_depth < left) left = to_depth;
    bool many = count > 8 * divider->state->leaf && count <= UINT32_MAX;
    if (many && left >= 3 && count > min_three_levels)
        return divide_by(divider, 3, from, to, count, position, level, base);
    if (many && left >= 2 && count > min_two_levels)
        return divide_by(divider, 2, from, to, count, position, level, base);
    return divide_once(divider, from, to, count, position, level, base);
}

gws__octree_handle gws__octree_divide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                      uint64_t *from, uint64_t *to, uint64_t count, uint64_t position, unsigned level)
{
    uint64_t mask = gws__octree_number_mask(state->points->count);
    unsigned levels = (64 - (unsigned)__builtin_popcountll(mask)) / 3; /* whole levels in the bits above the number */
    struct divider divider = {
        .state = state, .arena = arena, .mask = mask, .levels = levels < GWS_OCTREE_DEPTH ? levels : GWS_OCTREE_DEPTH};
    return divide(&divider, from, to, count, position, level, level);
}
