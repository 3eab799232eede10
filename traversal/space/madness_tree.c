/* SPDX-License-Identifier: MIT */
/* Assembles the tree from the workers' families. Groups them by function, sorts each group by position, and counts.
 * This file also evaluates and frees trees. The radix sort moves pairs (key, family) and skips bytes in which all keys
 * agree. */
#include <math.h>
#include <stddef.h>

#include "../../lib/poison.h"
#include "madness_box.h"
#include "madness_state.h"

struct entry {
    uint64_t key;
    const struct gws_madness_family *family;
};

/* The families during the assembly, with one entry per family, grouped by function, and scratch for sorting. */
struct family_gather {
    struct gws__madness_owner *owner;
    struct entry *entry, *other;
};

enum { digit = 256, min_parallel_families = 512 };

/* Inserts two zero bits between the bits of x, below 2^21. */
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

uint64_t gws__madness_key(uint32_t level, const uint32_t at[3])
{
    return (spread_bits(at[0]) << 2 | spread_bits(at[1]) << 1 | spread_bits(at[2])) << 3 * (GWS_MADNESS_LEVEL - level);
}

/* ---- by position ---- */

/* Sorts count entries by eight bits of their keys. Returns false, without a change, when all entries agree in these
 * bits. */
static bool radix_pass(const struct entry *in, struct entry *out, uint64_t count, uint32_t shift)
{
    uint64_t position[digit] = {0}, sum = 0;
    for (uint64_t i = 0; i < count; i++) position[in[i].key >> shift & (digit - 1)]++;
    for (uint32_t d = 0; d < digit; d++) {
        uint64_t size = position[d];
        if (size == count) return false;
        position[d] = sum;
        sum += size;
    }
    for (uint64_t i = 0; i < count; i++) out[position[in[i].key >> shift & (digit - 1)]++] = in[i];
    return true;
}

/* Sorts count entries, with scratch of the same size in other. Returns the array that holds the result. */
static const struct entry *sort(struct entry *entry, struct entry *other, uint64_t count)
{
    for (uint32_t shift = 0; shift < 64; shift += 8)
        if (radix_pass(entry, other, count, shift)) {
            struct entry *swap = entry;
            entry = other;
            other = swap;
        }
    return entry;
}

/* Sorts a function's families. The function adds in the order of the tree, so the sums do not depend on the schedule.
 * part.norm is the sum of squares until sum_norms(). */
static void gather_part(const struct family_gather *gathering, struct gws_madness_part *part)
{
    struct entry *entry = gathering->entry + part->begin, *other = gathering->other + part->begin;
    const uint64_t count = part->end - part->begin;
    struct gws_madness_family *to = gathering->owner->family + part->begin;
    for (uint64_t i = 0; i < count; i++) entry[i].key = gws__madness_key(entry[i].family->level, entry[i].family->at);
    const struct entry *sorted = sort(entry, other, count);
    for (uint64_t i = 0; i < count; i++) {
        to[i] = *sorted[i].family;
        part->norm += to[i].square;
        if (to[i].level >= part->depth) part->depth = to[i].level + 1;
    }
}

static void gather_parts(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct family_gather *gathering = context;
    (void)worker;
    for (uint64_t f = begin; f < end; f++) gather_part(gathering, &gathering->owner->part[f]);
}

/* ---- by function ---- */

/* Sets the parts' bounds and groups pointers to the families by function. */
static void group_by_function(const struct family_gather *gathering)
{
    const struct gws__madness_owner *owner = gathering->owner;
    struct gws_madness_part *part = owner->part;
    uint64_t sum = 0;
    for (uint32_t f = 0; f < owner->tree.functions; f++) part[f] = (struct gws_madness_part){.begin = 0};
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next)
        for (uint64_t i = 0; i < slab->count; i++) part[slab->family[i].function].end++;
    for (uint32_t f = 0; f < owner->tree.functions; f++) {
        uint64_t count = part[f].end;
        part[f].begin = part[f].end = sum;
        sum += count;
    }
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next)
        for (uint64_t i = 0; i < slab->count; i++)
            gathering->entry[part[slab->family[i].function].end++].family = &slab->family[i];
}

static void sum_norms(struct gws__madness_owner *owner)
{
    struct gws_madness_tree *tree = &owner->tree;
    double all = 0;
    for (uint32_t f = 0; f < tree->functions; f++) {
        struct gws_madness_part *part = &owner->part[f];
        all += part->norm;
        part->norm = sqrt(part->norm);
        if (part->depth > tree->depth) tree->depth = part->depth;
    }
    tree->norm = sqrt(all);
}

static void gather(struct gws_runtime *runtime, struct family_gather *gathering)
{
    struct gws__madness_owner *owner = gathering->owner;
    struct gws_madness_tree *tree = &owner->tree;
    const uint64_t share = min_parallel_families * (uint64_t)tree->functions / (tree->families + 1);
    group_by_function(gathering);
    const struct gws_loop loop = {.count = tree->functions,
                                  .grain = share < tree->functions ? (uint32_t)share : tree->functions,
                                  .body = gather_parts,
                                  .context = gathering,
                                  .uncounted = true};
    gws_parallel_run(runtime, &loop);
    tree->family = owner->family;
    tree->part = owner->part;
    tree->leaves = 8 * tree->families;
    tree->divided = tree->boxes - tree->families;
    sum_norms(owner);
}

gws_status gws__madness_gather(struct gws_runtime *runtime, struct gws__madness_owner *owner)
{
    struct gws_madness_tree *tree = &owner->tree;
    uint64_t families = 0;
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next) families += slab->count;
    struct family_gather gathering = {.owner = owner,
                                      .entry = gws_allocate(runtime, 2 * families, sizeof(struct entry))};
    gws_release(runtime, owner->family, tree->families, sizeof *owner->family);
    gws_release(runtime, owner->part, tree->functions, sizeof *owner->part);
    owner->family = gws_allocate(runtime, families, sizeof *owner->family);
    owner->part = gws_allocate(runtime, tree->functions, sizeof *owner->part);
    tree->families = families;
    tree->part = NULL;
    if (gathering.entry) gathering.other = gathering.entry + families;
    if (gathering.entry && owner->family && owner->part) gather(runtime, &gathering);
    gws_release(runtime, gathering.entry, 2 * families, sizeof(struct entry));
    return tree->part ? GWS_OK : GWS_NO_MEMORY;
}

/* Frees memory of gws_allocate(), even after the runtime is closed. */
static void release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    if (memory) allocator->release(allocator->context, memory, count ? (size_t)(count * size) : 1);
}

void gws_madness_poison(struct gws_madness_tree *tree)
{
    if (!tree) return;
    struct gws__madness_owner *owner = tree->owner;
    for (struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next)
        gws_memory_poison(slab->family, slab->bytes - offsetof(struct gws__madness_slab, family));
    gws_memory_poison(owner->family, tree->families * sizeof *owner->family);
    gws_memory_poison(owner->part, tree->functions * sizeof *owner->part);
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

/* Returns the last family of the function with a key of at most `key`, which is the family that contains the
 * position. */
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

/* Sums the basis functions of child c of a family, given their values phi along the three axes. */
static double evaluate_child(uint32_t k, const double *coefficient, double phi[3][GWS_MADNESS_ORDER])
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
    uint32_t position[3], child = 0;
    if (function >= tree->functions) return GWS_OUT_OF_RANGE;
    for (int a = 0; a < 3; a++) {
        double edge = tree->high[a] - tree->low[a], boxes = ldexp(1, GWS_MADNESS_LEVEL);
        if (!(at[a] >= tree->low[a] && at[a] <= tree->high[a])) return GWS_OUT_OF_RANGE;
        unit[a] = (at[a] - tree->low[a]) / edge;
        position[a] = unit[a] * boxes < boxes ? (uint32_t)(unit[a] * boxes) : (uint32_t)boxes - 1;
        volume *= edge;
    }
    const struct gws_madness_family *family = find(tree, function, gws__madness_key(GWS_MADNESS_LEVEL, position));
    for (int a = 0; a < 3; a++) {
        double x = ldexp(unit[a], (int)family->level + 1) - 2.0 * family->at[a];
        uint32_t upper = x >= 1;
        child = 2 * child + upper;
        gws__madness_basis(tree->order, x - upper, phi[a]);
    }
    *value = evaluate_child(tree->order, family->coefficient + child, phi) /
             sqrt(ldexp(volume, -3 * ((int)family->level + 1)));
    return GWS_OK;
}
