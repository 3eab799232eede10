/* SPDX-License-Identifier: MIT */
/* What becomes of the families that the workers have left: sorted by function and place, counted, asked for values.
 * Sorting moves (function, key, family) by eight bits at a time, as many as differ. */
#include <math.h>

#include "madness_box.h"
#include "madness_state.h"

struct entry {
    uint64_t part[2]; /* key, function */
    const struct gws_madness_family *family;
};

enum { digit = 256 };

/* One bit of x in three, from the lowest. */
static uint64_t spread(uint32_t x)
{
    uint64_t y = 0;
    for (uint32_t bit = 0; bit < GWS_MADNESS_LEVEL; bit++) y |= (uint64_t)(x >> bit & 1) << 3 * bit;
    return y;
}

uint64_t gws__madness_key(uint32_t level, const uint32_t at[3])
{
    return (spread(at[0]) << 2 | spread(at[1]) << 1 | spread(at[2])) << 3 * (GWS_MADNESS_LEVEL - level);
}

/* Deals count entries out by eight bits of a part; false, with nothing done, when all have the same. */
static bool deal(const struct entry *in, struct entry *out, uint64_t count, uint32_t part, uint32_t shift)
{
    uint64_t place[digit] = {0}, sum = 0;
    for (uint64_t i = 0; i < count; i++) place[in[i].part[part] >> shift & (digit - 1)]++;
    for (uint32_t d = 0; d < digit; d++) {
        uint64_t here = place[d];
        if (here == count) return false;
        place[d] = sum;
        sum += here;
    }
    for (uint64_t i = 0; i < count; i++) out[place[in[i].part[part] >> shift & (digit - 1)]++] = in[i];
    return true;
}

/* Sorts entry[0 .. count - 1] with as much spare room behind them; answers where they are. */
static struct entry *sort(struct entry *entry, uint64_t count)
{
    struct entry *other = entry + count;
    for (uint32_t part = 0; part < 2; part++)
        for (uint32_t shift = 0; shift < 64; shift += 8)
            if (deal(entry, other, count, part, shift)) {
                struct entry *swap = entry;
                entry = other;
                other = swap;
            }
    return entry;
}

static void list(const struct gws__madness_owner *owner, struct entry *entry)
{
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next)
        for (uint64_t i = 0; i < slab->count; i++) {
            const struct gws_madness_family *family = &slab->family[i];
            *entry++ = (struct entry){{gws__madness_key(family->level, family->at), family->function}, family};
        }
}

/* Sums go in the order of the tree, so that who computed what does not show. */
static void sum_up(struct gws__madness_owner *owner)
{
    struct gws_madness_tree *tree = &owner->tree;
    double all = 0;
    uint64_t next = 0;
    for (uint32_t f = 0; f < tree->functions; f++) {
        struct gws_madness_part part = {.begin = next};
        double square = 0;
        for (; next < tree->families && owner->family[next].function == f; next++) {
            square += owner->family[next].square;
            if (owner->family[next].level >= part.depth) part.depth = owner->family[next].level + 1;
        }
        part.end = next;
        part.norm = sqrt(square);
        all += square;
        owner->part[f] = part;
        if (part.depth > tree->depth) tree->depth = part.depth;
    }
    tree->norm = sqrt(all);
}

gws_status gws__madness_gather(struct gws_runtime *runtime, struct gws__madness_owner *owner)
{
    struct gws_madness_tree *tree = &owner->tree;
    uint64_t families = 0;
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next) families += slab->count;
    struct entry *entry = gws_allocate(runtime, 2 * families, sizeof *entry);
    owner->family = gws_allocate(runtime, families, sizeof *owner->family);
    owner->part = gws_allocate(runtime, tree->functions, sizeof *owner->part);
    tree->families = families;
    if (entry && owner->family && owner->part) {
        list(owner, entry);
        const struct entry *sorted = sort(entry, families);
        for (uint64_t i = 0; i < families; i++) owner->family[i] = *sorted[i].family;
        tree->family = owner->family;
        tree->part = owner->part;
        tree->leaves = 8 * families;
        tree->divided = tree->boxes - families;
        sum_up(owner);
    }
    gws_release(runtime, entry, 2 * families, sizeof *entry);
    return tree->part ? GWS_OK : GWS_NO_MEMORY;
}

/* What gws_allocate() gave, after the runtime is gone. */
static void release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    if (memory) allocator->release(allocator->context, memory, count ? (size_t)(count * size) : 1);
}

void gws_madness_destroy(struct gws_madness_tree *tree)
{
    if (!tree) return;
    struct gws__madness_owner *owner = tree->owner;
    const struct gws_allocator allocator = owner->allocator;
    while (owner->slab) {
        struct gws__madness_slab *slab = owner->slab;
        owner->slab = slab->next;
        release(&allocator, slab, slab->bytes, 1);
    }
    release(&allocator, owner->family, tree->families, sizeof *owner->family);
    release(&allocator, owner->part, tree->functions, sizeof *owner->part);
    release(&allocator, owner, 1, sizeof *owner);
}

/* ---- values ---- */

/* The last family of the function whose key is not above key: the one that holds the place. */
static const struct gws_madness_family *find(const struct gws_madness_tree *tree, uint32_t function, uint64_t key)
{
    uint64_t begin = tree->part[function].begin, end = tree->part[function].end;
    while (end - begin > 1) {
        uint64_t middle = begin + (end - begin) / 2;
        const struct gws_madness_family *family = &tree->family[middle];
        if (gws__madness_key(family->level, family->at) <= key)
            begin = middle;
        else
            end = middle;
    }
    return &tree->family[begin];
}

/* The sum over the basis of child c of a family, at basis values phi along the three axes. */
static double sum_basis(uint32_t k, const double *coefficient, double phi[3][GWS_MADNESS_ORDER])
{
    double sum = 0;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            for (uint32_t l = 0; l < k; l++, coefficient += 8) sum += *coefficient * phi[0][i] * phi[1][j] * phi[2][l];
    return sum;
}

gws_status gws_madness_value(const struct gws_madness_tree *tree, uint32_t function, const double at[3], double *value)
{
    double unit[3], phi[3][GWS_MADNESS_ORDER], volume = 1;
    uint32_t place[3], child = 0;
    if (function >= tree->functions) return GWS_OUT_OF_RANGE;
    for (int a = 0; a < 3; a++) {
        double edge = tree->high[a] - tree->low[a], boxes = ldexp(1, GWS_MADNESS_LEVEL);
        if (!(at[a] >= tree->low[a] && at[a] <= tree->high[a])) return GWS_OUT_OF_RANGE;
        unit[a] = (at[a] - tree->low[a]) / edge;
        place[a] = unit[a] * boxes < boxes ? (uint32_t)(unit[a] * boxes) : (uint32_t)boxes - 1;
        volume *= edge;
    }
    const struct gws_madness_family *family = find(tree, function, gws__madness_key(GWS_MADNESS_LEVEL, place));
    for (int a = 0; a < 3; a++) {
        double x = ldexp(unit[a], (int)family->level + 1) - 2.0 * family->at[a];
        uint32_t upper = x >= 1;
        child = 2 * child + upper;
        gws__madness_basis(tree->order, x - upper, phi[a]);
    }
    *value =
        sum_basis(tree->order, family->coefficient + child, phi) / sqrt(ldexp(volume, -3 * ((int)family->level + 1)));
    return GWS_OK;
}
